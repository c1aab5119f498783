"""Called Bingo waits for the slowest, but not for ever: who is ready, who is away."""

from __future__ import annotations

from typing import Any

import pytest

from gamehall.games.bingo import Call, Called, Parted, Ready
from tests.games.bingo_play import GAME, LOWEST, OPEN_MS, PAUSE_MS, READY_MS, Hand, naive_bingo

FIRST_ROW = (1, 16, 31, 46, 61)


# Waiting for the slowest


def test_the_first_number_comes_after_the_pause() -> None:
    hand = Hand().deal()
    assert hand.due_ms == OPEN_MS + PAUSE_MS
    assert hand.ready(0).due_ms == OPEN_MS + PAUSE_MS


def test_all_ready_is_the_pause_and_one_silent_is_the_time_out() -> None:
    hand = Hand().deal().call()
    assert hand.due_ms == hand.at_ms + READY_MS
    assert hand.ready(0).due_ms == hand.at_ms + READY_MS
    assert hand.ready(0, 0).due_ms == hand.at_ms + READY_MS, "once is enough, and twice no more"
    assert hand.ready(1).due_ms == hand.at_ms + PAUSE_MS
    assert GAME.view(hand.state, None).ready == 2


def test_each_number_has_to_be_answered_anew() -> None:
    hand = Hand().deal().call().ready(0, 1, 0, 1).call()
    assert hand.due_ms == hand.at_ms + READY_MS
    assert GAME.view(hand.state, None).ready == 0


def test_ready_before_the_first_number_answers_nothing() -> None:
    hand = Hand().deal().ready(0, 1).call()
    assert hand.due_ms == hand.at_ms + READY_MS
    hand = Hand().ready(0, 1).deal().call()
    assert hand.due_ms == hand.at_ms + READY_MS


def test_only_who_plays_can_be_ready() -> None:
    hand = Hand().deal().call()
    hand.join(4)
    assert hand.ready(4, 0).due_ms == hand.at_ms + READY_MS
    assert GAME.view(hand.state, None).ready == 1


def test_who_is_away_is_not_waited_for() -> None:
    hand = Hand().deal().call().ready(0)
    hand.away(1)
    assert hand.due_ms == hand.at_ms + PAUSE_MS
    hand.call()
    assert hand.due_ms == hand.at_ms + READY_MS
    assert hand.ready(0).due_ms == hand.at_ms + PAUSE_MS, "nor for the next"


def test_who_is_back_is_waited_for_from_the_next_number_on() -> None:
    hand = Hand().deal().call().ready(0)
    hand.away(1)
    hand.back(1)
    assert hand.due_ms == hand.at_ms + PAUSE_MS
    hand.call().ready(0)
    assert hand.due_ms == hand.at_ms + READY_MS
    assert hand.ready(1).due_ms == hand.at_ms + PAUSE_MS


def test_everyone_away_is_the_pause() -> None:
    hand = Hand().deal()
    for seat in (0, 1):
        hand.away(seat)
    for _ in range(3):
        assert hand.call().due_ms == hand.at_ms + PAUSE_MS


def test_who_is_away_before_the_deal_is_dealt_in_and_not_waited_for() -> None:
    hand = Hand()
    hand.away(1)
    hand.deal().call()
    assert 1 in hand.state.cards
    assert hand.ready(0).due_ms == hand.at_ms + PAUSE_MS


def test_who_waits_for_the_next_round_may_be_away_too() -> None:
    hand = Hand().deal().call()
    hand.join(4)
    hand.away(4)
    assert hand.ready(0).due_ms == hand.at_ms + READY_MS
    hand.part(4)
    assert hand.call().ready(0).due_ms == hand.at_ms + READY_MS


def test_who_was_away_and_left_can_come_anew() -> None:
    hand = Hand(cards={0: LOWEST, 1: LOWEST})
    hand.away(1)
    hand.part(1)
    hand.join(1)
    assert hand.deal().call().ready(0).due_ms == hand.at_ms + READY_MS


@pytest.mark.parametrize(
    ("options", "all_ready_ms", "silent_ms"),
    [
        ({}, 1_000, 10_000),
        ({"pause_seconds": 0}, 0, 10_000),
        ({"pause_seconds": 0.25, "ready_seconds": 0.5}, 250, 500),
        ({"pause_seconds": 5, "ready_seconds": 2}, 5_000, 5_000),
    ],
)
def test_pause_and_time_out_are_options(
    options: dict[str, Any], all_ready_ms: int, silent_ms: int
) -> None:
    hand = Hand(**options).deal()
    assert hand.due_ms == OPEN_MS + all_ready_ms
    hand.call()
    assert hand.due_ms == hand.at_ms + silent_ms
    assert hand.ready(0, 1).due_ms == hand.at_ms + all_ready_ms


# What is noted


def test_notes_decide_nothing() -> None:
    quiet, noted = Hand(FIRST_ROW).deal(), Hand(FIRST_ROW).deal()
    for _ in range(5):
        for hand in (quiet, noted):
            hand.at_ms = OPEN_MS
            hand.do(None, Call())
        noted.ready(0, 1)
        GAME.presence(noted.state, 1, False)
        assert noted.state.called == quiet.state.called
        assert noted.state.playing == quiet.state.playing
        assert naive_bingo(noted.state.cards[0], noted.state.called) is quiet.state.has_bingo(0)


def test_a_note_costs_the_same_in_any_crowd() -> None:
    hand = Hand(cards=dict.fromkeys(range(500), LOWEST)).deal().call()
    before = hand.state
    draft = GAME.fork(before)
    GAME.note(draft, 3, Ready(), 0)
    GAME.presence(draft, 4, False)
    assert draft.answered is before.answered, "it was not copied"
    assert draft.away is before.away
    assert draft.playing is before.playing
    assert draft.seats is before.seats
    assert before.answered == {3, 4}, "a note stands, whatever becomes of the draft"


def test_what_is_not_written_takes_no_note_back() -> None:
    hand = Hand().deal().call().ready(0)
    draft = GAME.fork(hand.state)
    draft = GAME.apply(draft, Called(75, 0))
    GAME.note(draft, 1, Ready(), 0)
    dropped = GAME.fork(hand.state)
    dropped = GAME.apply(dropped, Parted(0))
    assert (draft.answered, dropped.answered, hand.state.answered) == ({1}, set(), {0})
    assert hand.state.playing == {0, 1}
