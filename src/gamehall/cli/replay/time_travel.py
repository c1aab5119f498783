"""A journal at any of its rows: what a seat saw then, and what it could do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from gamehall.cli.replay.showing import drawn, event_words
from gamehall.cli.source import SourceError
from gamehall.table_log.log import Log, LogError
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState
from gamehall.terminal.text import printable

LEGAL_MAX = 50


class Traveller:
    """Stands at one row of a log, with the eyes of one seat, or of a spectator."""

    prompt = "n: next · p: back · NUMBER: that row · s SEAT: its sight · s: spectator · q: quit "

    def __init__(self, log: Log, colour: bool, at: int | None, seat: int | None) -> None:
        """Without `at` it begins at the first row. Raises SourceError if there is no such row."""
        self._log = log
        self._colour = colour
        self._first, self._last = log.rows[0].seq, log.rows[-1].seq
        self._at = self._first if at is None else at
        if not self._first <= self._at <= self._last:
            raise SourceError(f"The log has the rows {self._first} to {self._last}.")
        self._seat = seat

    def go(self, wish: str) -> list[str]:
        """The moment that is wished for, or what can be wished."""
        word, _, rest = wish.partition(" ")
        match word:
            case "" | "n":
                self._at = min(self._at + 1, self._last)
            case "p":
                self._at = max(self._at - 1, self._first)
            case "s" if not rest or rest.isdecimal():
                self._seat = int(rest) if rest else None
            case _ if word.isdecimal() and self._first <= int(word) <= self._last:
                self._at = int(word)
            case _:
                return [f"Type n, p, a row from {self._first} to {self._last}, s SEAT, s or q."]
        return self.moment()

    def moment(self) -> list[str]:
        """Raises LogError if a forged row does not fit the rules."""
        try:
            return list(self._lines())
        except Exception as error:  # noqa: BLE001 (a forged log can make any rules fail)
            what = f"Row {self._at} cannot be shown: the rules fail ({type(error).__name__})."
            raise LogError(self._at, what) from None

    def _lines(self) -> Iterator[str]:
        row = self._log.rows[self._at - self._first]
        state = self._state()
        who = "a spectator" if self._seat is None else f"seat {self._seat}"
        sender = "the hall" if row.seat is None else f"seat {row.seat}"
        command = msgspec.json.encode(row.command).decode()
        yield f"Row {self._at} of {self._last}, as {who} sees it"
        yield printable(f"  {sender} sent {command}")
        names = {} if state is None else {seat: p.name for seat, p in state.chairs.items()}
        for event in row.events:
            yield printable(f"  {event_words(event, names)}")
        if state is None or state.game is None:
            return
        game = self._log.game
        view = game.view(state.game, self._seat)
        picture = game.picture(view)
        if picture is not None:
            yield from drawn(picture, self._colour)
        yield printable(f"view: {msgspec.json.encode(view).decode()}")
        yield printable(f"legal: {', '.join(self._legal(state)) or 'nothing'}")

    def _legal(self, state: TableState) -> Iterator[str]:
        if self._seat in state.chairs and state.status == "playing":
            for command in islice(self._log.game.legal(state.game, self._seat), LEGAL_MAX):
                yield msgspec.json.encode(command).decode()

    def _state(self) -> TableState | None:
        """From the beginning each time: what a log has is soon applied."""
        rows = self._log.rows[: self._at - self._first + 1]
        events = (event for row in rows for event in row.events)
        return TableRules(self._log.game).replayed(None, events)
