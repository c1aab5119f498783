"""Bots that the hall seats itself: a link like any other, only that a program answers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import structlog

from gamehall.bots.bot import AnyBot, bots_for
from gamehall.bots.connect_four_perfect import PERFECT, PerfectBot
from gamehall.errors import HallError, NoFunds, NoSuchBot, Refused, Unavailable
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Command, Game, Options
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Done, Told
from gamehall.hall.nodes.exchange import Spawn
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Notice
from gamehall.hall.people.players import Players
from gamehall.hall.records.reading import Reading
from gamehall.hall.seats.seating import Seating
from gamehall.hall.seats.stakes import Stakes
from gamehall.solver.solver import NOT_INSTALLED, OTHER_BOARD, Solver, is_solved
from gamehall.store.people import Player
from gamehall.table_log import house

log = structlog.get_logger(__name__)

Thinking = Coroutine[Any, Any, Command | None]
"""What a bot has not answered yet."""
AGAIN_SECONDS = 1.0
"""How long a bot waits when the store was away."""


class HouseBots:
    """One player for each level, and more where several sit at one table."""

    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        players: Players,
        audiences: Audiences,
        reading: Reading,
        seating: Seating,
        stakes: Stakes,
        spawn: Spawn,
        rng: Random | None = None,
        *,
        solver: Solver | None = None,
    ) -> None:
        """`solver`: None where it is not installed."""
        self.audiences = audiences
        self.reading = reading
        self.seating = seating
        self.stakes = stakes
        self.spawn = spawn
        self.rng = rng or Random()
        self._games = games
        self._players = players
        self._perfect = None if solver is None else PerfectBot(solver)
        self._links: dict[int, BotLink] = {}
        self._known: dict[str, Player] = {}

    def levels(self, game: str) -> Sequence[str]:
        known = self._games.get(game)
        return () if known is None else tuple(self._of(known.name))

    def usual(self, game: str) -> str:
        # A perfect opponent is for those who ask for one.
        return list(bots_for(game))[-1]

    def check(self, level: str, game: str, options: Options | None = None) -> None:
        levels = self._of(game)
        if level == PERFECT and game == ConnectFour.name and self._perfect is None:
            raise NoSuchBot(NOT_INSTALLED)
        if level not in levels:
            raise NoSuchBot(f"There is no bot {level!r} for this game; it has {list(levels)}.")
        if level == PERFECT and options is not None and not is_solved(options):
            raise NoSuchBot(OTHER_BOARD)

    def bot(self, level: str | None, game: str) -> AnyBot:
        """One of that level, or the strongest, if there is none of it any more."""
        bots = self._of(game)
        return bots.get(level or "random") or bots[self.usual(game)]

    def _of(self, game: str) -> dict[str, AnyBot]:
        bots: dict[str, AnyBot] = dict(bots_for(game))
        if game == ConnectFour.name and self._perfect is not None:
            bots[PERFECT] = self._perfect
        return bots

    async def person(self, level: str, number: int) -> house.Person:
        name = f"{level.capitalize()} bot" + (f" {number}" if number > 1 else "")
        player = self._known.get(name)
        if player is None:
            player = self._known[name] = await self._players.house_bot(name)
        return house.Person(player.id, player.name, level)

    def attend(self, table: int, person: house.Person) -> None:
        link = self._links.get(person.player)
        if link is None:
            link = self._links[person.player] = BotLink(self, person)
            player = Player(person.player, person.name, "bot", 0)
            self._players.attach(link, player)
        link.attend(table)


class BotLink(Link):
    __slots__ = ("_asking", "_crew", "_person", "_thinking")

    def __init__(self, crew: HouseBots, person: house.Person) -> None:
        super().__init__("house")
        self._crew = crew
        self._person = person
        self._thinking: set[int] = set()
        self._asking: dict[int, bool] = {}
        """Tables that have not answered yet, and whether something has happened there since."""

    def tell(self, notice: Notice) -> None:
        pass

    def tell_table(self, told: Told, seat: int | None) -> None:
        if seat is not None or told.walk_in:
            self.think_soon(told.table)

    def attend(self, table: int) -> None:
        """Plays there from now on. Where people walk in, it watches as they do: its seat ends with
        the round."""
        loaded = self._crew.reading.loaded(table)
        if loaded is not None and loaded.state.walk_in:
            self._crew.audiences.watch(self, table)
        self.think_soon(table)

    def think_soon(self, table: int) -> None:
        """After the notice has gone out to everyone."""
        if table not in self._thinking:
            self._thinking.add(table)
            asyncio.get_running_loop().call_soon(self._think, table)

    def _think(self, id: int, *, again: bool = True) -> None:
        """Does what the bot wants. What the rules refuse, it may think over once, if `again`; then
        it has to take what they allow, or people would wait for a bot that insists."""
        self._thinking.discard(id)
        if id in self._asking:
            self._asking[id] = True
            return
        table = self._crew.reading.loaded(id)
        try:
            choice = None if table is None else self._choose(table, may_err=again)
        except Exception:
            log.exception("bot_failed", table=id, bot=self._person.bot)
            return
        if isinstance(choice, Coroutine):
            self._asking[id] = False
            self._crew.spawn(self._wait_for(id, again, choice))
        elif choice is not None:
            self._act(id, again, choice)

    async def _wait_for(self, id: int, again: bool, choice: Thinking) -> None:
        command = None
        try:
            command = await choice
        except Exception:
            log.exception("bot_failed", table=id, bot=self._person.bot)
        # What was thought about is not how things stand, if anything has happened since.
        if self._asking.pop(id):
            self.think_soon(id)
        elif command is not None and id not in self._thinking:
            self._act(id, again, command)

    def _act(self, id: int, again: bool, command: Command) -> None:
        self._asking[id] = False
        person, reply = self._person, partial(self._heard, id, again)
        self._crew.seating.act_as(person, id, command, reply)

    def _choose(self, table: KnownTable, *, may_err: bool) -> Command | Thinking | None:
        state = table.state
        seat = state.seat_of.get(self._person.player)
        if not table.owned:
            return None  # Its owner's bot plays there.
        if not table.kind.game.binding or (seat is None and not state.walk_in):
            return None
        if state.status == "over" and seat is not None:
            return house.Rematch() if state.rematch - {seat} and seat not in state.rematch else None
        if state.status != "playing":
            return None
        game = table.kind.game
        # Whoever walks in gets the next seat.
        acting = len(state.chairs) if seat is None else seat
        legal = tuple(game.legal(state.game, acting))
        if not legal:
            return None
        bot, view = self._crew.bot(self._person.bot, game.name), game.view(state.game, seat)
        if isinstance(bot, PerfectBot):
            return bot.think(view, legal, acting, self._crew.rng)
        choice = bot.choose(view, legal, acting, self._crew.rng)
        if choice is None or choice in legal or may_err:
            return choice
        return self._crew.rng.choice(legal)

    def _heard(self, table: int, again: bool, answer: Done | HallError) -> None:
        if self._asking.pop(table):
            self.think_soon(table)
        if isinstance(answer, Unavailable):
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self.think_soon, table)
        elif isinstance(answer, NoFunds):
            self._crew.spawn(self._refill(table))
        elif isinstance(answer, Refused) and again:
            self._think(table, again=False)
        elif isinstance(answer, Refused):
            log.warning("bot_refused", table=table, bot=self._person.bot, code=answer.code)

    async def _refill(self, table: int) -> None:
        """Bets again with new chips; if there are none, it waits for the next round."""
        if self.online is None:
            return
        try:
            await self._crew.stakes.refill(self.online)
        except HallError as error:
            log.info("bot_without_chips", table=table, bot=self._person.bot, code=error.code)
        else:
            self.think_soon(table)
