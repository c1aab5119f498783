"""What the operator does to a match: a planned stop, after which it goes on, and a void."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Duelists, open_hall
from tests.support.processes import HallProcess

SETTINGS = ("duel.size=3",)


@pytest.mark.slow
def test_a_planned_stop_is_told_and_the_match_goes_on(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Duelists(hall)
        first, second, text = at.pair()
        stranger = at.client()
        assert not stranger.is_my_turn()
        second.pick(4)
        first.take(p.PICKED, p.YOURS)
        with ThreadPoolExecutor(1) as threads:
            stopping = threads.submit(hall.stop)
            for client in (first, second, stranger):
                client.take(p.CLOSING)
                client.ended()
                client.close()
            assert stopping.result() == 0
        hall.start()
        back = at.comes_back(text, 7, first.board, [4])
        assert back.is_my_turn()
        at.leave()


def test_a_match_that_is_called_off_may_be_played_again(tmp_path: Path) -> None:
    with open_hall(tmp_path, "duel.close_seconds=0.1", *SETTINGS) as hall:
        at = Duelists(hall)
        first, second, text = at.pair()
        second.pick(4)
        first.take(p.PICKED, p.YOURS)
        void(hall, 1)
        for client in (first, second):
            assert client.take(p.MESSAGE) == "This match was called off."
            client.ended()
        first, second = at.enters(text, 7), at.enters(text, 8)
        second.take(p.BOARD)
        assert second.is_my_turn()
        at.leave()


def void(hall: HallProcess, table: int) -> None:
    token = (hall.data / "operator-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"{hall.web_url}/api/tables/{table}/void"
    with urlopen(Request(address, b'{"reason": "a test"}', headers)) as answer:
        assert answer.status == 200
