"""What the rules of a game are: the contract between one pure file and the hall.

A game judges and records. It does no I/O and has no clock and no random source of its own: time
and chance come in the `Context`, and what they gave goes *into the event*, so that a replay needs
neither. The hall keeps the log, calls the rules in order, and does everything else.

How a table's life reaches the rules:

1. `start` once the game can begin: `seats(options).least` players are seated (0: at once), and
   `begin` for what is dealt then.
2. `decide` for each command of a seat, or of nobody (`seat=None`) when the `timer` it came from is
   due; `join` and `leave` for people who come and go while it runs.
3. `apply` for each event, first on a `fork` of the state; what the store refuses is thrown away.
4. When `outcome` is not None the round is over and its secret is told. `carry` goes into the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import methodcaller
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from gamehall.errors import TableFull, snake_case
from gamehall.games.chance import Chance


class RulesFault(Exception):
    """The rules did what no rules may do: nothing of it is written, and nobody is to blame but
    whoever wrote the game."""


S = TypeVar("S")
"""The state of a game: any type; `apply` may change it in place."""


class Copy(Protocol):
    def __call__(self, struct: S, /) -> S: ...


copied: Copy = methodcaller("__copy__")
"""A shallow copy of a struct: as `copy.copy`, without its search for a way to make one."""


class Command(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    gc=False,
):
    """What a seat wants, in the imperative: it may be refused. `OfferDraw` is `offer_draw`."""


class Event(
    msgspec.Struct, frozen=True, tag_field="type", tag=snake_case, omit_defaults=True, gc=False
):
    """What has happened, in the past tense: a fact. Grows only by fields that have defaults."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is played at one table. Every field has a default and, by `Meta`, bounds."""


class Context(msgspec.Struct, frozen=True, gc=False):
    """What the rules may know of the world."""

    at_ms: int
    chance: Chance


class Seats(msgspec.Struct, frozen=True):
    """How many players begin a round (0: it begins empty) and how many may sit."""

    least: int
    most: int
    kept: bool = True
    """Whether whoever sits at the end of a round sits in the next one too. If not, people walk in:
    they are seated by their first command of a round, and may come and go as they like."""


class Start(msgspec.Struct, frozen=True):
    """What a round begins with."""

    options: Any
    seats: tuple[int, ...]
    round: int
    at_ms: int
    carry: Any = None
    rated: bool = False


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a round ended. No winner is a draw; `scores` by seat, where the game has points."""

    winners: tuple[int, ...]
    reason: str
    scores: dict[int, int] | None = None
    again_ms: int | None = None
    """The next round opens by itself this long after the end; None: when the seats agree."""


class Timer(msgspec.Struct, frozen=True):
    """`command` is decided, for no seat, when `due_ms` has come.

    `waits_for` names the seat whose answer it waits for, if there is one: after a restart that
    player is first given time to come back.
    """

    due_ms: int
    command: Command
    waits_for: int | None = None


Party = int | Literal["pot", "house"]
"""A seat, the round's pot, or the house."""


