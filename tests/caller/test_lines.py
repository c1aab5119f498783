"""What a player is told of a table's events, line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gamehall.games import house
from gamehall.games.bingo import BingoClaimed, Called, CardsDealt, Joined, Parted
from gamehall.games.game import Event, Outcome
from gamehall.wire.caller_lines import message, told

CARD = (*range(1, 6), *range(16, 21), 31, 32, 0, 34, 35, *range(46, 51), *range(61, 66))
NEW_CARD = (
    b"NEW_CARD|[[1,2,3,4,5],[16,17,18,19,20],[31,32,0,34,35],[46,47,48,49,50],[61,62,63,64,65]]\n"
)
CAN_START = b"MSG|A new round can be started with /start.\n"
B_WINS = b"MSG|b/b  has a bingo and wins the round.\n" + CAN_START
NOBODY_LEFT = b"MSG|Nobody is left in the round.\n" + CAN_START
PEOPLE = (house.Person(7, "anna"), house.Person(8, "b|b\u2028"))


def opened() -> house.Opened:
    chairs = tuple(house.Chair(seat, person) for seat, person in enumerate(PEOPLE))
    return house.Opened("bingo", {}, 2, "", "", "", chairs=chairs)


def ended(reason: str, *winners: int) -> house.RoundEnded:
    return house.RoundEnded(Outcome(winners, reason, again_ms=0), "", 0)


DEALT = CardsDealt(0, 2, {0: CARD})
FOR_OTHERS = CardsDealt(0, 2, {})
WON = (BingoClaimed(1), ended("bingo", 1), opened(), house.Started(0))


@pytest.mark.parametrize(
    ("events", "has_card", "lines", "has_card_after"),
    [
        ((house.Seated(1, PEOPLE[1]), Joined(1)), True, b"", True),
        ((house.Left(1, "left"), Parted(1)), True, b"", True),
        ((DEALT,), False, NEW_CARD, True),
        ((FOR_OTHERS,), False, b"", False),
        ((Called(7, 0), Called(75, 0)), True, b"CHECK_NUMBER|7\nCHECK_NUMBER|75\n", True),
        ((Called(7, 0),), False, b"", False),
        ((DEALT, Called(7, 0)), False, NEW_CARD + b"CHECK_NUMBER|7\n", True),
        (WON, True, B_WINS, False),
        (WON, False, B_WINS, False),
        ((*WON, DEALT), True, B_WINS + NEW_CARD, True),
        (
            (ended("all_called"), opened()),
            True,
            b"MSG|All numbers have been called. Nobody wins the round.\n" + CAN_START,
            False,
        ),
        ((ended("abandoned"), opened()), False, NOBODY_LEFT, False),
        (
            (house.RoundVoided("a|b\r\nc", "", 0, 1000), Called(7, 0)),
            True,
            b"MSG|The round has been called off: a/b c\n",
            False,
        ),
        ((house.Closed("fault"),), True, b"MSG|This table has been closed.\n", True),
    ],
)
def test_events(
    events: tuple[Event, ...], has_card: bool, lines: bytes, has_card_after: bool
) -> None:
    assert told(events, has_card) == (lines, has_card_after)


@pytest.mark.parametrize("sign", ["|", "\n", "\r\n", "\r", "\x0b", "\x85", "\u2028", "\x1e"])
def test_no_body_breaks_a_line(sign: str) -> None:
    said = message(f"a{sign}b{sign}").decode()
    assert said.count("|") == 1
    assert len(said.splitlines()) == 1
    assert said.endswith("\n")


def test_no_body_is_endless() -> None:
    assert len(message("€" * 100_000)) < 2000


def test_a_free_centre_is_0_and_columns_come_first() -> None:
    sent: Any = json.loads(told((DEALT,), False)[0].partition(b"|")[2])
    assert sent[2][2] == 0
    assert [column[0] for column in sent] == [1, 16, 31, 46, 61]
