"""`gamehall replay`: a game from its log, step by step, with any game's generic picture."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TextIO

import msgspec
from cyclopts import Parameter

from gamehall.catalogue import journaled
from gamehall.cli.options import RulesFiles
from gamehall.cli.output import fail
from gamehall.cli.replay.analysing import Analyst, analyst_of
from gamehall.cli.replay.showing import drawn, event_words
from gamehall.cli.replay.time_travel import Traveller
from gamehall.cli.source import SourceError, read_lines
from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.journal import Row
from gamehall.table_log.log import Log, LogError, read_log
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState
from gamehall.terminal.text import printable


def replay(
    source: str,
    *,
    seconds: float | None = None,
    plain: bool = False,
    analyse: bool = False,
    step: Annotated[bool, Parameter(negative="")] = False,
    at: int | None = None,
    seat: int | None = None,
    game: RulesFiles = (),
) -> int:
    """Show a game from its log, step by step. Enter leads on, q quits.

    Example: gamehall replay http://127.0.0.1:8000/api/tables/7/journal --seconds 0.5

    Example: gamehall replay http://127.0.0.1:8000/api/tables/7/journal --analyse

    Example: gamehall replay journal.jsonl --step --seat 1

    Parameters
    ----------
    source
        A journal file, or the address of a table's journal.
    seconds
        The pause between two steps, instead of Enter.
    plain
        No colours.
    analyse
        Whether every drop of Connect Four is told with what each column was worth: winning, drawing
        or losing, and after how many stones. For the standard board, where the solver is installed.
    step
        Go back and forth: at each row, what a seat sees and may do.
    at
        Only this row, as with `--step`; together, where that begins.
    seat
        Whose sight `--step` and `--at` show; a spectator's if not given.
    """
    if seconds is not None and not 0 <= seconds <= 3600:
        return fail("The pause is 0 to 3600 seconds.", 2)
    games = journaled(game)
    screen = Screen(sys.stdout, sys.stdin, seconds, plain)
    if analyse and (step or at is not None):
        return fail("--analyse goes with neither --step nor --at.", 2)
    return show(source, games, screen, sys.stderr, analyse=analyse, step=step, at=at, seat=seat)


class Screen:
    """Where steps are shown: one by one on a terminal, all at once elsewhere."""

    def __init__(
        self, out: TextIO, keys: TextIO, seconds: float | None = None, plain: bool = False
    ) -> None:
        self._out = out
        self._keys = keys
        self._seconds = seconds
        self.colour = out.isatty() and not plain and "NO_COLOR" not in os.environ

    def write(self, lines: list[str]) -> None:
        self._out.write("".join(f"{line}\n" for line in lines))
        self._out.flush()

    def wait(self) -> bool:
        """Whether the next step is wanted, when it is time for it."""
        if not self._out.isatty():
            return True
        if self._seconds is not None:
            time.sleep(self._seconds)
            return True
        if not self._keys.isatty():
            return True
        return self.asked("Enter: next step · q: quit ") is not None

    def asked(self, prompt: str) -> str | None:
        """What is typed, or None at the end."""
        self._out.write(prompt)
        self._out.flush()
        answer = self._keys.readline()
        return None if answer == "" or answer.strip().lower() == "q" else answer.strip()


def show(
    source: str,
    games: Mapping[str, Game[Any]],
    screen: Screen,
    err: TextIO,
    *,
    analyse: bool = False,
    step: bool = False,
    at: int | None = None,
    seat: int | None = None,
) -> int:
    """0 if the log was shown, 1 if it cannot be had or shown, 2 if the call was wrong."""
    try:
        log = read_log(read_lines(source), games)
        if step or at is not None:
            traveller = Traveller(log, screen.colour, at, seat)
            screen.write(traveller.moment())
            while step and (wish := screen.asked(traveller.prompt)) is not None:
                screen.write(traveller.go(wish))
        else:
            analyst = analyst_of(log) if analyse else None
            for place, frame in enumerate(_frames(log, screen.colour, analyst)):
                if place and not screen.wait():
                    break
                screen.write(frame)
    except SourceError as error:
        return fail(str(error), error.exit_code, err)
    except LogError as error:
        return fail(str(error), 1, err)
    except KeyboardInterrupt:
        screen.write([""])
    return 0


def _frames(log: Log, colour: bool, analyst: Analyst | None) -> Iterator[list[str]]:
    """The lines to show for each row. Raises LogError if a forged row does not fit the rules."""
    rules = TableRules(log.game)
    state: TableState | None = None
    began_ms = log.rows[0].at_ms
    for row in log.rows:
        frame = [f"Row {row.seq} of {log.rows[-1].seq}, after {_clock(row.at_ms - began_ms)}"]
        try:
            state = _told(rules, state, row, frame, analyst)
            frame += _picture(log.game, state, colour)
        except Exception as error:  # noqa: BLE001 (a forged log can make any rules fail)
            what = f"Row {row.seq} cannot be shown: the rules fail ({type(error).__name__})."
            raise LogError(row.seq, what) from None
        yield [*frame, ""]
    if log.filtered or log.running is not None:
        yield ["This round has no end in the log."]


def _told(
    rules: TableRules,
    state: TableState | None,
    row: Row,
    frame: list[str],
    analyst: Analyst | None,
) -> TableState | None:
    for event in row.events:
        if state is None and not isinstance(event, house.Opened):
            continue  # The end of a round that is not in this log.
        chairs = {} if state is None else state.chairs
        state = rules.apply(state, event)
        if isinstance(event, house.SeatsDrawn):
            chairs = state.chairs
        names = {seat: person.name for seat, person in chairs.items()}
        frame.append(printable(f"  {event_words(event, names)}"))
        if analyst is not None:
            frame += analyst.words(event, row.seq)
    return state


def _picture(game: Game[Any], state: TableState | None, colour: bool) -> Iterator[str]:
    if state is None or state.game is None:
        return
    view = game.view(state.game, None)
    picture = game.picture(view)
    if picture is None:
        yield printable(msgspec.json.encode(view).decode())
    else:
        yield from drawn(picture, colour)


def _clock(ms: int) -> str:
    minutes, rest_ms = divmod(ms, 60_000)
    return f"{minutes}:{rest_ms / 1000:06.3f}"