class Payment(msgspec.Struct, frozen=True):
    """Chips, at least one, that change hands because of an event.

    A round's pot never goes below zero, not between two payments of an event either, and is empty
    when the round ends; the house may add to it, and take from it.
    """

    source: Party
    target: Party
    chips: int


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place of a picture: what it shows, in which tone, and what a click on it sends."""

    label: str = ""
    tone: str = ""
    command: Any = None


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A generic drawing, so that a game can be played before anyone draws it by hand."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


class Game(Generic[S]):
    """The rules of one game. Write one subclass in one file; docs/write-a-game.md shows how."""

    name: ClassVar[str]
    """As in `open_table {game}`: lower case, words joined by `-`. It never changes."""
    title: ClassVar[str]
    """For people."""
    aliases: ClassVar[tuple[str, ...]] = ()
    commands: ClassVar[tuple[type[Command], ...]]
    """What a seat may send."""
    seating: ClassVar[tuple[type[Command], ...]] = ()
    """Those with which the hall seats someone who has no seat, as any command does where people
    walk in."""
    timers: ClassVar[tuple[type[Command], ...]] = ()
    """What no seat sends, but a `timer`."""
    by_hall: ClassVar[tuple[type[Command], ...]] = ()
    """Those of `timers` that the hall sends as well, without one."""
    events: ClassVar[tuple[type[Event], ...]]
    options: ClassVar[type[Options]] = Options
    notes: ClassVar[tuple[type[Command], ...]] = ()
    """Those commands that are only noted: see `note`."""
    public: ClassVar[bool] = True
    """Whether people may open tables of it. If not, only the hall does."""
    binding: ClassVar[bool] = True
    """Whether a seat keeps its player busy, and is given up when the player stays away."""

    def seats(self, options: Any) -> Seats:
        """How many may play with these options. Raises Refused if nobody can."""
        raise NotImplementedError

    def start(self, start: Start) -> S:
        """The state at the beginning of a round."""
        raise NotImplementedError

    def decide(
        self, state: S, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        """The events that `command` causes; `seat` is None for the command of a timer.

        Raises:
            Refused: the rules forbid it; nothing has changed.
        """
        raise NotImplementedError

    def apply(self, state: S, event: Any) -> S:
        """The next state. Total: replaying a journal never raises."""
        raise NotImplementedError

    def fork(self, state: S) -> S:
        """A copy that `apply` may change without changing `state`."""
        raise NotImplementedError

    def legal(self, state: S, seat: int) -> Iterable[Command]:
        """Commands that `decide` would accept from this seat now; empty when it must wait."""
        raise NotImplementedError

    def view(self, state: S, seat: int | None) -> Any:
        """All that this seat may know; None is a spectator. With `seen`, the only place that hides.

        Anything that msgspec encodes as a JSON object.
        """
        raise NotImplementedError

    def outcome(self, state: S) -> Outcome | None:
        """How the round ended, or None while it runs."""
        raise NotImplementedError

    def leave(self, state: S, seat: int) -> tuple[Event, ...]:
        """The events that follow when this seat is given up in a running round."""
        raise NotImplementedError

    # What most games leave as it is.

    def begin(self, state: S, context: Context) -> tuple[Event, ...]:
        """The events that a round begins with: cards that are dealt, boards that are drawn."""
        return ()

    def join(self, state: S, seat: int, context: Context) -> tuple[Event, ...]:
        """The events that follow when someone sits down in a running round."""
        raise TableFull

    def seen(self, event: Any, seat: int | None) -> Event | None:
        """The event as this seat may see it (None is a spectator), or None if it may not.

        Must give spectators' sight for every seat that `insiders` does not name.
        """
        return event  # type: ignore[no-any-return]

    def glance(self, state: S) -> dict[str, Any] | None:
        """Fields of every `view` that change by events which not everyone sees, as totals do.

        Where people walk in, they are told from time to time.
        """
        return None

    def insiders(self, event: Any) -> Iterable[int]:
        """The seats that see more of this event than a spectator does."""
        return ()

    def note(self, state: S, seat: int, command: Any, at_ms: int) -> None:
        """Takes a command of `notes`: it matters only while the hall runs, and is not journaled.

        It may change when the `timer` is due, and nothing that `decide` looks at.
        """

    def presence(self, state: S, seat: int, here: bool) -> None:
        """Someone's connection has dropped, or is back. Noted as in `note`, and as little."""

    def points(self, state: S) -> dict[int, int] | None:
        """The score so far, by seat, where the game has points."""
        return None

    def took_part(self, state: S) -> Iterable[int] | None:
        """The seats that a finished round counts for; None is all of them."""
        return None

    def timer(self, state: S) -> Timer | None:
        """The one thing that happens by itself next, or None."""
        return None

    def money(self, state: S, event: Any) -> tuple[Payment, ...]:
        """The payments an event causes, in this order; `state` is the one before it."""
        return ()

    def carry(self, state: S) -> Any:
        """What the next round's `Start` gets; it survives JSON."""
        return None

    def picture(self, view: Any) -> Picture | None:
        """A generic drawing of a `view`."""
        return None
