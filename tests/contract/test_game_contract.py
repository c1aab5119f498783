"""The suite that every game inherits finds what it is there for: each break fails its test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import msgspec
import pytest

from gamehall.errors import Refused
from gamehall.games.game import Command, Context, Event, Game, Payment, RulesFault
from tests.contract.game_contract import GameContract
from tests.games.toys import (
    Ante,
    Deal,
    Dealt,
    Fold,
    Folded,
    HighCard,
    Hurry,
    Joined,
    Showdown,
    Shown,
)


class NotDetermined(HighCard):
    """Has a random source of its own."""

    rng = Random(0)

    def decide(self, state: Deal, seat: int | None, command: Any, context: Context) -> Any:
        events = super().decide(state, seat, command, context)
        return tuple(
            msgspec.structs.replace(event, card=self.rng.randrange(52))
            if isinstance(event, Dealt)
            else event
            for event in events
        )


class DecidingChanges(HighCard):
    def decide(self, state: Deal, seat: int | None, command: Any, context: Context) -> Any:
        events = super().decide(state, seat, command, context)
        state.pot += 1
        return events


class SharedByForks(HighCard):
    def fork(self, state: Deal) -> Deal:
        copy = super().fork(state)
        copy.cards = state.cards
        return copy


class LegalLies(HighCard):
    def legal(self, state: Deal, seat: int) -> Iterable[Command]:
        return (Ante(10), Fold(), Hurry()) if state.outcome is None else ()


class LegalWhenOver(HighCard):
    def legal(self, state: Deal, seat: int) -> Iterable[Command]:
        return super().legal(state, seat) if state.outcome is None else (Fold(),)


class Crashes(HighCard):
    def decide(self, state: Deal, seat: int | None, command: Any, context: Context) -> Any:
        if isinstance(command, Fold) and seat is not None:
            state.cards[seat]
        return super().decide(state, seat, command, context)


class TimerForAnyone(HighCard):
    def decide(self, state: Deal, seat: int | None, command: Any, context: Context) -> Any:
        if isinstance(command, Showdown):
            seat = None
        return super().decide(state, seat, command, context)


class TimerUnknown(HighCard):
    timers = ()  # type: ignore[assignment]


class NoteMatters(HighCard):
    def note(self, state: Deal, seat: int, command: Any, at_ms: int) -> None:
        state.paid.discard(seat)


class NotInTheEvents(HighCard):
    """Keeps something that a replay does not have."""

    memory: dict[int, int]

    def __init__(self) -> None:
        self.memory = {}

    def apply(self, state: Deal, event: Any) -> Deal:
        count = self.memory[id(event)] = self.memory.get(id(event), len(self.memory))
        state.deals = count
        return super().apply(state, event)


class EventUnknownToJson(HighCard):
    events = (Joined, Folded, Shown)  # type: ignore[assignment]


class SeesTooMuch(HighCard):
    def insiders(self, event: Any) -> Iterable[int]:
        return ()


class ViewIsNoObject(HighCard):
    def view(self, state: Deal, seat: int | None) -> Any:
        return [state.pot]


class NeverEnds(HighCard):
    def apply(self, state: Deal, event: Any) -> Deal:
        return state if isinstance(event, Shown) else super().apply(state, event)

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        return ()


class CarryLost(HighCard):
    def carry(self, state: Deal) -> Any:
        return {1: 2}


class LeavingCrashes(HighCard):
    def leave(self, state: Deal, seat: int) -> tuple[Event, ...]:
        del state.cards[seat]
        return ()


class StuckWhenAllHaveLeft(HighCard):
    def timer(self, state: Deal) -> Any:
        return super().timer(state) if len(state.cards) else None


class PotNotPaidOut(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        return super().money(state, event)[:1]


class StakeNotInThePot(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, Dealt):
            return (Payment(event.seat, "house", event.chips),)
        return ()


class Sit(Command, frozen=True):
    pass


class TagOfTheHouse(HighCard):
    commands = (*HighCard.commands, Sit)  # type: ignore[assignment]


class BadReason(HighCard):
    def outcome(self, state: Deal) -> Any:
        outcome = super().outcome(state)
        return outcome and msgspec.structs.replace(outcome, reason="Cards Shown!")


class BadName(HighCard):
    name = "High Card"


class RefusesDefaults(HighCard):
    def seats(self, options: Any) -> Any:
        return msgspec.structs.replace(super().seats(options), least=9)


FAILURES = (
    AssertionError,
    KeyError,
    Refused,
    RulesFault,
    msgspec.ValidationError,
    pytest.fail.Exception,
)


@pytest.mark.parametrize(
    ("broken", "test"),
    [
        (BadName, GameContract.test_names),
        (TagOfTheHouse, GameContract.test_tags_are_unique_and_not_those_of_the_house),
        (RefusesDefaults, GameContract.test_options_have_defaults_and_survive_json),
        (NotDetermined, GameContract.test_deciding_again_gives_the_same),
        (DecidingChanges, GameContract.test_deciding_again_gives_the_same),
        (LegalLies, GameContract.test_what_is_legal_is_accepted),
        (Crashes, GameContract.test_only_refusals_escape_and_they_change_nothing),
        (TimerUnknown, GameContract.test_a_timer_that_is_due_is_accepted),
        (TimerForAnyone, GameContract.test_a_seat_cannot_send_what_a_timer_sends),
        (NoteMatters, GameContract.test_notes_change_nothing_but_the_timer),
        (SharedByForks, GameContract.test_a_fork_and_its_origin_do_not_touch_each_other),
        (NotInTheEvents, GameContract.test_a_replay_leads_to_the_same),
        (EventUnknownToJson, GameContract.test_rows_survive_json),
        (ViewIsNoObject, GameContract.test_views_and_pictures_are_json),
        (SeesTooMuch, GameContract.test_only_insiders_see_more_than_spectators),
        (NeverEnds, GameContract.test_random_rounds_end),
        (BadReason, GameContract.test_random_rounds_end),
        (LegalWhenOver, GameContract.test_nothing_is_legal_when_it_is_over),
        (CarryLost, GameContract.test_what_is_carried_over_survives_json),
        (LeavingCrashes, GameContract.test_anyone_may_leave_at_any_moment),
        (StuckWhenAllHaveLeft, GameContract.test_a_round_that_all_have_left_ends),
        (PotNotPaidOut, GameContract.test_a_round_that_is_over_leaves_nothing_in_the_pot),
        (StakeNotInThePot, GameContract.test_a_void_round_gives_every_stake_back),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_game_fails(broken: type[Game[Any]], test: Callable[[GameContract], None]) -> None:
    class Suite(GameContract):
        game = broken()
        option_sets = ({"least": 3},)
        steps_most = 200

    with pytest.raises(FAILURES):
        test(Suite())


def test_every_test_of_the_suite_is_seen_to_fail() -> None:
    marks = test_a_broken_game_fails.pytestmark
    covered = {test.__name__ for mark in marks for _, test in mark.args[1]}
    suite = {name for name in vars(GameContract) if name.startswith("test_")}
    assert covered == suite
