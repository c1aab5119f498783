"""Everything this player knows of the hall, kept up by its notices, and all it can do there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal, Protocol

from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient
from gamehall.terminal.lobby import Lobby
from gamehall.terminal.table import Table
from gamehall.terminal.text import printable
from gamehall.terminal.words import Payload

CATCH_UP_SECONDS = 10.0
"""How long one's own move may take to be seen, after the hall has taken it."""


class Screen(Protocol):
    """Where the player sees the hall."""

    def say(self, line: str) -> None:
        """Something was said, or has happened."""

    def show(self) -> None:
        """Anything may have changed."""


class Session:
    """One player in the hall, who sees on a screen what is new; on none before `show_on`.

    Call `enter`, then run `listen` until it ends.
    """

    def __init__(self, client: NativeClient) -> None:
        self.client = client
        self.lobby = Lobby()
        self.here: Table | None = None
        """The table that is looked at; None in the hall."""
        self.away: str | None = None
        """Why there is no connection at the moment."""
        self.ended = False
        """Whether there will be no connection any more."""
        self.balance: int | None = None
        self._screen: Screen | None = None
        self._something_changed = asyncio.Event()
        self._refreshing: dict[int, bool] = {}
        """Tables whose view was asked for, and whether it has to be asked for again."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._left: set[int] = set()

    @property
    def me(self) -> Payload:
        player: Payload = self.client.welcome["player"]
        return player

    def show_on(self, screen: Screen | None) -> None:
        self._screen = screen

    async def enter(self) -> None:
        """Learns what is in the hall. Raises RequestRefused or ConnectionLost."""
        self.balance = self.me["balance"]
        # First, so that no change is missed between the lists and it.
        await self.client.request("watch_lobby")
        await self._list()
        for seat in self.client.welcome["tables"]:
            self._refresh(seat["table"])

    async def _list(self) -> None:
        games = await self.client.request("list_games")
        tables = await self.client.request("list_tables", {"limit": 200})
        players = await self.client.request("list_players", {"limit": 200})
        challenges = await self.client.request("challenges")
        self.lobby.listed(games["games"], tables["tables"], players["players"], challenges)
        self._change()

    async def listen(self) -> None:
        """Takes notices for as long as the client lives; raises why it has ended."""
        try:
            async for action, payload in self.client:
                self._take(action, payload)
                self._change()
        finally:
            self.ended = True
            self._change()

    async def until(self, holds: Callable[[], bool], seconds: float | None = None) -> bool:
        """Whether it holds in time."""
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    self._something_changed.clear()
                    await self._something_changed.wait()
        except TimeoutError:
            return False
        return True

    def _change(self) -> None:
        self._something_changed.set()
        if self._screen is not None:
            self._screen.show()

    # What the player does: each raises RequestRefused or ConnectionLost

    async def open(
        self, game: str, options: Payload, *, private: bool = False, bot: str | None = None
    ) -> None:
        """A table, with a seat at it."""
        asked = {"game": game, "options": options, "private": private}
        opened = await self.client.request(
            "open_table", {**asked, "bots": [] if bot is None else [bot]}
        )
        await self.come_to(opened["table"])
        if private:
            key = opened["key"]
            self._say(f"Table {opened['table']} is private. Its key, for your guest: {key}")

    async def come_to(
        self, table: int, key: str | None = None, *, how: Literal["sit", "watch"] = "sit"
    ) -> None:
        keyed = {} if key is None else {"key": key}
        await self.client.request(how, {"table": table, **keyed})
        self._go_to(table)

    async def claim(self, uid: int, key: str) -> None:
        seat = await self.client.request("claim_match", {"uid": uid, "key": key})
        self._go_to(seat["table"])

    async def seek(self, game: str, options: Payload) -> None:
        if self.lobby.games[game]["least"]:
            self._say(f"Looking for someone to play {self.lobby.title(game)} with …")
        # It may be the hall's own table again.
        self._left.clear()
        self.lobby.seeking.add(game)
        self._change()
        try:
            await self.client.request("seek", {"game": game, "options": options})
        except RequestRefused:
            self.lobby.seeking.discard(game)
            raise

    async def cancel_seek(self) -> None:
        await self.client.request("cancel_seek")
        self.lobby.seeking.clear()
        self._say("No longer looking for an opponent.")

    async def challenge(self, player: int, game: str, options: Payload) -> None:
        asked = {"player": player, "game": game, "options": options}
        done = await self.client.request("challenge", asked)
        name = self.lobby.name_of(player)
        self.lobby.sent[done["challenge"]] = {**asked, "challenge": done["challenge"], "name": name}
        self._say(f"You challenge {name} to {self.lobby.title(game)}.")

    async def answer_challenge(self, challenge: int, accept: bool) -> None:
        self.lobby.received.pop(challenge, None)
        action = "accept" if accept else "refuse"
        answer = await self.client.request(action, {"challenge": challenge})
        if accept:
            self._go_to(answer["table"])

    async def withdraw(self, challenge: int) -> None:
        self.lobby.sent.pop(challenge, None)
        await self.client.request("withdraw", {"challenge": challenge})

    async def act(self, command: Payload) -> None:
        """Returns when what it caused is seen."""
        await self._act("act", command=command)

    async def rebet(self) -> None:
        """One's bets of the last round in which one bet, once more; as `act`."""
        await self._act("rebet")

    async def _act(self, action: str, **fields: Any) -> None:
        table = self._table()
        done = await self.client.request(action, {"table": table.id, **fields})
        self._refresh(table.id)

        def seen() -> bool:
            return table.view is not None and table.view["seq"] >= done["seq"]

        await self.until(seen, CATCH_UP_SECONDS)

    async def say(self, text: str) -> None:
        await self.client.request("say", {"table": self._table().id, "text": text})

    async def rematch(self) -> None:
        await self.client.request("rematch", {"table": self._table().id})

    async def refill(self) -> None:
        self.balance = (await self.client.request("refill"))["balance"]
        self._say("The hall gives you new chips.")

    async def leave(self) -> None:
        """Back to the hall; a seat is given up."""
        table = self._table()
        self._left.add(table.id)
        self.here = None
        self._change()
        game = None if table.view is None else self.lobby.games.get(table.view["game"])
        if game is None or not game["walk_in"]:
            try:
                await self.client.request("leave", {"table": table.id})
            except RequestRefused as refused:
                # A spectator, or the table has closed meanwhile.
                if refused.code not in ("not_seated", "no_such_table", "table_closed"):
                    raise
        with suppress(RequestRefused):
            await self.client.request("unwatch", {"table": table.id})

    def _table(self) -> Table:
        if self.here is None:
            raise RequestRefused("not_at_table", "You are at no table.")
        return self.here

    def _go_to(self, table: int) -> None:
        self._left.discard(table)
        self.lobby.seeking.clear()
        if self.here is None or self.here.id != table:
            self.here = Table(table)
        self._refresh(table)
        self._change()

    # What the hall tells

    def _say(self, line: str) -> None:
        shown = printable(line) if self.here is None else self.here.tell(line)
        if self._screen is not None:
            self._screen.say(shown)
        self._change()

    def _take(self, action: str, payload: Payload) -> None:
        match action:
            case "connection_lost":
                self.away = payload["reason"]
                self._say(f"Connection lost: {payload['reason']}. Trying to come back …")
            case "connected":
                self.away = None
                self._say("Connected again; the game goes on.")
                self._start(self._list())
            case "seated" if payload["table"] not in self._left:
                self._go_to(payload["table"])
            case "going_away":
                self._say("The hall is about to stop. This client will try to come back.")
            case "not_begun":
                self._say("The game has not begun: the hall could not save it. Try again.")
            case "lobby":
                self.lobby.changes(payload["tables"], payload["players"])
            case _ if action.startswith("challenge"):
                line = self.lobby.challenge(action, payload)
                if line is not None:
                    self._say(line)
            case _ if "table" in payload:
                self._at_table(action, payload)

    def _at_table(self, action: str, payload: Payload) -> None:
        id = payload["table"]
        if action == "table_view":
            self._take_view(payload)
        if self.here is None or self.here.id != id:
            return
        table = self.here
        match action:
            case "table_events":
                self._take_events(table, payload["events"])
            case "table_over" if payload["outcome"] is None or table.status == "playing":
                # Where the next round opens in the same moment, no view shows the end.
                table.result = table.speaker.outcome(payload["outcome"])
            case "glance" if table.view is not None:
                table.view["view"].update(payload["view"])
            case "watching" if table.view is not None:
                table.view["watching"] = payload["count"]
            case "said":
                self._say(f"{payload['name']}: {payload['text']}")
            case "player_dropped":
                table.away[payload["player"]] = payload["name"]
                self._say(f"{payload['name']} is away; the seat is kept {payload['seconds']:g} s.")
            case "player_back":
                table.away.pop(payload["player"], None)
                self._say(f"{payload['name']} is back.")
            case "table_gone":
                self._say("This table is there no longer.")
                self.here = None

    def _take_view(self, view: Payload) -> None:
        id = view["table"]
        if view["game"] == "tournament":
            return
        if self.here is None and id not in self._left and view["status"] in ("waiting", "playing"):
            # A seat that this player has anyway: after a pairing, or from before.
            self.here = Table(id)
            self.lobby.seeking.clear()
        if self.here is not None and self.here.id == id:
            self.here.take_view(view)

    def _take_events(self, table: Table, events: list[Payload]) -> None:
        closed = False
        for event in events:
            line = table.speaker.event(event)
            if line is not None:
                self._say(line)
            closed = closed or event["type"] == "closed"
        if closed and table.view is not None:
            table.view = {**table.view, "status": "closed", "legal": [], "clock": None}
        else:
            self._refresh(table.id)

    # Views

    def _refresh(self, table: int) -> None:
        """Asks for a view; if one is on its way, for another after it."""
        if table in self._refreshing:
            self._refreshing[table] = True
            return
        self._refreshing[table] = False
        self._start(self._ask_view(table))

    async def _ask_view(self, table: int) -> None:
        try:
            while self.here is not None or table not in self._left:
                self._refreshing[table] = False
                await self.client.request("resume", {"table": table})
                view = None if self.here is None else self.here.view
                if view is not None and view["game"] == "sicbo":
                    self.balance = (await self.client.request("balance"))["balance"]
                    self._change()
                if not self._refreshing[table]:
                    return
        except RequestRefused:
            if self.here is not None and self.here.id == table:
                raise
        finally:
            del self._refreshing[table]

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            try:
                await work
            except (RequestRefused, ConnectionLost) as error:
                self._say(str(error))

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
