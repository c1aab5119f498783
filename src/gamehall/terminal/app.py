"""The hall on a whole terminal, drawn by Textual."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from textual.app import App

from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.terminal.boards.board import Unclear
from gamehall.terminal.dialogs import Dialog, Menu, Question, Room
from gamehall.terminal.hall_screen import HallScreen
from gamehall.terminal.orders import Orders
from gamehall.terminal.session import Session
from gamehall.terminal.table import Table
from gamehall.terminal.table_screen import TableScreen


class HallApp(App[None]):
    """One player's screen. `stay` is False when leaving the table means leaving the hall."""

    TITLE = "Gamehall"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, *, stay: bool = True) -> None:
        super().__init__()
        self.session = session
        self.orders = Orders(session, self.ask, self.exit)
        self._stay = stay
        self._hall_screen = HallScreen()
        self._shown: Table | None = None
        self._sync_is_due = False

    async def on_mount(self) -> None:
        await self.push_screen(self._hall_screen)
        self.session.show_on(self)
        self.show()

    def on_unmount(self) -> None:
        self.session.show_on(None)

    # From the hall to the screen

    def show(self) -> None:
        # Many changes of one moment are drawn once.
        if not self._sync_is_due:
            self._sync_is_due = True
            self.call_later(self._sync)

    async def _sync(self) -> None:
        self._sync_is_due = False
        session = self.session
        if session.ended:
            self.exit()
        elif session.here is not self._shown:
            if isinstance(self.screen, Dialog):
                # What it asks about is over: go on when it has closed.
                self.screen.dismiss(None)
                self.show()
                return
            if self._shown is not None:
                await self.pop_screen()
            self._shown = session.here
            if self._shown is not None:
                await self.push_screen(TableScreen(self._shown))
            elif not self._stay:
                self.exit()
        for screen in self.screen_stack:
            if isinstance(screen, Room):
                screen.sync()

    def say(self, line: str) -> None:
        # What is said at a table is shown there.
        if self.session.here is None:
            self._hall_screen.tell(line)

    # From the player to the hall

    def do(self, work: Coroutine[Any, Any, Any]) -> None:
        """Has it done, and shows why if it was refused."""
        self.run_worker(self._do(work), exit_on_error=True)

    async def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        self._refuse("")
        try:
            await work
        except (RequestRefused, ConnectionLost, Unclear) as refusal:
            self._refuse(str(refusal))

    def _refuse(self, sentence: str) -> None:
        for screen in reversed(self.screen_stack):
            if isinstance(screen, Room):
                screen.refuse(sentence)
                return

    async def choose(self, title: str, choices: dict[str, str]) -> str | None:
        """The key of what is chosen; None: nothing."""
        return await self.push_screen_wait(Menu(title, choices))

    async def ask(self, question: str, default: str) -> str | None:
        return await self.push_screen_wait(Question(question, default))
