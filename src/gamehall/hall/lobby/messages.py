"""What nodes say to each other of the lobby: wishes to the lead, and what comes of them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from gamehall.hall.nodes.exchange import Body
from gamehall.store.people import Player

# Wishes


class SeekKey(msgspec.Struct, frozen=True, array_like=True):
    """Those who wait for the same thing wait for each other."""

    game: str
    options: bytes
    """All of them, as JSON."""
    rated: bool


class Seeks(Body, frozen=True, tag=True):
    """Everything that this player waits for at the node that says so."""

    player: int
    keys: tuple[SeekKey, ...]


class Propose(Body, frozen=True, tag=True):
    """The sender challenges the target. Answered with `Proposed`."""

    sender: Player
    target: int
    game: str
    options: dict[str, Any]
    usual: bool
    """Whether these are the game's usual options."""


class Answer(Body, frozen=True, tag=True):
    """The player accepts (answered with a `Pairing`), or refuses or withdraws a challenge (answered
    with `Over`)."""

    player: int
    challenge: int
    deed: Literal["accept", "refuse", "withdraw"]


class Begin(Body, frozen=True, tag=True):
    """The table for a pairing is there. If the answer is `Noted`, the two are seated."""

    origin: str


class Again(Body, frozen=True, tag=True):
    """All that the node's people wait for. Answered with `Heard`."""

    seeks: tuple[Seeks, ...]
    open: tuple[int, ...]
    """The ids of their challenges."""
    opening: tuple[str, ...] = ()
    """The origins of tables that the node is opening."""


class Wish(Body, frozen=True):
    wish: Seeks | Propose | Answer | Begin | Again


class TakeUp(Body, frozen=True):
    """Challenges of the node's people that the lead does not know: it is a new one."""

    challenges: tuple[Challenge, ...]


class Ended(Body, frozen=True):
    """A new lead asks every node which of these challenges are over. Answered with `Heard`."""

    challenges: tuple[int, ...]


# What comes of them


class Challenge(Body, frozen=True, tag=True):
    """It is open."""

    id: int
    sender: Player
    target: Player
    game: str
    options: dict[str, Any]
    due_ms: int

    @property
    def people(self) -> tuple[int, int]:
        return self.sender.id, self.target.id

    @property
    def origin(self) -> str:
        """Of the one table that it may open."""
        return f"challenge:{self.id}:{self.sender.id}:{self.target.id}"


class Over(Body, frozen=True, tag=True):
    """A challenge has ended."""

    challenge: int
    by: int
    """The player who ended it; 0: nobody did."""
    reason: str
    """Empty: their game has begun."""


class Pairing(Body, frozen=True, tag=True):
    """These two are held for a table that the node `by` opens."""

    origin: str
    people: tuple[int, int]
    by: str
    key: SeekKey
    challenge: int = 0
    """0: both wait on a list, and the seats are drawn."""


class Outcome(Body, frozen=True, tag=True):
    """Of a pairing."""

    origin: str
    people: tuple[int, int]
    by: str
    """The node that was to open the table."""
    table: int = 0
    """0: none was opened."""
    until_ms: int = 0
    """When the seats that are reserved there are not any more."""


class NoSeat(Body, frozen=True, tag=True):
    """This player could not be seated at the table that was opened for it."""

    player: int
    table: int


class News(Body, frozen=True):
    said: Challenge | Over | Pairing | Outcome | NoSeat


# Answers


class Noted(Body, frozen=True):
    pass


class Proposed(Body, frozen=True):
    challenge: Challenge
    pairing: Pairing | None = None
    """It has crossed this challenge, which is accepted by that."""


class Heard(Body, frozen=True):
    over: tuple[Over, ...]
    """Challenges that have ended."""
    unknown: tuple[int, ...] = ()
    """Challenges that the lead has to be told of (`TakeUp`)."""
