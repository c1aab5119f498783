"""Sic Bo, as people see it: views, events, what is legal, the generic drawing."""

from __future__ import annotations

import msgspec
import pytest

from gamehall.games.game import Event
from gamehall.games.sicbo import CHIPS
from gamehall.games.sicbo_betting import NO_STAKE, NO_TALLY, PlacedBet, Stake, Tally
from gamehall.games.sicbo_events import Bet, BettingClosed, CloseBetting, Paid, Rolled, Settled
from gamehall.games.sicbo_layout import SIDES, Side
from tests.games.sicbo_play import CLOSE_MS, GAME, OPEN_MS, bet, do, new, roll


def test_a_view_shows_the_totals_and_ones_own_bets_alone() -> None:
    state = new()
    bet(state, 0, "BIG", 1000)
    bet(state, 1, "SMALL", 7)
    bet(state, 0, "SMALL", 30)
    ann, ben, cleo, nobody = (GAME.view(state, seat) for seat in (0, 1, 2, None))
    assert (ann.stake, ben.stake) == (Stake(1000, 30), Stake(0, 7))
    assert ann.bets == (PlacedBet(1, "BIG", 1000), PlacedBet(3, "SMALL", 30))
    assert ben.bets == (PlacedBet(2, "SMALL", 7),)
    assert cleo == nobody
    assert (nobody.stake, nobody.bets) == (NO_STAKE, ())
    for view in (ann, ben, cleo):
        assert view.tally == Tally(1000, 37, 2, 1, 2)
        assert msgspec.structs.replace(view, stake=NO_STAKE, bets=()) == nobody


def test_a_view_has_the_dice_when_they_are_rolled() -> None:
    state = new(round=4)
    do(state, None, CloseBetting(), CLOSE_MS)
    before = GAME.view(state, None)
    assert (before.dice, before.sum, before.result) == ((), 0, None)
    assert (before.round, before.open_ms, before.close_ms) == (4, OPEN_MS, CLOSE_MS)
    state = new(round=4)
    roll(state, 2, 5, 2)
    after = GAME.view(state, None)
    assert (after.dice, after.sum, after.result) == ((2, 5, 2), 9, "SMALL")


def test_seen_and_insiders_agree() -> None:
    state = new()
    placed = bet(state, 1, "BIG", 10)
    bet(state, 2, "SMALL", 20)
    rolled, settled = roll(state, 6, 6, 5)
    assert settled is not None
    closed = BettingClosed(CLOSE_MS, Tally(10, 20, 2, 1, 1))
    for event, insiders in ((placed, {1}), (closed, set()), (rolled, set()), (settled, {1, 2})):
        assert set(GAME.insiders(event)) == insiders
        for seat in (0, 1, 2, 3):
            seen = GAME.seen(event, seat)
            assert (seen != GAME.seen(event, None)) == (seat in insiders)


@pytest.mark.parametrize(
    "event", [BettingClosed(CLOSE_MS, NO_TALLY), Rolled((1, 2, 3), 6, "SMALL")]
)
def test_close_and_dice_are_everyones(event: Event) -> None:
    assert all(GAME.seen(event, seat) is event for seat in (None, 0, 5))


def test_bets_and_payouts_are_ones_own() -> None:
    state = new()
    placed = bet(state, 1, "BIG", 10)
    assert [GAME.seen(placed, seat) for seat in (None, 0, 1)] == [None, None, placed]
    settled = Settled({1: (Paid(1, 20),), 4: (Paid(2, 0), Paid(3, 8))})
    assert GAME.seen(settled, None) is None
    assert GAME.seen(settled, 0) is None
    assert GAME.seen(settled, 1) == Settled({1: (Paid(1, 20),)})
    assert GAME.seen(settled, 4) == Settled({4: (Paid(2, 0), Paid(3, 8))})


@pytest.mark.parametrize(
    ("bet_max", "chips"),
    [(10**6, CHIPS), (60_000, CHIPS), (35_000, (10_000, 20_000, 30_000)), (9_999, (9_999,))],
)
def test_chips_that_are_offered_may_be_bet(bet_max: int, chips: tuple[int, ...]) -> None:
    state = new(round=2, bet_max=bet_max)
    assert GAME.view(state, None).chips == chips
    halves: tuple[Side, ...] = ("BIG", "SMALL", "ODD", "EVEN")
    listed = list(GAME.legal(state, 9))
    many = len(halves) * len(chips)
    assert listed[:many] == [Bet(side, c, 2) for side in halves for c in chips]
    # On the many others only one amount is listed, though any may be bet.
    assert listed[many:] == [Bet(side, chips[0], 2) for side in SIDES if side not in halves]


def test_nothing_is_legal_once_betting_has_closed() -> None:
    state = new()
    do(state, None, CloseBetting(), CLOSE_MS)
    assert not list(GAME.legal(state, 0))


@pytest.mark.parametrize("wire", [False, True])
def test_the_drawing_is_made_for_clicking(wire: bool) -> None:
    state = new(round=3)
    bet(state, 0, "SMALL", 500)
    bet(state, 1, "EVEN", 70)
    view: object = GAME.view(state, 0)
    if wire:
        view = msgspec.json.decode(msgspec.json.encode(view))
    picture = GAME.picture(view)
    assert [row[0].label for row in picture.rows[:4]] == ["BIG 0", "SMALL 500", "ODD 0", "EVEN 70"]
    assert [row[0].label for row in picture.rows[4:]] == [
        *("LEO1 180:1", "SUM4 60:1", "SUM11 6:1", "DICE1SG 1/2/3:1", "DICE1DB 10:1"),
        *("DICE12 5:1", "DICE23 5:1", "DICE35 5:1"),
    ]
    clicks = [cell.command for row in picture.rows for cell in row if cell.command is not None]
    assert clicks == list(GAME.legal(state, 0))
    assert "Round 3" in picture.caption
    roll(state, 3, 5, 6)
    picture = GAME.picture(GAME.view(state, 0))
    assert "3 5 6 = 14: BIG" in picture.caption
    assert not any(cell.command for row in picture.rows for cell in row)


def test_it_says_that_it_is_play_money() -> None:
    assert "Play money" in GAME.picture(GAME.view(new(), None)).caption
