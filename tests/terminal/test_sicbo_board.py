"""The board of Sic Bo in a terminal: every side can be bet on, and is told with its odds."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from gamehall.games.sicbo import State
from gamehall.games.sicbo_events import OneBet, PlaceBets
from gamehall.terminal.boards import board_of
from gamehall.terminal.boards.board import Board, Unclear, drawn
from gamehall.terminal.words import Speaker
from tests.games.sicbo_play import GAME, bet, do, new, roll

PANE_COLUMNS = 51
"""What a screen of 80 columns has for the board."""
TYPED = {
    "big 5": ("BIG", 5),
    "even 1,000": ("EVEN", 1000),
    "sum 9 5000": ("SUM9", 5000),
    "sum17 5000": ("SUM17", 5000),
    "triple 3 70": ("LEO3", 70),
    "any triple 70": ("ANY_LEO", 70),
    "double 6 70": ("DICE6DB", 70),
    "number 1 70": ("DICE1SG", 70),
    "pair 1 2 70": ("DICE12", 70),
    "pair 5+6 70": ("DICE56", 70),
    "leo3 70": ("LEO3", 70),
    "dice4db 70": ("DICE4DB", 70),
}


def board(state: State, seat: int | None = None) -> Board:
    view = msgspec.to_builtins(GAME.view(state, seat))
    return board_of({"game": "sicbo", "view": view})


def offered(shown: Board) -> list[dict[str, Any]]:
    return [spot.command for row in shown.rows for spot in row if spot.command is not None]


def test_every_side_can_be_chosen_and_fits() -> None:
    shown = board(new())
    commands = offered(shown)
    assert {each["side"] for each in commands} == set(GAME.view(new(), None).odds)
    assert len({each["side"] for each in commands}) == 52
    assert all(each["type"] == "bet" and each["round"] == 1 for each in commands)
    lines = list(drawn(shown))
    assert max(map(len, lines)) <= PANE_COLUMNS
    said = re.sub(" +", " ", "\n".join(lines))
    for odds in (
        "BIG 1:1",
        "TRIPLE 180:1",
        "any 30:1",
        "DOUBLE 10:1",
        "NUMBER 1/2/3:1",
        "PAIR 5:1",
    ):
        assert odds in said
    assert "SUM 4 5 6 7 8 9 10\n pays, to 1 60 30 17 12 8 6 6\n" in said
    assert "SUM 11 12 13 14 15 16 17\n pays, to 1 6 6 8 12 17 30 60\n" in said


@pytest.mark.parametrize("typed", TYPED)
def test_a_typed_bet(typed: str) -> None:
    side, amount = TYPED[typed]
    command = {"type": "bet", "side": side, "amount": amount, "round": 1}
    assert board(new()).read(typed) == command


@pytest.mark.parametrize("typed", ["sum 4", "pair 1 2", "big", "big many", "sum 9 -5"])
def test_an_amount_is_asked_for(typed: str) -> None:
    with pytest.raises(Unclear, match="How many chips"):
        board(new()).read(typed)


@pytest.mark.parametrize("typed", ["sum 3 500", "triple 7 500", "pair 2 1 500", "sum 1e3"])
def test_there_is_no_such_side(typed: str) -> None:
    with pytest.raises(Unclear, match="Which side"):
        board(new()).read(typed)


def test_what_is_no_bet_is_nothing() -> None:
    assert board(new()).read("dance 5000") is None


def test_stakes_totals_and_winners_are_marked() -> None:
    state = new()
    bet(state, 0, "SUM6", 300)
    bet(state, 0, "DICE12", 20)
    bet(state, 1, "SUM6", 1000)
    lines = list(drawn(board(state, 0)))
    assert "Your bets: SUM 6 300, PAIR 1+2 20" in lines
    assert "All bets: SUM 6 1,300 by 2, PAIR 1+2 20 by 1" in lines
    assert any("( 6)" in line for line in lines)
    assert any("(1+2)" in line for line in lines)
    roll(state, 1, 1, 4)
    shown = board(state, 0)
    assert offered(shown) == []
    lines = list(drawn(shown))
    assert "Dice: 1 1 4, together 6: SMALL" in lines
    assert "This round brought you 5,400 chips." in lines
    won = re.findall(r"\*([^*]+)\*", "\n".join(lines))
    assert [each.strip() for each in won] == ["SMALL 1:1", "EVEN 1:1", "6", "1", "1", "4", "1+4"]


def test_with_many_sides_the_largest_are_told() -> None:
    state = new()
    for n in range(4, 14):
        bet(state, 0, f"SUM{n}", n)  # type: ignore[arg-type]
    (said,) = [line for line in drawn(board(state)) if line.startswith("All bets")]
    assert said.startswith("All bets: SUM 13 13 by 1, SUM 12 12 by 1, ")
    assert said.endswith("SUM 8 8 by 1 and 4 sides more")


def test_bets_placed_together_are_told_together() -> None:
    state = new()
    (placed,) = do(state, 0, PlaceBets((OneBet("BIG", 5000), OneBet("LEO1", 10))))
    told = Speaker({0: "Ann"}, 0, "sicbo").event(msgspec.to_builtins(placed))
    assert told == "You bet 5,000 on BIG and 10 on TRIPLE 1."
