"""The hall line by line: sentences out, typed lines in. For screen readers, pipes and any terminal.

Lines of a person are obeyed at once. Through a pipe the next line is read when it can be of use: at
one's turn, or when nothing is waited for.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from typing import TextIO

from gamehall.client.asking import RequestRefused
from gamehall.terminal.boards.board import Unclear, drawn
from gamehall.terminal.orders import HALL_HELP, TABLE_HELP, Orders
from gamehall.terminal.session import Session
from gamehall.terminal.table import Table
from gamehall.terminal.text import printable, spoken
from gamehall.terminal.words import Payload

LINES_AHEAD_MAX = 16
"""Typed lines that may wait; the rest stays in the pipe."""


class Lines:
    """Lines of a text stream, read by a thread so that nothing waits for it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(LINES_AHEAD_MAX)
        self._loop = asyncio.get_running_loop()
        # A daemon: a thread that waits for a key cannot be ended otherwise.
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._stream:
                self._put(line)
            self._put(None)
        except RuntimeError:
            return  # The loop is closed: nobody reads any more.

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    async def next(self) -> str | None:
        """None at the end of the input."""
        line = await self._lines.get()
        self._room.release()
        return line


class PlainPlay:
    """One player who types. `stay` is False when leaving the table means leaving the hall."""

    def __init__(self, session: Session, input: TextIO, output: TextIO, *, stay: bool) -> None:
        self._session = session
        self._output = output
        self._typed = Lines(input)
        self._patient = not input.isatty()
        self._stay = stay
        self._done = False
        self._orders = Orders(session, self._ask, self._finish)
        self._shown: object = None
        """What was last read out of the table."""
        session.show_on(self)

    async def play(self) -> None:
        """Returns when the player has had enough. Raises ConnectionLost."""
        if self._session.here is None:
            self.say("You are in the hall. Type help for what can be said here.")
            self._show_games()
        was_here = False
        while not self._done:
            if self._patient:
                await self._session.until(self._is_asked)
            if was_here and self._session.here is None and not self._stay:
                return
            was_here = self._session.here is not None
            line = await self._typed.next()
            if line is None:
                return
            await self._obey(line)

    async def _obey(self, line: str) -> None:
        try:
            if not self._read_out(line.strip().lower()):
                await self._orders.obey(line)
        except (RequestRefused, Unclear) as refusal:
            self.say(str(refusal))

    def _is_asked(self) -> bool:
        session = self._session
        if session.away is not None:
            return False
        if session.here is not None:
            return session.here.waits_for_me
        return not session.lobby.seeking and not session.lobby.sent

    def _finish(self) -> None:
        self._done = True

    async def _ask(self, question: str, default: str) -> str | None:
        self.say(f"{question} Enter: {default}")
        answer = await self._typed.next()
        return None if answer is None else answer.strip() or default

    # What is said

    def say(self, line: str) -> None:
        self._output.write(spoken(line) + "\n")
        self._output.flush()

    def _print_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def _read_out(self, word: str) -> bool:
        """Whether it was a wish to hear something."""
        lobby, here = self._session.lobby, self._session.here
        match word:
            case "help":
                self._print_all(HALL_HELP if here is None else TABLE_HELP)
                if here is not None and here.board().hint:
                    self.say(f"A move: {here.board().hint}")
            case "board" if here is not None:
                self._show_table(here)
            case "who" if here is not None:
                self._print_all(here.people())
            case "games" if here is None:
                self._show_games()
            case "tables" if here is None:
                self._print_all(map(self._table, lobby.tables.values()))
                self.say(f"{len(lobby.tables)} tables.")
            case "players" if here is None:
                self._print_all(
                    printable(f"{each['name']}, {each['status']}")
                    for each in lobby.players.values()
                )
            case "challenges" if here is None:
                for each in lobby.received.values():
                    self.say(printable(f"From {each['name']}: {lobby.title(each['game'])}"))
                for each in lobby.sent.values():
                    self.say(printable(f"To {each['name']}: {lobby.title(each['game'])}"))
                self.say(f"{len(lobby.received) + len(lobby.sent)} challenges.")
            case _:
                return False
        return True

    def _show_games(self) -> None:
        for game in self._session.lobby.games.values():
            bots = f"; bots: {', '.join(game['bots'])}" if game["bots"] else ""
            self.say(printable(f"{game['name']}: {game['title']}{bots}"))

    def _table(self, table: Payload) -> str:
        names = ", ".join(table["names"]) or "nobody yet"
        state = "a free seat" if table["status"] == "waiting" else "running"
        title = self._session.lobby.title(table["game"])
        return printable(f"Table {table['id']}: {title}, {state}: {names}")

    # The table, whenever it is worth reading again

    def show(self) -> None:
        here = self._session.here
        if here is None or here.view is None:
            if self._shown is not None and here is None:
                self.say("You are in the hall.")
            self._shown = None
            return
        watches = here.seat is None
        if not (watches or here.waits_for_me or here.status == "waiting"):
            return
        board = here.board(plain=True)
        looks = board.news if board.news is not None else tuple(drawn(board))
        now = (here.id, here.status, here.view["round"], here.turn(), looks)
        if now != self._shown:
            self._shown = now
            self._show_table(here)

    def _show_table(self, table: Table) -> None:
        board = table.board(plain=True)
        self._print_all(drawn(board))
        if self._session.balance is not None and table.view and table.view["game"] == "sicbo":
            self.say(f"You have {self._session.balance:,} chips.")
        self.say(table.standing())
        if table.status == "over" and table.seat is not None:
            self.say("Type rematch, or leave.")
        if table.waits_for_me and board.hint and table.status == "playing":
            self.say(f"Type {board.hint}.")
