"""Two players, many games, and no hall: what the rules of a table say, driven by a loop.

Time does not pass while someone thinks; where nobody can act, the clock is put forward to whatever
happens by itself next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any

import msgspec

from gamehall.bots.contender import FAULTS_MAX, TRIES, Contender, Kind, Misbehaved, Result, Sitting
from gamehall.errors import Refused
from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.testing import Playout

STEPS_MAX = 10_000
"""Of one game: one that has not ended by then is drawn."""
NORMAL_95 = 1.959964
"""How many standard deviations on both sides hold 95 % of a normal distribution."""


class Unplayable(ValueError):
    """Why there can be no match of this game."""


class Score(msgspec.Struct):
    """How one player stands against the other."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    misbehaviour: Counter[Kind] = msgspec.field(default_factory=Counter)
    """By which it lost games."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def rate(self) -> float:
        """Its share of the points, a draw being half a win. There is at least one game."""
        return (self.won + self.drawn / 2) / self.games

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate. Draws only make it wider than it need be."""
        n, z = self.games, NORMAL_95
        middle = (self.rate + z * z / (2 * n)) / (1 + z * z / n)
        spread = z / (1 + z * z / n) * sqrt(self.rate * (1 - self.rate) / n + z * z / (4 * n * n))
        return max(0.0, middle - spread), min(1.0, middle + spread)


class Played(msgspec.Struct, frozen=True):
    """How one game went. `quitter` is the seat that lost it by what it did."""

    winners: tuple[int, ...]
    reason: str
    quitter: int | None = None
    fault: Misbehaved | None = None


async def play_match(
    game: Game[Any],
    contenders: tuple[Contender, Contender],
    games: int,
    seed: int,
    report: Callable[[int, Played], None] = lambda number, played: None,
) -> tuple[Score, Score]:
    """What each of both has scored. They change seats after every game; the first begins on seat
    0. With the same seed it goes the same way, as far as the players do.

    Raises:
        Unplayable: it is no game that two begin.
    """
    check_playable(game)
    scores = (Score(), Score())
    faults = [0, 0]
    for number in range(games):
        who = (0, 1) if number % 2 == 0 else (1, 0)
        out = tuple(seat for seat in (0, 1) if faults[who[seat]] >= FAULTS_MAX)
        if out:
            # They lose the rest without being asked.
            winners = tuple(seat for seat in (0, 1) if seat not in out)
            played = Played(winners, "forfeit")
        else:
            seated = (contenders[who[0]], contenders[who[1]])
            played = await play_game(game, seated, f"{seed}:{number}")
            if played.fault is not None and played.quitter is not None:
                faults[who[played.quitter]] += 1
                scores[who[played.quitter]].misbehaviour[played.fault.kind] += 1
            else:
                faults = [0, 0]
        for seat in (0, 1):
            _count(scores[who[seat]], result_of(played.winners, seat))
        report(number, played)
    return scores


def check_playable(game: Game[Any]) -> None:
    """Raises Unplayable if it is no game that two begin."""
    if game.seats(game.options()).least != 2:
        raise Unplayable(
            f"A match is for games that two begin, and {game.name} is none."
            " Its bots play online, at a hall's table."
        )


def result_of(winners: Sequence[int], seat: int) -> Result:
    if not winners or len(winners) == 2:
        return "drawn"
    return "won" if seat in winners else "lost"


async def play_game(game: Game[Any], contenders: tuple[Contender, Contender], seed: str) -> Played:
    """How a game between the two goes, by their seats."""
    table = Playout(game, seed=seed, drawn=False)
    sittings = tuple(
        contender.sit(game, seat, Random(f"{seed} seat {seat}").getrandbits(32))
        for seat, contender in enumerate(contenders)
    )
    played: Played | None = None
    try:
        played = await _play(table, sittings, Random(seed))
    finally:
        for seat, sitting in enumerate(sittings):
            if played is None:
                await sitting.end("void", "interrupted")
            else:
                await sitting.end(result_of(played.winners, seat), played.reason)
    return played


async def _play(table: Playout, sittings: Sequence[Sitting], rng: Random) -> Played:
    for _ in range(STEPS_MAX):
        has_acted = False
        for seat, sitting in enumerate(sittings):
            try:
                has_acted |= await _act(table, seat, sitting, rng)
            except Misbehaved as fault:
                table.act(seat, house.Leave())
                outcome = table.state.outcome
                winners = (1 - seat,) if outcome is None else outcome.winners
                return Played(winners, "misbehaved", seat, fault)
            outcome = table.state.outcome
            if outcome is not None:
                return Played(outcome.winners, outcome.reason)
        if not has_acted:
            if table.rules.timer(table.state) is None:
                return Played((), "nobody_moves")
            table.fire()
    return Played((), "too_long")


async def _act(table: Playout, seat: int, sitting: Sitting, rng: Random) -> bool:
    """Whether this seat has done something. Raises Misbehaved."""
    game, state = table.game, table.state.game
    legal = tuple(game.legal(state, seat))
    if not legal:
        return False
    for _ in range(TRIES):
        command = await sitting.choose(game.view(state, seat), legal, rng)
        if command is None:
            return False
        try:
            if isinstance(command, game.notes):
                game.note(state, seat, command, table.at_ms)
            else:
                table.act(seat, command)
        except Refused as refused:
            sitting.refused(command, legal, str(refused))
        else:
            return True
    return False


def _count(score: Score, result: Result) -> None:
    score.won += result == "won"
    score.drawn += result == "drawn"
    score.lost += result == "lost"
