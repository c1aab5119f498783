"""Plays seeded random games, and asks every check at every moment of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

from gamehall.checking import determined, ending, forms, hiding, legality, money, replaying
from gamehall.checking.determined import Journal, journal_of
from gamehall.checking.ending import STEPS_MOST, stuck
from gamehall.checking.finding import Broken, Check, Fault, Finding, Trial, sentence
from gamehall.checking.speed import Speed
from gamehall.errors import Refused
from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.journal import UnreadableRow
from gamehall.table_log.money import UnsoundMoney
from gamehall.table_log.rules import TableRules
from gamehall.testing import Playout

ROUNDS = 2
"""Played at each table: the second has what the first carries over."""
EVERY_STEP = 12
"""Up to here each step is looked at, and from then on one in `STEPS_BETWEEN`."""
STEPS_BETWEEN = 15

PLAYING = Check("Rules", "The rules never fail: they give events, or refuse.")
CHECKS = (
    forms.NAMES,
    PLAYING,
    determined.CHECK,
    replaying.CHECK,
    replaying.FORKS,
    legality.CHECK,
    hiding.CHECK,
    forms.JSON,
    ending.CHECK,
    money.CHECK,
)


class _Endless(Broken):
    pass


_CHECK_OF: dict[type[Exception], Check] = {
    _Endless: ending.CHECK,
    UnreadableRow: forms.JSON,
    UnsoundMoney: money.CHECK,
}
"""What an exception is about, whichever check met it first."""


class Judge:
    """`findings` has what is known when `play` is over."""

    def __init__(self, game: Game[Any], now_seconds: Callable[[], float]) -> None:
        self.journals: list[Journal] = []
        """Those that were played to the end, for another process to decide again."""
        self._game = game
        self._speed = Speed(now_seconds)
        # Speed has a state of its own, so it is made for each judge.
        self._timed = Check("Speed", "", at_moment=self._speed.at_moment)
        self._faults: dict[str, Fault] = {}
        self._rows = 0
        self._tables = 0

    def play(self, options: Mapping[str, Any], seeds: range) -> None:
        """Judges the game by one table for each seed."""
        for check in CHECKS:
            if check.of_game is not None:
                with self._blaming(check):
                    check.of_game(self._game)
        for seed in seeds:
            if PLAYING.title in self._faults or ending.CHECK.title in self._faults:
                return  # What cannot be played cannot be judged any further.
            self._table(Trial(seed, options, people=_people(self._game, options)))

    def findings(self) -> list[Finding]:
        found = [Finding(c.title, c.holds, self._faults.get(c.title)) for c in CHECKS]
        timed = self._faults.get(self._timed.title)
        return [*found, Finding(self._timed.title, self._speed.words(), timed)]

    def words(self) -> str:
        return f"{self._tables} tables were played, {self._rows} commands were accepted."

    def blame(
        self,
        check: Check,
        error: Exception,
        trial: Trial | None = None,
        steps: int = 0,
        table: Playout | None = None,
    ) -> None:
        """Takes a fault, if it is the first of its kind."""
        check = _CHECK_OF.get(type(error), check)
        last = table.lines[-1].decode() if table is not None and table.lines else ""
        fault = Fault(sentence(self._game, error), trial, steps, last)
        self._faults.setdefault(check.title, fault)

    @contextmanager
    def _blaming(self, check: Check, *where: Any) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 (the rules may raise anything)
            self.blame(check, error, *where)

    def _table(self, trial: Trial) -> None:
        table: Playout | None = None
        with self._blaming(PLAYING, trial):
            table = trial.table(self._game)
        if table is None:
            return
        self._tables += 1
        rng = Random(trial.seed)
        steps = 0
        for _ in range(ROUNDS):
            over_after = self._round(table, trial, rng, steps)
            if over_after is None:
                return
            steps = over_after
            self._ask(trial, steps, ((c, c.at_end) for c in CHECKS), table)
            if not self._next_round(table, trial, steps):
                break
        self._rows += len(table.rows)
        if not self._faults:
            self.journals.append(journal_of(table))

    def _round(self, table: Playout, trial: Trial, rng: Random, steps: int) -> int | None:
        """The number of steps when the round is over, or None if it cannot be played to its end."""
        ended, steps_most = len(table.ended), steps + STEPS_MOST
        every_step = steps + EVERY_STEP
        while len(table.ended) == ended:
            try:
                if table.running and (steps < every_step or steps % STEPS_BETWEEN == 0):
                    every = ((c, c.at_moment) for c in (*CHECKS, self._timed))
                    self._ask(trial, steps, every, table, rng)
                if steps == steps_most:
                    raise _Endless(f"A random round is not over after {STEPS_MOST} steps.")
                if stuck(table):
                    raise _Endless(
                        "Nobody can move, nothing happens by itself, and it is not over."
                    )
                table.step()
            except Exception as error:  # noqa: BLE001 (the rules may raise anything)
                self.blame(PLAYING, error, trial, steps, table)
                return None
            steps += 1
        return steps

    def _next_round(self, table: Playout, trial: Trial, steps: int) -> bool:
        """Whether the next round is open; where it does not open by itself, all want it."""
        if not table.state.over:
            return table.state.closed is None
        with self._blaming(PLAYING, trial, steps, table), suppress(Refused):  # Someone has left.
            if table.state.again_ms is not None:
                table.fire()
            else:
                for seat in table.seats:
                    table.act(seat, house.Rematch())
        return table.state.closed is None and table.running

    def _ask(
        self,
        trial: Trial,
        steps: int,
        asked: Iterator[tuple[Check, Callable[..., None] | None]],
        table: Playout,
        *rng: Random,
    ) -> None:
        for check, function in asked:
            if function is not None and check.title not in self._faults:
                with self._blaming(check, trial, steps, table):
                    function(table, *rng)


def _people(game: Game[Any], options: Mapping[str, Any]) -> int | None:
    """Two where a round begins empty and seats are kept, since nobody walks in; else as needed."""
    seats = game.seats(TableRules(game).read_options(dict(options)))
    return min(2, seats.most) if seats.kept and seats.least == 0 else None
