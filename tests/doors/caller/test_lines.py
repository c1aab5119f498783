"""What a player is told of a table's events, line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gamehall.games.bingo import Bingo, BingoClaimed, Called, CardsDealt, Joined, Parted
from gamehall.games.game import Event, Outcome
from gamehall.hall.beat.requests import Scene
from gamehall.table_log import house
from gamehall.table_log.table_state import opened_state
from gamehall.wire.bingo.caller_lines import message, told

CARD = (*range(1, 6), *range(16, 21), 31, 32, 0, 34, 35, *range(46, 51), *range(61, 66))
NEW_CARD = (
    b"NEW_CARD|[[1,2,3,4,5],[16,17,18,19,20],[31,32,0,34,35],[46,47,48,49,50],[61,62,63,64,65]]\n"
)
CAN_START = b"MSG|A new round can be started with /start.\n"
B_WINS = b"MSG|b/b  has a bingo and wins the round.\n" + CAN_START
NOBODY_LEFT = b"MSG|Nobody is left in the round.\n" + CAN_START
ALL_CALLED = b"MSG|All numbers have been called. Nobody wins the round.\n" + CAN_START
CALLED_OFF = b"MSG|The round has been called off: a/b c\n"
NAMES = ("anna", "b|b\u2028")


def opened() -> house.Opened:
    return house.Opened("bingo", {}, 2, "", "", "")


def scene(*events: Event) -> Scene:
    state = opened_state(opened(), Bingo())
    state.chairs = {seat: house.Person(7 + seat, name) for seat, name in enumerate(NAMES)}
    return Scene(state, events)


def ended(reason: str, *winners: int) -> house.RoundEnded:
    return house.RoundEnded(Outcome(winners, reason, again_ms=0), "", 0)


DEALT = CardsDealt(0, 2, {0: CARD})
FOR_OTHERS = CardsDealt(0, 2, {})
WON = (BingoClaimed(1), ended("bingo", 1), opened(), house.Started(0))


@pytest.mark.parametrize(
    ("events", "has_card", "lines"),
    [
        ((house.Seated(1, house.Person(8, "bob")), Joined(1)), True, b""),
        ((house.Left(1, "left"), Parted(1)), True, b""),
        ((DEALT,), False, NEW_CARD),
        ((FOR_OTHERS,), False, b""),
        ((Called(7, 0), Called(75, 0)), True, b"CHECK_NUMBER|7\nCHECK_NUMBER|75\n"),
        ((Called(7, 0),), False, b""),
        ((DEALT, Called(7, 0)), False, NEW_CARD + b"CHECK_NUMBER|7\n"),
        (WON, True, B_WINS),
        (WON, False, B_WINS),
        ((Called(7, 0), *WON, DEALT), True, b"CHECK_NUMBER|7\n" + B_WINS + NEW_CARD),
        ((ended("all_called"), opened()), True, ALL_CALLED),
        ((ended("abandoned"), opened()), False, NOBODY_LEFT),
        ((house.RoundVoided("a|b\r\nc", "", 0, 1000),), True, CALLED_OFF),
    ],
)
def test_events(events: tuple[Event, ...], has_card: bool, lines: bytes) -> None:
    assert told([scene(*events)], None, has_card) == lines


@pytest.mark.parametrize("sign", ["|", "\n", "\r\n", "\r", "\x0b", "\x85", "\u2028", "\x1e"])
def test_no_body_breaks_a_line(sign: str) -> None:
    said = message(f"a{sign}b{sign}").decode()
    assert said.count("|") == 1
    assert len(said.splitlines()) == 1
    assert said.endswith("\n")


def test_no_body_is_endless() -> None:
    assert len(message("€" * 100_000)) < 2000


def test_a_free_centre_is_0_and_columns_come_first() -> None:
    sent: Any = json.loads(told([scene(DEALT)], None, False).partition(b"|")[2])
    assert sent[2][2] == 0
    assert [column[0] for column in sent] == [1, 16, 31, 46, 61]
