"""The rules of called Bingo within a round: who may start, claim and wait, and when it is over."""

from __future__ import annotations

from gamehall.errors import IllegalCommand, RoundRunning
from gamehall.games.bingo import (
    AllCalled,
    BingoClaimed,
    Call,
    Called,
    CardsDealt,
    Claim,
    Deal,
    NoBingo,
    NoCard,
    NoRound,
    Ready,
)
from gamehall.games.game import Outcome
from tests.games.bingo_play import GAME, LOWEST, OPEN_MS, PAUSE_MS, READY_MS, Hand

FIRST_ROW = (1, 16, 31, 46, 61)


# Starting


def test_until_someone_starts_nothing_happens() -> None:
    hand = Hand()
    assert GAME.timer(hand.state) is None
    assert GAME.outcome(hand.state) is None
    assert hand.refusal(0, Claim()) is NoRound
    assert hand.refusal(None, Call()) is IllegalCommand
    assert list(GAME.legal(hand.state, 0)) == [Deal()]


def test_a_start_deals_a_card_to_everyone_at_the_table() -> None:
    hand = Hand()
    hand.join(4)
    (dealt,) = hand.do(1, Deal())
    assert isinstance(dealt, CardsDealt)
    assert (dealt.at_ms, dealt.count, sorted(dealt.cards)) == (OPEN_MS, 3, [0, 1, 4])
    assert hand.state.playing == {0, 1, 4}


def test_a_round_that_runs_cannot_be_started_again() -> None:
    hand = Hand().deal()
    hand.join(4)
    for seat in (0, 1, 4):
        assert hand.refusal(seat, Deal()) is RoundRunning
        assert Deal() not in list(GAME.legal(hand.state, seat))


def test_nobody_sends_what_is_the_timers() -> None:
    hand = Hand().deal()
    assert hand.refusal(0, Call()) is IllegalCommand
    assert hand.refusal(None, Deal()) is IllegalCommand
    assert hand.refusal(None, Claim()) is IllegalCommand
    assert hand.refusal(0, Ready()) is IllegalCommand, "it is noted, and never decided"


# Numbers


def test_numbers_come_in_the_order_that_was_drawn_and_none_twice() -> None:
    hand = Hand(FIRST_ROW).deal()
    for place, number in enumerate(FIRST_ROW):
        hand.at_ms = hand.due_ms
        assert hand.do(None, Call()) == (Called(number, hand.at_ms),)
        assert hand.state.called == FIRST_ROW[: place + 1]
    hand.call(70)
    assert sorted(hand.state.called) == list(range(1, 76))


def test_after_all_75_the_round_ends_without_a_winner() -> None:
    hand = Hand().deal().call(75)
    assert GAME.outcome(hand.state) is None
    assert hand.state.has_bingo(0), "nobody said it"
    hand.at_ms = hand.due_ms
    assert hand.do(None, Call()) == (AllCalled(),)
    assert GAME.outcome(hand.state) == Outcome((), "all_called", again_ms=0)
    assert GAME.timer(hand.state) is None


# Claims


def test_the_first_true_claim_wins() -> None:
    hand = Hand(FIRST_ROW).deal().call(5)
    assert hand.do(0, Claim()) == (BingoClaimed(0),)
    assert GAME.outcome(hand.state) == Outcome((0,), "bingo", again_ms=0)
    assert GAME.timer(hand.state) is None
    assert not list(GAME.legal(hand.state, 0))


def test_a_claim_may_come_late() -> None:
    hand = Hand(FIRST_ROW).deal().call(40)
    assert hand.do(0, Claim()) == (BingoClaimed(0),)
    hand = Hand(FIRST_ROW).deal().call(75)
    assert hand.do(0, Claim()) == (BingoClaimed(0),)


def test_a_false_claim_costs_nothing() -> None:
    hand = Hand(FIRST_ROW).deal()
    for _ in range(5):
        assert hand.refusal(0, Claim()) is NoBingo
        assert hand.refusal(1, Claim()) is NoBingo
        assert hand.state.playing == {0, 1}
        hand.call()
    assert hand.refusal(1, Claim()) is NoBingo, "the line is another's"
    assert hand.do(0, Claim()) == (BingoClaimed(0),)


def test_only_who_has_a_card_can_claim() -> None:
    hand = Hand(FIRST_ROW).deal().call(5)
    hand.join(4)
    assert hand.refusal(4, Claim()) is NoCard
    assert not list(GAME.legal(hand.state, 4))


def test_legal_is_what_one_can_do() -> None:
    hand = Hand(FIRST_ROW).deal()
    assert list(GAME.legal(hand.state, 0)) == [], "nothing was called"
    hand.call(4)
    assert list(GAME.legal(hand.state, 0)) == [Ready()]
    hand.ready(0)
    assert list(GAME.legal(hand.state, 0)) == []
    hand.call()
    assert list(GAME.legal(hand.state, 0)) == [Ready(), Claim()]
    assert list(GAME.legal(hand.ready(0).state, 0)) == [Claim()]
    assert list(GAME.legal(hand.state, 1)) == [Ready()]


def test_judging_a_claim_does_not_grow_with_the_crowd() -> None:
    Hand().deal().claim_costs(0)  # What is made once and kept is not counted.
    costs = set()
    for people in (2, 2000):
        hand = Hand(FIRST_ROW, cards=dict.fromkeys(range(people), LOWEST)).deal().call(4)
        false, true = hand.claim_costs(1), hand.call().claim_costs(1)
        costs.add((false, true))
    assert len(costs) == 1
    assert min(costs) > (20, 20), "or nothing was counted"


# Coming late and leaving


def test_who_comes_during_a_round_waits_for_the_next() -> None:
    hand = Hand(FIRST_ROW).deal().call(5)
    hand.join(4)
    assert hand.state.playing == {0, 1}
    assert hand.ready(0, 1).due_ms == hand.at_ms + PAUSE_MS, "nobody waits for who waits"
    assert GAME.view(hand.state, 4).card is None
    assert sorted(GAME.took_part(hand.state)) == [0, 1]


def test_who_leaves_has_lost_and_is_not_waited_for() -> None:
    hand = Hand(FIRST_ROW).deal().call(5).ready(1)
    assert hand.due_ms == hand.at_ms + READY_MS
    hand.part(0)
    assert hand.due_ms == hand.at_ms + PAUSE_MS
    assert GAME.outcome(hand.state) is None
    assert hand.refusal(0, Claim()) is NoCard
    assert sorted(GAME.took_part(hand.state)) == [0, 1], "the round counts for it"


def test_who_comes_back_after_leaving_waits_too() -> None:
    hand = Hand(FIRST_ROW).deal().call(5)
    hand.part(0)
    hand.join(0)
    assert hand.refusal(0, Claim()) is NoCard
    assert GAME.view(hand.state, 0).card is None
    assert GAME.view(hand.state, 0).players == 1


def test_a_round_that_nobody_is_left_in_is_over() -> None:
    hand = Hand().deal().call(3)
    hand.join(4)
    hand.part(0)
    assert GAME.outcome(hand.state) is None
    hand.part(1)
    assert GAME.outcome(hand.state) == Outcome((), "abandoned", again_ms=0)
    assert GAME.timer(hand.state) is None


def test_who_leaves_before_a_round_leaves_nothing() -> None:
    hand = Hand(cards={0: LOWEST, 1: LOWEST, 2: LOWEST})
    hand.part(1)
    hand.deal()
    assert hand.state.playing == {0, 2}
    hand.part(0)
    assert GAME.outcome(hand.state) is None
