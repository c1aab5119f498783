"""Games with one fault each, as their authors might make it."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec

from gamehall.errors import IllegalCommand
from gamehall.games.game import Command, Context, Event, Game, Outcome, Payment, Seats, Start
from tests.games.toys import Deal, Dealt, HighCard, Joined, Shown


class Choose(Command, frozen=True):
    coin: int


class Chosen(Event, frozen=True):
    seat: int
    coin: int | None = None


class Matching(Game[dict[int, int]]):
    """Two choose a coin in secret; the same coins win for seat 0. Nothing is wrong with it."""

    name = "matching"
    title = "Matching pennies"
    commands = (Choose,)
    events = (Chosen,)

    def seats(self, options: Any) -> Seats:
        return Seats(2, 2)

    def start(self, start: Start) -> dict[int, int]:
        return {}

    def legal(self, state: dict[int, int], seat: int) -> Iterable[Command]:
        return () if seat in state else (Choose(0), Choose(1))

    def decide(self, state: dict[int, int], seat: Any, command: Any, context: Context) -> Any:
        if seat in state or command.coin not in (0, 1):
            raise IllegalCommand
        return (Chosen(seat, command.coin),)

    def apply(self, state: dict[int, int], event: Any) -> dict[int, int]:
        return {**state, event.seat: event.coin}

    def fork(self, state: dict[int, int]) -> dict[int, int]:
        return state

    def leave(self, state: dict[int, int], seat: int) -> tuple[Event, ...]:
        first = state.get(1 - seat, 0)
        return tuple(Chosen(each, first) for each in (0, 1) if each not in state)

    def outcome(self, state: dict[int, int]) -> Outcome | None:
        return Outcome((int(state[0] != state[1]),), "coins") if len(state) == 2 else None

    def view(self, state: dict[int, int], seat: int | None) -> Any:
        return {"chosen": sorted(state), "mine": None if seat is None else state.get(seat)}

    def seen(self, event: Any, seat: int | None) -> Event | None:
        return event if seat == event.seat else Chosen(event.seat)

    def insiders(self, event: Any) -> Iterable[int]:
        return (event.seat,)


class OwnDice(HighCard):
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


class OutOfTheEvents(HighCard):
    """Keeps something outside of the state, which a replay does not find again."""

    def __init__(self) -> None:
        self.dealt = 0

    def apply(self, state: Deal, event: Any) -> Deal:
        state = super().apply(state, event)
        if isinstance(event, Dealt):
            self.dealt += 1
            state.deals = self.dealt
        return state


class HiddenOutOfTheEvents(Matching):
    """Likewise, and nobody sees it until it matters."""

    def __init__(self) -> None:
        self.coins = 0

    def apply(self, state: dict[int, int], event: Any) -> dict[int, int]:
        self.coins += 1
        return {**state, event.seat: self.coins % 2}


class SharedCards(HighCard):
    """Its forks share the cards."""

    def fork(self, state: Deal) -> Deal:
        copy = super().fork(state)
        copy.cards = state.cards
        return copy


class PromisesTooMuch(Matching):
    """Lists what it refuses."""

    def legal(self, state: dict[int, int], seat: int) -> Iterable[Command]:
        return () if seat in state else (Choose(0), Choose(1), Choose(2))


class AnyTurn(Matching):
    """Takes a second choice, though it lists none."""

    def decide(self, state: dict[int, int], seat: Any, command: Any, context: Context) -> Any:
        if command.coin not in (0, 1):
            raise IllegalCommand
        return (Chosen(seat, command.coin),)


class FailsAtOddCommands(Matching):
    """Trusts that a client sends only what it was offered."""

    def decide(self, state: dict[int, int], seat: Any, command: Any, context: Context) -> Any:
        if seat in state:
            raise IllegalCommand
        return (Chosen(seat, (0, 1)[command.coin]),)


class ApplyRefuses(Matching):
    """Judges where it ought to record."""

    def apply(self, state: dict[int, int], event: Any) -> dict[int, int]:
        if event.coin == 1 and event.seat == 1:
            raise IllegalCommand
        return super().apply(state, event)


class ShowsTheChoice(Matching):
    """The view has what the events hide."""

    def view(self, state: dict[int, int], seat: int | None) -> Any:
        return {"chosen": {str(seat): coin for seat, coin in state.items()}}


class ShowsCards(HighCard):
    """Likewise with what was dealt by chance."""

    def view(self, state: Deal, seat: int | None) -> dict[str, Any]:
        return {**super().view(state, seat), "best": max(state.cards.values(), default=None)}


class ForgetsSeen(Matching):
    """The view hides the choice, and events tell it to all."""

    def seen(self, event: Any, seat: int | None) -> Event | None:
        return event  # type: ignore[no-any-return]


class LegalTells(Matching):
    """What a seat may do depends on what it may not know."""

    def legal(self, state: dict[int, int], seat: int) -> Iterable[Command]:
        commands = super().legal(state, seat)
        return reversed(list(commands)) if state.get(1 - seat) == 1 else commands


class CarriesTuples(HighCard):
    """What is carried over comes back from JSON as something else."""

    def carry(self, state: Deal) -> Any:
        return {1: state.deals}


class ViewOfNumbers(Matching):
    def view(self, state: dict[int, int], seat: int | None) -> Any:
        return sorted(state)


class NeverOver(Matching):
    """Nobody can move, and it is not over."""

    def outcome(self, state: dict[int, int]) -> Outcome | None:
        return None


class WaitsForWhoLeft(Matching):
    """Ends only if both stay."""

    def leave(self, state: dict[int, int], seat: int) -> tuple[Event, ...]:
        return ()


class GoesRound(Matching):
    """Everyone can always move, and nothing comes of it."""

    def apply(self, state: dict[int, int], event: Any) -> dict[int, int]:
        return {}


class ApplyFails(Matching):
    """Stumbles over the last event of a round."""

    def apply(self, state: dict[int, int], event: Any) -> dict[int, int]:
        if len(state) == 1:
            raise KeyError(event.seat)
        return super().apply(state, event)


class KeepsThePot(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        return (
            super().money(state, event)[:1]
            if isinstance(event, Shown)
            else super().money(state, event)
        )


class PaysTooMuch(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        paid = super().money(state, event)
        return (*paid, Payment("pot", "house", 1)) if isinstance(event, Shown) else paid


class ForgetsToDeclare(HighCard):
    """One of its events is not in the list."""

    events = (Joined, Dealt, Shown)  # type: ignore[assignment]


class WritesWhatItDoesNotDeclare(Matching):
    """A field has another type than it declares, which nobody checks but whoever reads it."""

    def decide(self, state: dict[int, int], seat: Any, command: Any, context: Context) -> Any:
        chosen = super().decide(state, seat, command, context)
        return tuple(msgspec.structs.replace(event, coin=str(event.coin)) for event in chosen)

    def apply(self, state: dict[int, int], event: Any) -> dict[int, int]:
        return {**state, event.seat: int(event.coin)}


class TakesStakesAtOnce(HighCard):
    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, Dealt):
            return (Payment(event.seat, "house", event.chips),)
        return ()


class Slow(Matching):
    """Thinks for a tenth of a second, by the clock that it is given."""

    def __init__(self) -> None:
        self.now_seconds = 0.0

    def decide(self, state: dict[int, int], seat: Any, command: Any, context: Context) -> Any:
        self.now_seconds += 0.1
        return super().decide(state, seat, command, context)


class NobodyWins(Matching):
    """A seat wins at which nobody sits."""

    def outcome(self, state: dict[int, int]) -> Outcome | None:
        over = super().outcome(state)
        return None if over is None else Outcome((7,), over.reason)


class Shouts(Matching):
    def outcome(self, state: dict[int, int]) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and msgspec.structs.replace(outcome, reason="Game Over!")


class Sit(Command, frozen=True):
    pass


class TagOfTheHouse(Matching):
    commands = (Choose, Sit)  # type: ignore[assignment]
