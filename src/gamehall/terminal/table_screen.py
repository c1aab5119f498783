"""A table on the screen: the board, who is there, what was said, and a line to type."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.widgets import Footer, Input, RichLog, Static

from gamehall.terminal.board_view import BoardView
from gamehall.terminal.dialogs import Room
from gamehall.terminal.table import Table
from gamehall.terminal.text import printable

CLOCK_SECONDS = 0.5
"""How often the time that is left is drawn anew."""


class TableScreen(Room):
    AUTO_FOCUS = "BoardView"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "type('say ')", "Say"),
        Binding("colon", "type('')", "Type", key_display=":"),
        Binding("x", "obey('resign')", "Resign"),
        Binding("d", "obey('draw')", "Draw?"),
        Binding("a", "obey('accept')", "Accept draw"),
        Binding("n", "obey('decline')", "Decline draw"),
        Binding("b", "obey('rebet')", "Bet again"),
        Binding("m", "obey('rematch')", "Play again"),
        Binding("h", "obey('sit')", "Sit down"),
        Binding("l", "obey('leave')", "Leave"),
        Binding("escape", "back", show=False),
    ]
    DEFAULT_CSS = """
    TableScreen #pane { width: 1fr; padding: 0 1; }
    TableScreen #pane > Static { width: 100%; }
    TableScreen #side { width: 27; border-left: solid $primary; padding: 0 0 0 1; }
    TableScreen #people { height: auto; max-height: 8; }
    TableScreen #log { height: 1fr; margin: 1 0 0 0; }
    TableScreen #turn { height: 1; padding: 0 1; text-style: bold; }
    TableScreen #line { height: 1; padding: 0 1; }
    """

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table
        self._told = 0

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal():
            with ScrollableContainer(id="pane", can_focus=False):
                yield Static(id="above")
                yield BoardView()
                yield Static(id="below")
            with Vertical(id="side"):
                yield Static(id="people")
                yield RichLog(id="log", wrap=True, min_width=10, max_lines=200)
        yield Static(id="turn")
        yield Static(id="refusal")
        yield Input(id="line", compact=True, select_on_focus=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.set_interval(CLOCK_SECONDS, self.show_turn)

    # What is shown

    def draw(self) -> None:
        table, session = self._table, self.hall.session
        board = table.board()
        self.query_one(BoardView).show(board)
        self.put("#above", "\n".join(map(printable, board.above)))
        self.put("#below", "\n".join(map(printable, board.below)))
        self.put("#title", self._title())
        people = table.people()
        if session.balance is not None and table.view and table.view["game"] == "sicbo":
            people.append(f"Your chips: {session.balance:,}")
        self.put("#people", "\n".join(people))
        log = self.query_one("#log", RichLog)
        new = min(table.told - self._told, len(table.lines))
        for said in list(table.lines)[len(table.lines) - new :]:
            log.write(Text(said))
        self._told = table.told
        line = self.query_one("#line", Input)
        line.placeholder = f"Type {board.hint} …" if board.hint and table.waits_for_me else ""
        self.show_turn()

    def show_turn(self) -> None:
        table, session = self._table, self.hall.session
        if session.away is not None:
            said = "CONNECTION LOST. Trying to come back; nothing is lost …"
        else:
            said = table.standing()
            if table.result is not None and table.status == "playing":
                said = f"{printable(table.result)} {said}"
        self.put("#turn", said)

    def _title(self) -> str:
        view = self._table.view
        if view is None:
            return f"Table {self._table.id}"
        words = [
            self.hall.session.lobby.title(view["game"]),
            f"table {view['table']}",
            f"round {view['round']}",
        ]
        if view["watching"]:
            words.append(f"{view['watching']} watching")
        if view["key"] is not None:
            words.append(f"key {view['key']}")
        return printable(" · ".join(words))

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        table, session = self._table, self.hall.session
        if action != "obey" or table.view is None:
            return action != "obey" or parameters == ("leave",)
        view = table.view
        commands = session.lobby.games.get(view["game"], {}).get("commands", ())
        offered = any(each["type"] == "answer_draw" for each in view["legal"])
        match parameters:
            case ("resign",):
                return table.plays and "resign" in commands
            case ("draw",):
                return table.plays and "offer_draw" in commands and not offered
            case ("accept" | "decline",):
                return offered
            case ("rebet",):
                return bool(view["game"] == "sicbo")
            case ("rematch",):
                return table.status == "over" and table.seat is not None
            case ("sit",):
                sits = any(person["id"] == session.me["id"] for person in view["players"])
                return table.status == "waiting" and not sits
        return True

    async def on_key(self, event: events.Key) -> None:
        """Before bindings are looked up: keys that come fast must not overtake each other."""
        line = self.query_one("#line", Input)
        keys = self._table.board().keys
        sign = (event.character or "").lower()
        if self.focused is line:
            # It was on its way to the board when the line began.
            if event.is_printable and event.character:
                line.insert_text_at_cursor(event.character)
            elif event.key == "enter":
                await line.action_submit()
            else:
                return
        elif sign in keys:
            self.hall.do(self.hall.session.act(keys[sign]))
        elif sign.isdecimal():
            self.action_type(sign)
        elif sign == ":":
            self.action_type("")
        elif sign == "t":
            self.action_type("say ")
        else:
            return
        event.stop()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self.hall.do(self.hall.session.act(event.command))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line, event.input.value = event.value, ""
        self.set_focus(self.query_one(BoardView))
        self.hall.do(self.hall.orders.obey(line))

    def action_type(self, beginning: str) -> None:
        """For the footer too; its two keys are taken by `on_key`."""
        line = self.query_one("#line", Input)
        # At once: the next keys may be here already.
        self.set_focus(line)
        line.value = beginning
        line.action_end()

    def action_back(self) -> None:
        self.query_one("#line", Input).value = ""
        board = self.query_one(BoardView)
        board.unchoose()
        self.set_focus(board)

    def action_obey(self, order: str) -> None:
        self.hall.do(self._obey(order))

    async def _obey(self, order: str) -> None:
        """Asks before the player loses something by it."""
        table = self._table
        question = "Really resign?" if order == "resign" else ""
        if order == "leave" and table.plays and table.view and table.view["game"] != "sicbo":
            question = "Really leave? You lose."
        sure = {"no": "No, play on", "yes": "Yes"}
        if not question or await self.hall.choose(question, sure) == "yes":
            await self.hall.orders.obey(order)
