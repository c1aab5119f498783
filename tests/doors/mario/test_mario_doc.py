"""docs/protocols/mario.md, played against a real hall."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doors.native.clients import NOTICES
from tests.doors.rfc.halls import PATIENT, SLOW, Visitors, open_hall
from tests.doors.rfc.sessions import Line, Reader, sessions

SIC_BO, LOBBY, CONNECT_FOUR = sessions("mario.md")
TOKEN = "TOKEN"
"""Stands for the token that the lobby gives."""


@pytest.mark.parametrize(
    ("session", "pace", "left_out"),
    [
        (SIC_BO, SLOW, frozenset()),
        (LOBBY, PATIENT, frozenset()),
        (CONNECT_FOUR, SLOW, frozenset(NOTICES)),
    ],
    ids=["sic bo", "lobby", "connect four"],
)
async def test_a_session_is_played_as_it_is_written(
    tmp_path: Path, session: list[Line], pace: tuple[str, ...], left_out: frozenset[str]
) -> None:
    with open_hall(tmp_path, *pace) as hall:
        at = Visitors(hall)
        token = "…"
        readers: dict[str, Reader] = {}
        for who, direction, message in session:
            if who not in readers:
                readers[who] = Reader(await at.mario())
            heard = await readers[who].play(direction, message.replace(TOKEN, token), left_out)
            if direction == "<" and TOKEN in message:
                token = heard[6]["sessionProfile"]["bnrToken"]
        await at.leave()
