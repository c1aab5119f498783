"""What `gamehall serve` says when it is open."""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.processes import HallProcess


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")])
def test_last_of_all_it_says_where_the_page_is(tmp_path: Path, host: str, shown: str) -> None:
    with HallProcess(tmp_path, more=(f"--host={host}",)) as hall:
        hall.wait_until(lambda: "http" in hall.stderr[-1])
        *doors, ready, page = hall.stderr
        assert {line.split()[0] for line in doors} == {"door"}
        assert ready == "ready"
        link = page.split()[-1]
        assert link == f"http://{shown}:{hall.ports['native']}"
        with urlopen(link) as answer:
            assert b"<title>" in answer.read()
