"""The hall on the screen: games, tables, players, challenges, and what is new."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from gamehall.terminal.dialogs import Room
from gamehall.terminal.text import printable

LISTED_MAX = 200


class HallScreen(Room):
    AUTO_FOCUS = "#games"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next list"),
        Binding("j", "by_number('sit')", "Join by number"),
        Binding("w", "by_number('watch')", "Watch by number"),
        Binding("c", "cancel", "Stop looking"),
        Binding("q", "app.quit", "Quit"),
    ]
    DEFAULT_CSS = """
    HallScreen OptionList { border: round $primary; padding: 0; height: 1fr; }
    HallScreen OptionList:focus { border: heavy $accent; }
    HallScreen #games { width: 28; }
    HallScreen #challenges { height: auto; max-height: 5; }
    HallScreen #log { height: 4; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, list[tuple[str, str]]] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal():
            yield self._list("games", "Games")
            with Vertical():
                yield self._list("tables", "Tables")
                yield self._list("players", "Players")
        yield self._list("challenges", "Challenges")
        yield RichLog(id="log", wrap=True, min_width=10, max_lines=200)
        yield Static(id="refusal")
        yield Footer(show_command_palette=False)

    def _list(self, id: str, title: str) -> OptionList:
        options = OptionList(id=id)
        options.border_title = title
        return options

    # What is shown

    def tell(self, line: str) -> None:
        for log in self.query("#log").results(RichLog):
            log.write(Text(line))

    def draw(self) -> None:
        session = self.hall.session
        lobby, me = session.lobby, session.me
        state = "CONNECTION LOST, trying to come back …" if session.away else session.client.url
        seeking = "".join(f" · looking for {lobby.title(game)} …" for game in lobby.seeking)
        title = f"Gamehall · {me['name']} · {session.balance or 0:,} chips · {state}{seeking}"
        self.put("#title", printable(title))
        self._fill("games", ((game["name"], game["title"]) for game in lobby.games.values()))
        self._fill(
            "tables", ((str(each["id"]), self._table(each)) for each in lobby.tables.values())
        )
        self._fill(
            "players",
            (
                (str(each["id"]), f"{each['name']} ({each['status']})")
                for each in lobby.players.values()
                if each["id"] != me["id"]
            ),
        )
        received = (
            (f"received {each['challenge']}", f"{each['name']}: {lobby.title(each['game'])}?")
            for each in lobby.received.values()
        )
        sent = (
            (f"sent {each['challenge']}", f"to {each['name']}: {lobby.title(each['game'])}")
            for each in lobby.sent.values()
        )
        self._fill("challenges", (*received, *sent))
        challenges = self.query_one("#challenges")
        challenges.display = bool(lobby.received or lobby.sent)

    def _table(self, table: dict[str, Any]) -> str:
        names = ", ".join(table["names"]) or "nobody yet"
        state = "sit down" if table["status"] == "waiting" else "watch"
        return f"{table['id']} {self.hall.session.lobby.title(table['game'])}: {names} ({state})"

    def _fill(self, id: str, options: Iterable[tuple[str, str]]) -> None:
        wanted = [(key, printable(text)) for key, text in options][:LISTED_MAX]
        if self._shown.get(id) == wanted:
            return
        self._shown[id] = wanted
        shown = self.query_one(f"#{id}", OptionList)
        at = shown.highlighted
        kept = None if at is None else shown.get_option_at_index(at).id
        shown.clear_options()
        shown.add_options(Option(Text(text, no_wrap=True), id=key) for key, text in wanted)
        keys = [key for key, _ in wanted]
        if keys:
            shown.highlighted = keys.index(kept) if kept in keys else 0

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "cancel" or bool(self.hall.session.lobby.seeking)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        id = event.option.id
        assert id is not None
        match event.option_list.id:
            case "games":
                self.hall.do(self._play(id))
            case "tables":
                self.hall.do(self._go_to_table(int(id)))
            case "players":
                self.hall.do(self._challenge(int(id)))
            case "challenges":
                kind, _, number = id.partition(" ")
                self.hall.do(self._answer(kind, int(number)))

    async def _play(self, name: str) -> None:
        hall = self.hall
        game = hall.session.lobby.games[name]
        match_words = "Go to the hall's table" if game["least"] == 0 else "Play whoever comes next"
        bots = {f"bot {name} {level}": f"Play the {level} bot" for level in game["bots"]}
        orders = {
            f"match {name}": match_words,
            **(bots if game["least"] else {}),
            f"open {name}": "Open a table for anyone",
            f"private {name}": "Open a private table",
            "options": "Open a table with other options",
        }
        order = await hall.choose(game["title"], orders)
        if order == "options":
            known = " ".join(f"{key}={value}" for key, value in game["options"].items())
            typed = await hall.ask("Options, as name=value", known)
            order = None if typed is None else f"open {name} {typed}"
        await hall.orders.obey(order or "")

    async def _go_to_table(self, id: int) -> None:
        table = self.hall.session.lobby.tables.get(id)
        is_free = table is not None and table["status"] == "waiting"
        orders = {f"sit {id}": "Sit down"} if is_free else {}
        order = await self.hall.choose(f"Table {id}", {**orders, f"watch {id}": "Watch"})
        await self.hall.orders.obey(order or "")

    async def _challenge(self, player: int) -> None:
        lobby = self.hall.session.lobby
        choices = {name: game["title"] for name, game in lobby.games.items() if game["least"]}
        game = await self.hall.choose(f"Challenge {lobby.name_of(player)} to", choices)
        if game is not None:
            await self.hall.orders.challenge(player, game)

    async def _answer(self, kind: str, challenge: int) -> None:
        session = self.hall.session
        if kind == "sent":
            if await self.hall.choose("Your challenge", {"withdraw": "Take it back"}):
                await session.withdraw(challenge)
            return
        choices = {"accept": "Accept", "refuse": "Decline"}
        choice = await self.hall.choose("You are challenged", choices)
        if choice is not None:
            await session.answer_challenge(challenge, choice == "accept")

    def action_by_number(self, verb: str) -> None:
        self.hall.do(self._by_number(verb))

    async def _by_number(self, verb: str) -> None:
        typed = await self.hall.ask("Table and key, as 7, or 7 KEY for a private one", "")
        if typed:
            await self.hall.orders.obey(f"{verb} {typed}")

    def action_cancel(self) -> None:
        self.hall.do(self.hall.session.cancel_seek())
