"""Bets on the whole layout of Sic Bo: totals by side, several bets at once, and who sees what."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from gamehall.errors import TooMany
from gamehall.games import sicbo
from gamehall.games.sicbo_betting import OnSide, Stake, Tally
from gamehall.games.sicbo_events import (
    Bet,
    BetPlaced,
    BetsPlaced,
    BetWindowClosed,
    CloseBetting,
    InvalidAmount,
    OneBet,
    Paid,
    PlaceBets,
    RoundNotFound,
    Settled,
    placed_by,
)
from gamehall.games.sicbo_layout import ODDS, SIDES
from tests.games.sicbo_odds import returned
from tests.games.sicbo_play import (
    CLOSE_MS,
    GAME,
    Ledger,
    a_table,
    bet,
    do,
    finish,
    new,
    refusal,
    roll,
    walk_in,
)


def test_a_bet_on_another_side_tells_ones_own_and_the_totals() -> None:
    state = new()
    assert bet(state, 3, "SUM9", 40) == BetPlaced(
        3, 1, "SUM9", 40, Stake(0, 0, {"SUM9": 40}), Tally(0, 0, 1, 0, 0, 40)
    )
    assert bet(state, 3, "BIG", 5) == BetPlaced(
        3, 2, "BIG", 5, Stake(5, 0, {"SUM9": 40}), Tally(5, 0, 1, 1, 0, 40)
    )
    assert bet(state, 4, "SUM9", 2) == BetPlaced(
        4, 3, "SUM9", 2, Stake(0, 0, {"SUM9": 2}), Tally(5, 0, 2, 1, 0, 42)
    )
    assert bet(state, 4, "LEO6", 1).stake == Stake(0, 0, {"SUM9": 2, "LEO6": 1})
    bet(state, 3, "SUM9", 8)
    view = GAME.view(state, 3)
    assert view.sides == {"SUM9": OnSide(50, 2), "LEO6": OnSide(1, 1)}
    assert view.stake == Stake(5, 0, {"SUM9": 48})
    assert view.odds == ODDS
    assert GAME.glance(state) == {"tally": Tally(5, 0, 2, 1, 0, 51), "sides": view.sides}


def test_what_lies_on_the_sides_is_told_when_betting_closes() -> None:
    state = new()
    bet(state, 0, "DICE1SG", 7)
    (closed,) = do(state, None, CloseBetting(), CLOSE_MS)
    assert closed.sides == {"DICE1SG": OnSide(7, 1)}


def test_rows_of_bets_on_big_and_small_are_what_they_always_were() -> None:
    state = new()
    assert msgspec.json.encode(bet(state, 0, "BIG", 5)) == (
        b'{"type":"bet_placed","seat":0,"bet":1,"side":"BIG","amount":5,'
        b'"stake":{"big":5,"small":0},'
        b'"tally":{"big":5,"small":0,"players":1,"players_big":1,"players_small":0}}'
    )
    (closed,) = do(state, None, CloseBetting(), CLOSE_MS)
    assert b"sides" not in msgspec.json.encode(closed)


def test_a_bet_is_a_small_row_however_many_sides_have_bets() -> None:
    state = new()
    for seat in range(100):
        do(state, seat, PlaceBets(tuple(OneBet(side, 1000) for side in SIDES)))
    assert len(msgspec.json.encode(bet(state, 100, "SUM9", 1000))) < 250


@pytest.mark.parametrize("dice", [(1, 1, 1), (6, 6, 6), (3, 3, 3), (2, 5, 2), (1, 2, 4), (6, 5, 6)])
def test_every_side_is_paid_by_its_odds(dice: tuple[int, int, int]) -> None:
    state, ledger = new(), Ledger()
    amounts = {side: 10 + n for n, side in enumerate(SIDES)}
    for side, amount in amounts.items():
        bet(state, 0, side, amount, ledger=ledger)
    staked = sum(amounts.values())
    assert ledger.chips == {0: -staked, "pot": staked}
    _, settled = roll(state, *dice, ledger=ledger)
    expected = [returned(side, amount, dice) for side, amount in amounts.items()]
    assert settled == Settled({0: tuple(Paid(n, each) for n, each in enumerate(expected, 1))})
    assert ledger.chips[0] == sum(expected) - staked
    assert (ledger.chips["pot"], ledger.chips["house"]) == (0, -ledger.chips[0])
    assert ledger.lowest_pot == 0


# Several at once


def several(*bets: tuple[Any, int], round: int | None = None) -> PlaceBets:
    return PlaceBets(tuple(OneBet(side, amount) for side, amount in bets), round)


def test_several_bets_are_as_one_after_the_other() -> None:
    rng = Random(17)
    for _ in range(50):
        one_by_one, together = new(), new()
        for seat in (0, 1, 0, 2):
            bets = [(rng.choice(SIDES), rng.randint(1, 9)) for _ in range(rng.randint(1, 8))]
            single = [bet(one_by_one, seat, side, amount) for side, amount in bets]
            events = do(together, seat, several(*bets))
            assert len(events) == 1, "they are one event"
            assert list(placed_by(events)) == single
        assert together == one_by_one


def test_several_bets_are_one_payment() -> None:
    state, ledger = new(), Ledger()
    (placed,) = do(state, 0, several(("BIG", 5), ("BIG", 7), ("LEO1", 1)), ledger=ledger)
    assert placed == BetsPlaced(
        0,
        1,
        (OneBet("BIG", 5), OneBet("BIG", 7), OneBet("LEO1", 1)),
        Stake(12, 0, {"LEO1": 1}),
        Tally(12, 0, 1, 1, 0, 1),
    )
    assert ledger.chips == {0: -13, "pot": 13}
    assert GAME.seen(placed, 0) == placed
    assert GAME.seen(placed, 1) is None
    assert tuple(GAME.insiders(placed)) == (0,)


def test_all_of_them_or_none() -> None:
    state = new(round=4, bet_max=100)
    for amount in (0, -1, 101):
        refused = refusal(state, 0, several(("BIG", 5), ("SUM4", amount)))
        assert isinstance(refused, InvalidAmount)
    assert isinstance(refusal(state, 0, several(("BIG", 5), round=3)), BetWindowClosed)
    assert isinstance(refusal(state, 0, several(("BIG", 5), round=5)), RoundNotFound)
    assert isinstance(refusal(state, 0, several(("BIG", 5)), CLOSE_MS), BetWindowClosed)
    assert state == new(round=4, bet_max=100)


def test_several_bets_have_the_bounds_of_single_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sicbo, "BETS_MAX", 3)
    monkeypatch.setattr(sicbo, "ROUND_BETS_MAX", 4)
    state = new()
    bet(state, 0, "BIG", 1)
    assert isinstance(refusal(state, 0, several(*[("BIG", 1)] * 3)), TooMany)
    do(state, 0, several(("BIG", 1), ("ODD", 1)))
    assert isinstance(refusal(state, 1, several(("BIG", 1), ("ODD", 1))), TooMany)
    do(state, 1, several(("BIG", 1)))


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"place_bets","bets":[]}',
        b'{"type":"place_bets","bets":[{"side":"SUM3","amount":5}]}',
        b'{"type":"place_bets","bets":[{"side":"BIG","amount":5.5}]}',
        b'{"type":"place_bets","bets":[{"side":"BIG","amount":5,"round":1}]}',
        b'{"type":"place_bets","bets":[' + b",".join([b'{"side":"BIG","amount":5}'] * 1001) + b"]}",
    ],
)
def test_what_is_no_list_of_bets_is_not_read_as_one(line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Bet | PlaceBets)


def test_rounds_before_have_the_chips_of_all_sides_in_their_total() -> None:
    table = a_table()
    walk_in(table, 1, "BIG", 10)
    walk_in(table, 1, "SUM9", 20)
    table.walk_in(2, several(("ODD", 5), ("ODD", 7)))
    finish(table)
    table.fire()
    (past,) = GAME.view(table.state.game, None).history
    assert past.tally == Tally(10, 0, 2, 1, 0, 32)
    assert past.tally.total == 42
    assert table.state.game.sides == {}
