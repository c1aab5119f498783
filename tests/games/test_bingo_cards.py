"""The cards of called Bingo: how they are made, and what is a line on them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamehall.games.bingo import BingoClaimed, CardsDealt, Claim, Deal, NoBingo, columns, dealt_card
from gamehall.games.chance import Chance
from tests.games.bingo_play import HIGHEST, LOWEST, Hand, naive_bingo

SECRET = bytes(range(32))
COLUMNS = [range(1, 16), range(16, 31), range(31, 46), range(46, 61), range(61, 76)]


# How a card is made


@given(st.binary(min_size=32, max_size=32), st.integers(0, 9_999), st.booleans())
def test_a_card_has_five_sorted_numbers_of_each_column(
    secret: bytes, seat: int, free: bool
) -> None:
    card = dealt_card(Chance(secret), seat, free)
    assert len(card) == 25
    for place, (column, numbers) in enumerate(zip(columns(card), COLUMNS, strict=True)):
        own = [n for n in column if n]
        assert own == sorted(set(own))
        assert set(own) <= set(numbers)
        assert column.count(0) == (free and place == 2)
    assert (columns(card)[2][2] == 0) is free


def test_cards_as_they_were_always_dealt() -> None:
    """docs/fairness.md has them too: finished rounds must verify for ever."""
    assert columns(dealt_card(Chance(SECRET), 0, True)) == (
        (1, 2, 4, 7, 8),
        (17, 18, 19, 20, 23),
        (31, 33, 0, 41, 42),
        (48, 50, 56, 57, 58),
        (61, 65, 68, 72, 75),
    )
    assert columns(dealt_card(Chance(SECRET), 7, False)) == (
        (4, 5, 7, 10, 12),
        (18, 19, 23, 26, 27),
        (31, 37, 38, 41, 44),
        (47, 49, 52, 55, 56),
        (63, 64, 70, 72, 75),
    )


def test_a_free_centre_changes_nothing_else() -> None:
    for seat in range(50):
        free, full = (dealt_card(Chance(SECRET), seat, centre) for centre in (True, False))
        assert [n for place, n in enumerate(full) if place != 12] == [n for n in free if n]


def test_a_card_follows_from_the_secret_and_the_seat_alone() -> None:
    two, three = Hand(cards={0: LOWEST, 1: HIGHEST}), Hand(cards={0: LOWEST, 1: HIGHEST, 5: LOWEST})
    two.chance = three.chance = Chance(SECRET)
    three.at_ms += 77
    first, second = two.deal().state.cards, three.deal().state.cards
    assert {seat: second[seat] for seat in first} == first
    assert first == {seat: dealt_card(Chance(SECRET), seat, True) for seat in (0, 1)}
    assert len(set(second.values())) == 3


def test_every_number_is_as_likely() -> None:
    seen = Counter(n for seat in range(600) for n in dealt_card(Chance(SECRET), seat, False))
    assert set(seen) == set(range(1, 76))
    assert 140 < min(seen.values()) < max(seen.values()) < 260, "200 are expected of each"


def test_what_is_scripted_in_these_tests() -> None:
    (dealt,) = Hand().do(0, Deal())
    assert isinstance(dealt, CardsDealt)
    assert columns(dealt.cards[0]) == (
        (1, 2, 3, 4, 5),
        (16, 17, 18, 19, 20),
        (31, 32, 0, 34, 35),
        (46, 47, 48, 49, 50),
        (61, 62, 63, 64, 65),
    )
    assert columns(dealt.cards[1])[0] == (11, 12, 13, 14, 15)


# What is a line

LINES = {
    "first row": (1, 16, 31, 46, 61),
    "second row": (2, 17, 32, 47, 62),
    "third row": (3, 18, 33, 48, 63),
    "fourth row": (4, 19, 34, 49, 64),
    "fifth row": (5, 20, 35, 50, 65),
    "B": (1, 2, 3, 4, 5),
    "I": (16, 17, 18, 19, 20),
    "N": (31, 32, 33, 34, 35),
    "G": (46, 47, 48, 49, 50),
    "O": (61, 62, 63, 64, 65),
    "down": (1, 17, 33, 49, 65),
    "up": (5, 19, 33, 47, 61),
}
"""On the card with the lowest numbers, by hand."""
CENTRE = 33


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize("name", LINES)
def test_each_line_wins_with_its_last_number_and_not_before(name: str, free: bool) -> None:
    line = [n for n in LINES[name] if not (free and n == CENTRE)]
    for last in line:
        hand = Hand([*(n for n in line if n != last), last], free_centre=free).deal()
        hand.call(len(line) - 1)
        assert not hand.state.has_bingo(0)
        assert hand.refusal(0, Claim()) is NoBingo
        hand.call()
        assert hand.state.has_bingo(0)
        assert not hand.state.has_bingo(1), "none of these numbers is on the other card"
        assert hand.do(0, Claim()) == (BingoClaimed(0),)


MISSING = (1, 18, 35, 47, 64)
"""One number of each row, column and diagonal, none of them the centre."""


@pytest.mark.parametrize("free", [True, False])
def test_seventy_numbers_can_be_too_few(free: bool) -> None:
    assert all(set(MISSING) & set(line) for line in LINES.values())
    others = [n for n in range(1, 76) if n not in MISSING]
    for last in MISSING:
        hand = Hand([*others, last], cards={0: LOWEST}, free_centre=free).deal()
        hand.call(70)
        assert not hand.state.has_bingo(0)
        assert hand.call().state.has_bingo(0)


def test_five_that_are_no_line_do_not_win() -> None:
    for numbers in ((1, 16, 31, 46, 62), (1, 2, 3, 4, 16), (2, 18, 34, 50, 61), (1, 5, 61, 65, 34)):
        assert not Hand(numbers).deal().call(5).state.has_bingo(0)


@given(st.binary(min_size=8, max_size=8), st.integers(0, 75), st.booleans())
def test_bingo_is_what_a_naive_judge_says(seed: bytes, calls: int, free: bool) -> None:
    chance = Chance(seed)
    hand = Hand(chance.shuffled("order", range(1, 76))[:calls], free_centre=free)
    hand.state.cards = {0: dealt_card(chance, 0, free)}
    hand.state.playing = {0}
    hand.call(calls)
    assert hand.state.has_bingo(0) is naive_bingo(hand.state.cards[0], hand.state.called)
