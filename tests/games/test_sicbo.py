"""Sic Bo, by tables worked out by hand: results, payouts, bets, limits, the clock."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from gamehall.errors import IllegalCommand, TooMany
from gamehall.games import GAMES, sicbo
from gamehall.games.game import Command, Outcome, Timer
from gamehall.games.sicbo_betting import Stake, Tally
from gamehall.games.sicbo_events import (
    Bet,
    BetPlaced,
    BettingClosed,
    BetWindowClosed,
    CloseBetting,
    InvalidAmount,
    Paid,
    Reveal,
    Rolled,
    RoundNotFound,
    Settled,
)
from gamehall.games.sicbo_layout import Result
from gamehall.table_log.house import Close
from tests.games.sicbo_play import (
    CLOSE_MS,
    GAME,
    OPEN_MS,
    REVEAL_MS,
    Ledger,
    bet,
    do,
    new,
    refusal,
    roll,
)


def test_it_is_a_game_of_the_house() -> None:
    assert [game.name for game in GAMES].count("sicbo") == 1


# Results and payouts

EVERY_SUM: list[tuple[int, tuple[int, int, int], Result]] = [
    (3, (1, 1, 1), "NONE"),
    (4, (1, 2, 1), "SMALL"),
    (5, (2, 2, 1), "SMALL"),
    (6, (2, 2, 2), "SMALL"),
    (7, (1, 1, 5), "SMALL"),
    (8, (6, 1, 1), "SMALL"),
    (9, (2, 5, 2), "SMALL"),
    (10, (6, 3, 1), "SMALL"),
    (11, (5, 5, 1), "BIG"),
    (12, (4, 4, 4), "BIG"),
    (13, (6, 1, 6), "BIG"),
    (14, (3, 5, 6), "BIG"),
    (15, (5, 5, 5), "BIG"),
    (16, (6, 6, 4), "BIG"),
    (17, (5, 6, 6), "BIG"),
    (18, (6, 6, 6), "NONE"),
]
BROUGHT = {
    # Seat 0 has 1000 on BIG; seat 1 has 700 on SMALL; seat 2 has 300 on BIG and 500 on SMALL.
    "BIG": ({0: 2000, 1: 0, 2: 600}, -100),
    "SMALL": ({0: 0, 1: 1400, 2: 1000}, 100),
    "NONE": ({0: 0, 1: 0, 2: 0}, 2500),
}
"""What each seat is credited, and what the house gains."""


@pytest.mark.parametrize(("total", "dice", "result"), EVERY_SUM)
def test_every_sum_has_its_result_and_its_payouts(
    total: int, dice: tuple[int, int, int], result: Result
) -> None:
    state, ledger = new(), Ledger()
    bet(state, 0, "BIG", 1000, ledger=ledger)
    bet(state, 1, "SMALL", 700, ledger=ledger)
    bet(state, 2, "BIG", 300, ledger=ledger)
    bet(state, 2, "SMALL", 500, ledger=ledger)
    assert ledger.chips == {0: -1000, 1: -700, 2: -800, "pot": 2500}
    rolled, settled = roll(state, *dice, ledger=ledger)
    assert rolled == Rolled(dice, total, result)
    assert settled is not None
    credited, house = BROUGHT[result]
    brought = {seat: sum(p.chips for p in paid) for seat, paid in settled.payouts.items()}
    assert brought == credited
    stakes = {0: 1000, 1: 700, 2: 800}
    assert {seat: ledger.chips[seat] + stakes[seat] for seat in stakes} == credited
    assert (ledger.chips["pot"], ledger.chips["house"]) == (0, house)
    assert ledger.lowest_pot == 0
    assert GAME.outcome(state) == Outcome((), result.lower(), again_ms=5000)


def test_every_roll_is_on_the_side_of_its_sum() -> None:
    counts = {"BIG": 0, "SMALL": 0, "NONE": 0}
    by_sum = {total: result for total, _, result in EVERY_SUM}
    for dice in product(range(1, 7), repeat=3):
        rolled, settled = roll(new(), *dice)
        assert (rolled.dice, rolled.sum, rolled.result) == (dice, sum(dice), by_sum[sum(dice)])
        assert settled is None, "nobody has bet"
        counts[rolled.result] += 1
    assert counts == {"BIG": 107, "SMALL": 107, "NONE": 2}


def test_each_bet_of_a_player_is_paid_by_itself() -> None:
    state = new()
    for side, amount in (("BIG", 10), ("BIG", 25), ("SMALL", 7), ("BIG", 1)):
        do(state, 4, Bet(side, amount))  # type: ignore[arg-type]
    _, settled = roll(state, 6, 5, 3)
    assert settled == Settled({4: (Paid(1, 20), Paid(2, 50), Paid(3, 0), Paid(4, 2))})
    view = GAME.view(state, 4)
    assert [(placed.bet, placed.paid) for placed in view.bets] == [(1, 20), (2, 50), (3, 0), (4, 2)]


def test_the_house_takes_what_is_over_and_adds_what_is_short() -> None:
    for dice, house in (((5, 5, 4), -400), ((1, 2, 3), 400)):
        state, ledger = new(), Ledger()
        bet(state, 0, "BIG", 400, ledger=ledger)
        roll(state, *dice, ledger=ledger)
        assert ledger.chips == {0: -house, "pot": 0, "house": house}
    # Where both sides are equal, the house has no part in it.
    state, ledger = new(), Ledger()
    bet(state, 0, "BIG", 400, ledger=ledger)
    bet(state, 1, "SMALL", 400, ledger=ledger)
    roll(state, 5, 5, 4, ledger=ledger)
    assert ledger.chips == {0: 400, 1: -400, "pot": 0}
    assert "house" not in ledger.chips


# Bets


def test_a_bet_tells_its_number_and_the_totals() -> None:
    state = new()
    assert bet(state, 3, "BIG", 1000) == BetPlaced(
        3, 1, "BIG", 1000, Stake(1000, 0), Tally(1000, 0, 1, 1, 0)
    )
    assert bet(state, 3, "BIG", 500) == BetPlaced(
        3, 2, "BIG", 500, Stake(1500, 0), Tally(1500, 0, 1, 1, 0)
    )
    # On both sides now: one player, counted once on each side and once in all.
    assert bet(state, 3, "SMALL", 200) == BetPlaced(
        3, 3, "SMALL", 200, Stake(1500, 200), Tally(1500, 200, 1, 1, 1)
    )
    assert bet(state, 8, "SMALL", 50) == BetPlaced(
        8, 4, "SMALL", 50, Stake(0, 50), Tally(1500, 250, 2, 1, 2)
    )
    assert bet(state, 3, "SMALL", 1).tally == Tally(1500, 251, 2, 1, 2)
    assert GAME.view(state, None).tally == Tally(1500, 251, 2, 1, 2)


def test_a_bet_may_name_the_round_that_is_open() -> None:
    state = new(round=7)
    do(state, 0, Bet("BIG", 5, 7))
    for round in (1, 6):
        assert isinstance(refusal(state, 0, Bet("BIG", 5, round)), BetWindowClosed)
    for round in (0, -1, 8, 2**70):
        assert isinstance(refusal(state, 0, Bet("BIG", 5, round)), RoundNotFound)
    do(state, None, CloseBetting(), CLOSE_MS)
    assert isinstance(refusal(state, 0, Bet("BIG", 5, 7), CLOSE_MS), BetWindowClosed)
    assert isinstance(refusal(state, 0, Bet("BIG", 5, 8), CLOSE_MS), RoundNotFound)


@pytest.mark.parametrize("amount", [1, 999, 1000])
def test_amounts_up_to_the_limit(amount: int) -> None:
    state = new(bet_max=1000)
    assert bet(state, 0, "BIG", amount).amount == amount


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0, "at least 1"), (-5, "at least 1"), (1001, "at most 1000"), (2**70, "at most 1000")],
)
def test_other_amounts_are_refused_and_told_why(amount: int, words: str) -> None:
    refused = refusal(new(bet_max=1000), 0, Bet("BIG", amount))
    assert isinstance(refused, InvalidAmount)
    assert words in str(refused)


def test_the_limit_is_for_one_bet() -> None:
    state = new(bet_max=1000)
    for _ in range(3):
        bet(state, 0, "BIG", 1000)
    assert GAME.view(state, 0).stake == Stake(3000, 0)


def test_a_seat_has_a_bounded_number_of_bets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sicbo, "BETS_MAX", 3)
    state = new()
    for _ in range(3):
        assert list(GAME.legal(state, 0))
        bet(state, 0, "SMALL", 1)
    assert isinstance(refusal(state, 0, Bet("SMALL", 1)), TooMany)
    assert not list(GAME.legal(state, 0))
    bet(state, 1, "SMALL", 1)


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"bet","side":"big","amount":5}',
        b'{"type":"bet","side":"NONE","amount":5}',
        b'{"type":"bet","side":"BIG","amount":5.0}',
        b'{"type":"bet","side":"BIG","amount":"5"}',
        b'{"type":"bet","side":"BIG","amount":true}',
        b'{"type":"bet","side":"BIG","amount":null}',
        b'{"type":"bet","side":"BIG"}',
        b'{"type":"bet","side":"BIG","amount":5,"round":"R1"}',
        b'{"type":"bet","side":"BIG","amount":5,"seat":1}',
    ],
)
def test_what_is_no_bet_is_not_read_as_one(line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Bet)


# The clock


def test_betting_closes_by_the_clock_even_before_the_timer_rings() -> None:
    state = new()
    bet(state, 0, "BIG", 5, at_ms=CLOSE_MS - 1)
    assert isinstance(refusal(state, 0, Bet("BIG", 5), CLOSE_MS), BetWindowClosed)
    assert isinstance(refusal(state, 0, Bet("BIG", 5), CLOSE_MS + 60_000), BetWindowClosed)


def test_timers_and_statuses_follow_each_other() -> None:
    state = new()
    bet(state, 0, "SMALL", 20)
    assert GAME.view(state, None).status == "BETTING_OPEN"
    assert GAME.timer(state) == Timer(CLOSE_MS, CloseBetting())
    (closed,) = do(state, None, CloseBetting(), CLOSE_MS)
    assert closed == BettingClosed(CLOSE_MS, Tally(0, 20, 1, 0, 1))
    assert GAME.view(state, None).status == "BETTING_CLOSE"
    assert GAME.timer(state) == Timer(REVEAL_MS, Reveal())
    assert GAME.outcome(state) is None
    do(state, None, Reveal(), REVEAL_MS, dice=(1, 1, 4))
    assert GAME.view(state, None).status == "FINISH"
    assert GAME.timer(state) is None
    assert isinstance(refusal(state, 0, Bet("BIG", 5), REVEAL_MS), BetWindowClosed)


def test_a_close_that_comes_late_puts_the_reveal_off() -> None:
    state = new()
    do(state, None, CloseBetting(), CLOSE_MS + 700)
    assert GAME.timer(state) == Timer(REVEAL_MS + 700, Reveal())


def test_durations_are_options_with_fractions() -> None:
    state = new(betting_seconds=0.25, reveal_seconds=0.1, pause_seconds=0.05)
    assert (state.open_ms, state.close_ms) == (OPEN_MS, OPEN_MS + 250)
    do(state, None, CloseBetting(), OPEN_MS + 250)
    assert GAME.timer(state) == Timer(OPEN_MS + 350, Reveal())
    do(state, None, Reveal(), OPEN_MS + 350)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.again_ms == 50


def test_the_next_round_is_never_in_the_row_that_ends_one() -> None:
    state = new(pause_seconds=0)
    roll(state, 1, 2, 3)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.again_ms == 1


@pytest.mark.parametrize(
    ("seat", "command"),
    [
        (None, Bet("BIG", 5)),
        (0, CloseBetting()),
        (0, Reveal()),
        (None, Reveal()),
        (0, Close("test")),
    ],
)
def test_who_may_not_send_what(seat: int | None, command: Command) -> None:
    assert isinstance(refusal(new(), seat, command, CLOSE_MS), IllegalCommand)


def test_nothing_rolls_twice() -> None:
    state = new()
    do(state, None, CloseBetting(), CLOSE_MS)
    assert isinstance(refusal(state, None, CloseBetting(), CLOSE_MS), IllegalCommand)
    do(state, None, Reveal(), REVEAL_MS)
    assert isinstance(refusal(state, None, Reveal(), REVEAL_MS), IllegalCommand)
