"""A game in which some things are for one seat's eyes only, some for all, and some for nobody's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gamehall.errors import IllegalCommand
from gamehall.games.game import Command, Context, Event, Game, Outcome, Seats, Start


class Whisper(Command, frozen=True):
    """Says something to oneself."""

    text: str


class Shout(Command, frozen=True):
    text: str


class Whispered(Event, frozen=True):
    seat: int
    text: str


class Shouted(Event, frozen=True):
    seat: int
    text: str


class Whispers(Game[tuple[Event, ...]]):
    """Whoever shouts "stop" has won."""

    name = "whispers"
    title = "Whispers"
    commands = (Whisper, Shout)
    events = (Whispered, Shouted)

    def seats(self, options: Any) -> Seats:
        return Seats(2, 2)

    def start(self, start: Start) -> tuple[Event, ...]:
        return ()

    def fork(self, state: tuple[Event, ...]) -> tuple[Event, ...]:
        return state

    def decide(
        self, state: tuple[Event, ...], seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        if seat is None:
            raise IllegalCommand
        kind = Whispered if isinstance(command, Whisper) else Shouted
        return (kind(seat, command.text),)

    def apply(self, state: tuple[Event, ...], event: Any) -> tuple[Event, ...]:
        return (*state, event)

    def legal(self, state: tuple[Event, ...], seat: int) -> Iterable[Command]:
        return (Whisper("psst"), Shout("stop"))

    def view(self, state: tuple[Event, ...], seat: int | None) -> dict[str, Any]:
        seen = (self.seen(event, seat) for event in state)
        return {"heard": [event for event in seen if event is not None]}

    def outcome(self, state: tuple[Event, ...]) -> Outcome | None:
        for event in state:
            if isinstance(event, Shouted) and event.text == "stop":
                return Outcome((event.seat,), "stopped")
        return None

    def leave(self, state: tuple[Event, ...], seat: int) -> tuple[Event, ...]:
        return (Shouted(1 - seat, "stop"),)

    def seen(self, event: Any, seat: int | None) -> Event | None:
        return event if isinstance(event, Shouted) or event.seat == seat else None

    def insiders(self, event: Any) -> Iterable[int]:
        return (event.seat,) if isinstance(event, Whispered) else ()
