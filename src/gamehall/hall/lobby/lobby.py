"""Who is in the hall and free, who waits for a game, and which tables there are: at all nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from gamehall.errors import BadRequest, HallError, NotFree, TooMany
from gamehall.hall.beat.requests import Told
from gamehall.hall.lobby.front import Front
from gamehall.hall.lobby.messages import Noted, SeekKey, Seeks
from gamehall.hall.lobby.pairings import ABOUT_TO_BEGIN
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.exchange import Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Lobby, LobbyPlayer, LobbyTable
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables

SEEKS_MAX = 8
"""Wait lists that one player may be on."""
LOBBY_MS = 100
"""Changes are gathered this long for those who watch the lobby."""
CHANGES_MAX = 500
"""Changes of one kind in one notice; a client that needs all asks for the list."""
WATCHED_SECONDS = 1.0
"""How often a node at which someone watches the lobby says so."""
FORGOTTEN_SECONDS = 5.0
"""After which it is taken to have no such people any more."""


class _Watched(Body, frozen=True):
    """Someone watches the lobby at the node that says it."""


class _Changes(Body, frozen=True):
    """What has changed at tables that the sender owns."""

    tables: tuple[LobbyTable, ...]


@dataclass(eq=False, repr=False)
class LobbyHall:
    _exchange: Exchange
    _nodes: Nodes
    _players: Players
    _tables: Tables
    _front: Front
    _clock: Clock

    def __post_init__(self) -> None:
        self._watchers: dict[Link, None] = {}
        self._latest: dict[int, object] = {}
        """By player, a mark for the wish that the lead was asked for last."""
        self._watched_until: dict[str, float] = {}
        """Other nodes at which someone watches, by the loop's time."""
        self._changed_players: dict[int, Online] = {}
        self._changed_tables: dict[int, LobbyTable] = {}
        self._own_changed: dict[int, LobbyTable] = {}
        """Those of the changed tables that this node owns."""
        self._alarm: Alarm | None = None
        self._exchange.on("lobby_watched", _Watched, self._hear_watched)
        self._exchange.on("lobby", _Changes, self._hear_changes)

    # Who waits for a game with anyone who wants the same

    async def seek(self, online: Online, game: str, options: dict[str, Any], rated: bool) -> None:
        """Waits for someone who wants the same; then both are `seated`."""
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        kind = self._tables.public_kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game needs no opponent: open a table, or watch one and play.")
        player = online.player.id
        before = self._front.seeks.get(player, ())
        key = SeekKey(kind.game.name, msgspec.json.encode(read), rated)
        if key not in before and len(before) >= SEEKS_MAX:
            raise TooMany
        with self._wishing(player) as is_latest:
            self._keep(player, [*before, key])
            try:
                await self._ask_for(player)
            except HallError:
                if is_latest():
                    self._keep(player, before)
                    if not self._front.is_drawn(player):
                        self._front.tell_seeks(player)
                raise

    def is_waiting(self, online: Online) -> bool:
        return online.player.id in self._front.seeks

    async def cancel_seeks(self, online: Online, game: str | None = None) -> None:
        """It does not wait any more, for this game or any. Raises NotFree, Unavailable: it does."""
        player = online.player.id
        before = self._front.seeks.get(player, ())
        given_up = [key for key in before if game in (None, key.game)]
        if not given_up and player not in self._latest:
            if self._front.is_drawn(player):
                raise NotFree(ABOUT_TO_BEGIN)
            return
        with self._wishing(player) as is_latest:
            self._keep(player, [key for key in before if key not in given_up])
            try:
                await self._ask_for(player)
                if self._front.is_drawn(player):
                    # A lead that calls a pairing off says so first: this one knows of none.
                    raise NotFree(ABOUT_TO_BEGIN)
            except HallError:
                if is_latest():
                    self._keep(player, before)
                raise

    def drop_seeks(self, online: Online) -> None:
        """It plays, or has left this node."""
        self._latest.pop(online.player.id, None)
        if self._front.seeks.pop(online.player.id, None):
            self._front.tell_seeks(online.player.id)

    @contextmanager
    def _wishing(self, player: int) -> Iterator[Callable[[], bool]]:
        """Says whether this is still the player's latest wish: one that fails late must not undo
        what the player was answered since."""
        mark = self._latest[player] = object()
        try:
            yield lambda: self._latest.get(player) is mark
        finally:
            if self._latest.get(player) is mark:
                del self._latest[player]

    async def _ask_for(self, player: int) -> None:
        """Returns when the lead has noted what the player seeks now."""
        await self._front.ask(player, Seeks(player, self._front.seeks.get(player, ())), Noted)

    def _keep(self, player: int, keys: Iterable[SeekKey]) -> None:
        self._front.seeks.pop(player, None)
        if keys := tuple(dict.fromkeys(keys)):
            self._front.seeks[player] = keys

    # Who is here, live

    def list_opponents(self, online: Online, game: str, limit: int) -> list[LobbyPlayer]:
        """Whom this player can challenge to a game with its usual options."""
        kind = self._tables.kind(game)
        options = msgspec.to_builtins(kind.rules.read_options({}))
        free = (
            other
            for _, other in sorted(self._players.online.items())
            if other is not online and other.player.kind != "bot"
            if other.challengeable
            if other.can_answer(kind.game.name, options, usual=True)
        )
        return [_listed(other) for other in islice(free, limit)]

    def list_players(self, free: bool | None, after: int, limit: int) -> list[LobbyPlayer]:
        everyone = sorted(
            id
            for id, online in self._players.online.items()
            if online.here and online.player.kind != "bot"
        )
        listed = (_listed(self._players.online[id]) for id in everyone if id > after)
        if free is not None:
            listed = (p for p in listed if (p.status == "free") == free)
        return list(islice(listed, limit))

    def watch(self, link: Link) -> None:
        self._watchers[link] = None
        if len(self._watchers) == 1:
            self._say_watched()

    def unwatch(self, link: Link) -> None:
        self._watchers.pop(link, None)

    def player_changed(self, online: Online) -> None:
        if self._watchers and online.player.kind != "bot":
            self._changed_players[online.player.id] = online
            self._tell_soon()

    def told(self, told: Told) -> None:
        """A table has changed: those who watch the lobby, at any node, hear of it of its owner."""
        if not self._watchers and not self._watching_nodes():
            return
        table = self._tables.loaded(told.table)
        if table is None or not table.owned or table.state.opened.private:
            return
        state, game = table.state, table.kind.game
        seats = [] if told.walk_in else sorted(state.seat_of.values())
        changed = LobbyTable(
            told.table,
            game.name,
            told.status,
            tuple(state.chairs[seat].name for seat in seats[:50]),
            len(state.seat_of),
            state.opened.rated,
            state.opened.options,
            game.seats(state.options).most,
        )
        self._changed_tables[told.table] = self._own_changed[told.table] = changed
        self._tell_soon()

    def _tell_soon(self) -> None:
        if self._alarm is None:
            self._alarm = self._clock.call_at(self._clock.now_ms() + LOBBY_MS, self._tell_changes)

    def _tell_changes(self) -> None:
        self._alarm = None
        notice = Lobby(
            tuple(self._changed_tables.values())[:CHANGES_MAX],
            tuple(_listed(online) for online in self._changed_players.values())[:CHANGES_MAX],
        )
        own = tuple(self._own_changed.values())[:CHANGES_MAX]
        self._changed_tables.clear()
        self._changed_players.clear()
        self._own_changed.clear()
        if own:
            self._exchange.tell_each(self._watching_nodes(), "lobby", _Changes(own))
        for link in tuple(self._watchers):
            link.tell(notice)

    # Other nodes

    async def run(self) -> None:
        """Has other nodes tell of their tables while someone here watches."""
        while True:
            await asyncio.sleep(WATCHED_SECONDS)
            if self._watchers:
                self._say_watched()

    def _say_watched(self) -> None:
        if not self._exchange.alone:
            self._exchange.tell_all("lobby_watched", _Watched())

    def _watching_nodes(self) -> list[str]:
        if not self._watched_until:
            return []
        now, heard = asyncio.get_running_loop().time(), self._watched_until
        self._watched_until = {node: until for node, until in heard.items() if until > now}
        return list(self._watched_until)

    def node_gone(self, node: str) -> None:
        self._watched_until.pop(node, None)

    def _hear_watched(self, node: str, _: _Watched) -> None:
        until = asyncio.get_running_loop().time() + FORGOTTEN_SECONDS
        self._watched_until[node] = until

    def _hear_changes(self, node: str, changes: _Changes) -> None:
        if self._watchers:
            self._changed_tables |= {table.id: table for table in changes.tables}
            self._tell_soon()


def _listed(online: Online) -> LobbyPlayer:
    status = "gone" if not online.here else "free" if online.challengeable else "busy"
    return LobbyPlayer(online.player.id, online.player.name, status)
