"""A bot at the native door: it finds games, plays them, and sees no more than any client does."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from random import Random
from typing import Any

import msgspec

from gamehall.bots.bot import AnyBot
from gamehall.bots.contender import FAULTS_MAX, TRIES, Contender, LevelContender, Misbehaved, Result
from gamehall.client.asking import Payload, RequestRefused
from gamehall.client.engagement import ANY_GAMES, Engagement
from gamehall.client.following import goes_on
from gamehall.client.native_client import NativeClient
from gamehall.client.sittings import Sittings
from gamehall.games.game import Command, Game

BROKE_MAX = 3
"""How often in turn a bot may lack the chips for a bet before it gives up."""
FATAL = ("unavailable", "internal")
"""Refusals after which the same view would only lead to the same again."""


class CannotPlay(Exception):
    """Why there is no game for the bot, and what to do about it."""


class BotPlayer:
    """Plays `game` with `bot`, at one table if it is given one, else wherever there is an opponent.

    Whatever happens at a table, it asks for a fresh view and decides from that alone. Where rounds
    begin empty it goes to the hall's own table, and a round in which it has acted is a game.
    """

    def __init__(
        self,
        client: NativeClient,
        game: Game[Any],
        bot: AnyBot | Contender,
        seed: int | None = None,
        engagement: Engagement = ANY_GAMES,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`say` takes what it has to report. With a `seed` its choices depend on nothing but that,
        the row and what it sees."""
        self._client = client
        self._game = game
        self._seed = Random().getrandbits(64) if seed is None else seed
        contender = bot if isinstance(bot, Contender) else LevelContender(bot)
        self._sittings = Sittings(contender, game, self._seed)
        self._engagement = engagement
        self._games = engagement.games
        self._table, self._key = engagement.table, engagement.key
        self._seek = engagement.seek and self._table is None
        self._accept = engagement.accept and self._table is None
        self._say = say
        seats = game.seats(game.options())
        self._begins_empty = seats.least == 0
        self._may_wait = self._begins_empty and seats.kept
        """Whether one can sit at a table without a part in its round."""
        self._walks_in = not seats.kept
        self._legal: Any = list[reduce(or_, game.commands)]  # type: ignore[misc]
        self._views: dict[int, Payload] = {}
        """The last view of each table at which it sits."""
        self._part: dict[int, int] = {}
        """The round of each table in which it takes part, until that was counted as played."""
        self._acted: dict[int, int] = {}
        """The last row that it caused at each table."""
        self._finished: dict[int, int] = {}
        """The last round of each table whose end it has seen."""
        self._broke = 0
        """How often in turn it lacked the chips for a bet: they may be at stake elsewhere."""
        self._given_up: tuple[int, int] | None = None
        """The last table and round that were lost by what its player did."""
        self._faults = 0
        """How many games in turn were lost so."""
        self.played = 0

    async def play(self) -> None:
        """Returns when it has played enough, or its table has closed.

        Raises:
            CannotPlay: there is no game to be had.
            ConnectionLost: the hall was away for too long.
        """
        try:
            if self._table is None:
                await self._look_for_game()
            else:
                await self._sit(self._table)
            async for action, payload in self._client:
                await self._take(action, payload)
                await self._sittings.settle(self._rounds())
                if self._is_done():
                    return
        finally:
            await self._sittings.settle({})

    async def _take(self, action: str, payload: Payload) -> None:
        match action:
            case "table_view":
                await self._look(payload)
            case "table_events":
                await self._heard(payload)
            case "table_over":
                self._over(payload)
            case "table_gone":
                await self._forget(payload["table"])
            case "challenged":
                await self._answer(payload)
            case "connected":
                self._say("Connected again.")
                # A view that was asked for may have been lost with the connection.
                for table in tuple(self._views):
                    await self._ask_view(table)
            case "connection_lost":
                self._say(f"Connection lost: {payload['reason']}. Trying to come back.")

    async def leave(self) -> None:
        """Gives up every seat, so that nobody waits for it."""
        for table in tuple(self._views):
            await self._try("leave", {"table": table})
            self._drop(table)

    # Finding a game

    def _rounds(self) -> dict[int, int]:
        """The running round of each table."""
        views = self._views.items()
        return {table: view["round"] for table, view in views if view["status"] == "playing"}

    def _running(self) -> int:
        return sum(self._part.get(table) == round for table, round in self._rounds().items())

    def _wants_more(self) -> bool:
        return not self._games or self.played + self._running() < self._games

    async def _look_for_game(self) -> None:
        if not self._seek or self._running() or not self._wants_more():
            return
        try:
            await self._client.request("seek", {"game": self._game.name})
        except RequestRefused as refused:
            # A game has begun meanwhile: sent again after a crash, `seek` finds us seated.
            if refused.code != "not_free":
                raise CannotPlay(f"No opponent can be sought: {refused}") from None

    async def _sit(self, table: int) -> None:
        key = {} if self._key is None else {"key": self._key}
        try:
            await self._client.request("sit", {"table": table, **key})
        except RequestRefused as refused:
            raise CannotPlay(f"There is no seat at table {table}: {refused}") from None

    async def _answer(self, challenge: Payload) -> None:
        suits = self._accept and self._wants_more() and challenge["game"] == self._game.name
        action = "accept" if suits else "refuse"
        await self._try(action, {"challenge": challenge["challenge"]})

    # At a table

    async def _heard(self, payload: Payload) -> None:
        table, events = payload["table"], payload["events"]
        if any(event["type"] == "closed" for event in events):
            await self._forget(table)
            return
        mine = self._views[table]["seat"] if table in self._views else None
        asked = (event["seat"] for event in events if event["type"] == "rematch_wanted")
        if any(seat != mine for seat in asked) and self._wants_more():
            await self._try("rematch", {"table": table})
        await self._ask_view(table)

    async def _ask_view(self, table: int) -> None:
        try:
            await self._client.request("resume", {"table": table})
        except RequestRefused:
            await self._forget(table)

    async def _look(self, view: Payload) -> None:
        table = view["table"]
        if view["game"] != self._game.name:
            await self._try("leave", {"table": table})
            raise CannotPlay(f"At table {table} they play {view['game']}, not {self._game.name}.")
        if self._given_up == (table, view["round"]):
            return
        self._views[table] = view
        part = self._part.get(table)
        if part not in (None, view["round"]):
            # The end was not seen: the next round opened at once, or the connection was away.
            del self._part[table]
            self.played += 1
        if view["status"] == "playing":
            if view["seat"] is not None and part != view["round"] and not self._may_wait:
                self._begin(view)
                await self._leave_finished()
            await self._move(view)
        elif view["status"] == "over":
            if self._finished.get(table) != view["round"]:
                await self._finish(view)
            deserted = any(person.get("left") for person in view["players"])
            if deserted and not self._begins_empty and not goes_on(view):
                await self._try("leave", {"table": table})
                await self._forget(table)

    async def _move(self, view: Payload) -> None:
        legal: list[Command] = msgspec.convert(view["legal"], self._legal)
        table, seat = view["table"], view["seat"]
        if not legal or (seat is None and not self._wants_more()):
            return
        # Of two views that were on their way, the second does not show what the first led to.
        if view["seq"] < self._acted.get(table, 0):
            return
        # The same again if it thinks twice about one position, as after a lost connection.
        rng = Random(f"{self._seed} {view['seq']}")
        # Whoever walks in gets the next seat.
        acting = view["count"] if seat is None else seat
        sitting = await self._sittings.at(table, view["round"], acting)
        try:
            for _ in range(TRIES):
                command = await sitting.choose(view["view"], legal, rng)
                refused = None if command is None else await self._act(view, command)
                if command is None or refused is None:
                    return
                sitting.refused(command, legal, refused)
        except Misbehaved as fault:
            await self._give_up(view, fault)

    async def _give_up(self, view: Payload, fault: Misbehaved) -> None:
        """The game is lost, and nobody waits for it. Raises CannotPlay after too many in a row."""
        table, round = view["table"], view["round"]
        self._say(f"Table {table}, round {round}: {fault.kind}, the program {fault}")
        self._say(f"Table {table}, round {round}: lost (misbehaved).")
        self._sittings.note(table, round, "lost", "misbehaved")
        self._given_up = (table, round)
        self._faults += 1
        self.played += 1
        self._drop(table)
        if not self._walks_in:
            await self._try("leave", {"table": table})
        if self._faults >= FAULTS_MAX:
            raise CannotPlay(f"The program has lost {FAULTS_MAX} games in a row by what it does.")
        await self._look_for_game()

    async def _act(self, view: Payload, command: Command) -> str | None:
        """Why the rules refuse it, if they do."""
        table = view["table"]
        act = {"table": table, "command": msgspec.to_builtins(command)}
        try:
            done = await self._client.request("act", act)
        except RequestRefused as refused:
            if refused.code in FATAL:
                raise CannotPlay(
                    f"The hall does not take a move at table {table}: {refused.code}."
                ) from None
            if refused.code == "no_funds":
                await self._refill(table)
                return None
            return str(refused)
        self._acted[table] = done["seq"]
        self._broke = 0
        if self._part.get(table) != view["round"]:
            self._begin(view)
        return None

    def _begin(self, view: Payload) -> None:
        """It takes part in this round."""
        self._part[view["table"]] = view["round"]
        seat = "" if view["seat"] is None else f" on seat {view['seat']}"
        self._say(f"Table {view['table']}, round {view['round']}: plays{seat}.")

    async def _refill(self, table: int) -> None:
        """Raises CannotPlay if there are no new chips."""
        refused = await self._try("refill", {})
        self._broke += refused is not None
        if refused == "not_broke" and self._broke < BROKE_MAX:
            self._say(f"Table {table}: not enough chips for this bet.")
            return
        if refused is not None:
            raise CannotPlay(
                f"Not enough chips for a bet at table {table}, and no new ones"
                f" ({refused}). Come back tomorrow, or as someone else."
            )
        self._say("Out of chips: the hall gave new ones.")
        await self._ask_view(table)

    async def _finish(self, view: Payload) -> None:
        table, outcome = view["table"], view["outcome"]
        self._finished[table] = view["round"]
        took_part = self._part.pop(table, None) is not None or view["seat"] is not None
        if took_part and outcome is None:
            self._say(f"Table {table}, round {view['round']}: void.")
        elif took_part:
            self.played += 1
            self._say_result(table, view["round"], outcome, view["seat"])
        if not goes_on(view):
            await self._look_for_game()

    def _over(self, payload: Payload) -> None:
        """Where the next round opens in the same moment, no view shows the end of this one."""
        table, round, outcome = payload["table"], payload["round"], payload["outcome"]
        at_once = outcome is not None and outcome.get("again_ms") == 0
        if at_once and self._part.get(table) == round:
            del self._part[table]
            self.played += 1
            self._say_result(table, round, outcome, self._views[table]["seat"])

    def _say_result(self, table: int, round: int, outcome: Payload, seat: int | None) -> None:
        result: Result = "won" if seat in outcome["winners"] else "lost"
        if not outcome["winners"]:
            # Where rounds follow by themselves, nobody plays against another.
            result = "drawn" if outcome.get("again_ms") is None else "over"
        self._faults = 0
        self._sittings.note(table, round, result, outcome["reason"])
        self._say(f"Table {table}, round {round}: {result} ({outcome['reason']}).")

    async def _leave_finished(self) -> None:
        """A new game has begun: nobody needs to wait for a rematch elsewhere."""
        for table, view in tuple(self._views.items()):
            if view["status"] == "over":
                await self._try("leave", {"table": table})
                self._drop(table)

    async def _forget(self, table: int) -> None:
        if table not in self._views and table != self._table:
            return
        self._drop(table)
        if table == self._table and not self.played:
            raise CannotPlay(f"Table {table} has closed before a game was played.")
        await self._look_for_game()

    def _drop(self, table: int) -> None:
        for known in (self._views, self._part, self._acted, self._finished):
            known.pop(table, None)

    def _is_done(self) -> bool:
        if self._games and self.played >= self._games and not self._running():
            return True
        return self._table is not None and self.played > 0 and self._table not in self._views

    async def _try(self, action: str, payload: Payload) -> str | None:
        """The code, if it was refused: what the view showed has changed, and a new one comes."""
        try:
            await self._client.request(action, payload)
        except RequestRefused as refused:
            return refused.code
        return None
