"""Sic Bo's money always adds up, and its dice follow from the secret alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from gamehall.games.chance import Chance
from gamehall.games.game import Context
from gamehall.games.sicbo_events import Bet, CloseBetting, Reveal, Rolled
from gamehall.games.sicbo_layout import Side
from tests.games.sicbo_play import (
    GAME,
    OPEN_MS,
    Ledger,
    a_table,
    bet,
    do,
    finish,
    new,
    roll,
    walk_in,
)

SIDES: st.SearchStrategy[Side] = st.sampled_from(("BIG", "SMALL"))
AMOUNTS = st.integers(1, 10**12) | st.integers(1, 100)
BETS = st.lists(st.tuples(st.integers(0, 9), SIDES, AMOUNTS), max_size=30)
DICE = st.tuples(*[st.integers(1, 6)] * 3) | st.sampled_from(((1, 1, 1), (6, 6, 6)))

# Money


@given(BETS, DICE)
def test_everyone_gets_twice_the_winning_stake_and_nothing_else(
    bets: list[tuple[int, Side, int]], dice: tuple[int, int, int]
) -> None:
    state, ledger = new(bet_max=10**12), Ledger()
    staked: Counter[tuple[int, str]] = Counter()
    for seat, side, amount in bets:
        bet(state, seat, side, amount, ledger=ledger)
        staked[seat, side] += amount
    total = sum(staked.values())
    assert ledger.chips["pot"] == total
    spent = dict(ledger.chips)
    rolled, _ = roll(state, *dice, ledger=ledger)
    credited = {seat: ledger.chips[seat] - spent[seat] for seat in spent if seat != "pot"}
    for bettor, chips in credited.items():
        assert isinstance(bettor, int)
        assert chips == 2 * staked[bettor, rolled.result]
    assert ledger.chips["pot"] == 0
    assert ledger.lowest_pot == 0, "nothing is paid out of chips that are not there"
    assert ledger.chips["house"] == total - sum(credited.values())
    assert sum(ledger.chips.values()) == 0


@given(BETS)
def test_totals_are_those_of_the_bets(bets: list[tuple[int, Side, int]]) -> None:
    state = new(bet_max=10**12)
    for place, (seat, side, amount) in enumerate(bets, start=1):
        placed = bet(state, seat, side, amount)
        before = bets[:place]
        big, small = ([(s, a) for s, d, a in before if d == each] for each in ("BIG", "SMALL"))
        tally = placed.tally
        assert (tally.big, tally.small) == (sum(a for _, a in big), sum(a for _, a in small))
        assert tally.players_big == len({s for s, _ in big})
        assert tally.players_small == len({s for s, _ in small})
        assert tally.players == len({s for s, _, _ in before})
        assert placed.stake.big == sum(a for s, a in big if s == seat)
        assert placed.stake.small == sum(a for s, a in small if s == seat)
        assert state.tally == tally


@given(st.integers(0, 10**6), st.lists(BETS, min_size=1, max_size=4))
def test_at_a_table_the_pot_is_empty_after_every_round(
    seed: int, rounds: list[list[tuple[int, Side, int]]]
) -> None:
    table = a_table(seed, bet_max=10**12)
    owed: Counter[int] = Counter()
    for number, bets in enumerate(rounds, start=1):
        for player, side, amount in bets:
            walk_in(table, player, side, amount)
            owed[player] -= amount
        rolled = finish(table)
        for player, side, amount in bets:
            owed[player] += 2 * amount if side == rolled.result else 0
        assert table.chips[f"pot:{number}"] == 0
        assert all(table.chips[player] == chips for player, chips in owed.items())
        assert table.chips["house"] == -sum(owed.values())
        table.fire()


# Dice


def dice_of(secret: bytes, bets: Sequence[tuple[int, Side, int]] = (), late_ms: int = 0) -> Rolled:
    state = new(bet_max=10**12)
    for place, (seat, side, amount) in enumerate(bets):
        do(state, seat, Bet(side, amount), OPEN_MS + place)
    do(state, None, CloseBetting(), state.close_ms + late_ms)
    context = Context(state.reveal_ms + late_ms, Chance(secret))
    rolled = GAME.decide(state, None, Reveal(), context)[0]
    assert isinstance(rolled, Rolled)
    return rolled


@given(st.binary(min_size=32, max_size=32), BETS, st.integers(0, 10**6))
def test_neither_bets_nor_time_steer_the_dice(
    secret: bytes, bets: list[tuple[int, Side, int]], late_ms: int
) -> None:
    rolled = dice_of(secret, bets, late_ms)
    assert rolled == dice_of(secret)
    assert rolled.dice == tuple(n + 1 for n in Chance(secret).below("dice", 6, 6, 6))


@given(st.integers(0, 10**6), BETS, BETS)
def test_two_tables_with_one_secret_roll_the_same(
    seed: int, some: list[tuple[int, Side, int]], others: list[tuple[int, Side, int]]
) -> None:
    rolls = []
    for bets in (some, others):
        table = a_table(seed, bet_max=10**12)
        for player, side, amount in bets:
            table.at_ms += 7
            walk_in(table, player, side, amount)
        rolls.append(finish(table))
    assert rolls[0] == rolls[1]


def chi_square(counts: Counter[object], expected: dict[object, float]) -> float:
    assert set(counts) <= set(expected)
    return sum((counts[key] - mean) ** 2 / mean for key, mean in expected.items())


def test_over_many_secrets_the_dice_are_even() -> None:
    """The secrets are fixed, so this passes always or never. The bounds are those that chance
    would pass once in a thousand times."""
    rolls = [dice_of(hashlib.sha256(b"%d" % n).digest()).dice for n in range(21_600)]
    for place in range(3):
        counts: Counter[object] = Counter(dice[place] for dice in rolls)
        assert chi_square(counts, dict.fromkeys(range(1, 7), 3600)) < 20.5
    for first, second in ((0, 1), (0, 2), (1, 2)):
        counts = Counter((dice[first], dice[second]) for dice in rolls)
        assert chi_square(counts, dict.fromkeys(product(range(1, 7), repeat=2), 600)) < 66.6
    ways = Counter(sum(dice) for dice in product(range(1, 7), repeat=3))
    sums: Counter[object] = Counter(sum(dice) for dice in rolls)
    assert chi_square(sums, {total: 100 * count for total, count in ways.items()}) < 37.7
