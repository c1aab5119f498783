"""Replays and forks: a journal leads to what was there, and what is done to a copy stays there."""

from __future__ import annotations

from random import Random

from gamehall.checking.finding import Broken, Check
from gamehall.checking.sight import whole
from gamehall.testing import Playout

FUTURE_STEPS = 5


def future(table: Playout, seed: int) -> list[bytes]:
    """The rows that the next steps write, on a fork: what is hidden shows in what it causes."""
    other = table.fork(seed)
    for _ in range(FUTURE_STEPS):
        if not other.ended[len(table.ended) :]:
            other.step()
    return other.lines[len(table.lines) :]


def _the_same(table: Playout) -> None:
    rebuilt = table.replayed()
    now, then = whole(table.game, table.state), whole(table.game, rebuilt)
    if now != then:
        raise Broken(
            "The state that is rebuilt from the journal is another than the one that wrote it, so"
            " a restart changes the game. `apply` may use nothing but the state and the event."
        )


def _the_same_future(table: Playout, rng: Random) -> None:
    _the_same(table)
    seed = rng.randrange(1 << 30)
    twin = table.fork(state=table.replayed())
    if future(twin, seed) != future(table, seed):
        raise Broken(
            "Going on from the state that is rebuilt from the journal, the same commands cause"
            " something else: something hidden is not in the events."
        )


def _apart(table: Playout, rng: Random) -> None:
    before = whole(table.game, table.state)
    seed = rng.randrange(1 << 30)
    first = future(table, seed)
    if whole(table.game, table.state) != before:
        raise Broken("Playing on with a `fork` changes the state that it was made from.")
    if future(table, seed) != first:
        raise Broken(
            "Playing on with a second `fork` in the same way goes otherwise than with the first:"
            " they share something that `apply` changes. Copy it in `fork`."
        )


CHECK = Check(
    "Replay",
    "The journal leads to the same state, and the same play goes on from it.",
    at_moment=_the_same_future,
    at_end=_the_same,
)
FORKS = Check("Forks", "A fork can be changed without changing the state.", at_moment=_apart)
