"""docs/protocols/mario.md, played against a real hall."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.clients import NOTICES
from tests.rfc.halls import SLOW, Visitors, open_hall
from tests.rfc.sessions import Line, Reader, sessions

SIC_BO, CONNECT_FOUR = sessions("mario.md")


@pytest.mark.parametrize(
    ("session", "left_out"),
    [(SIC_BO, frozenset()), (CONNECT_FOUR, frozenset(NOTICES))],
    ids=["sic bo", "connect four"],
)
async def test_a_session_is_played_as_it_is_written(
    tmp_path: Path, session: list[Line], left_out: frozenset[str]
) -> None:
    with open_hall(tmp_path, *SLOW) as hall:
        at = Visitors(hall)
        readers: dict[str, Reader] = {}
        for who, direction, message in session:
            if who not in readers:
                readers[who] = Reader(await at.mario())
            await readers[who].play(direction, message, left_out)
        await at.leave()
