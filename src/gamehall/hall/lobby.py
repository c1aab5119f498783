"""Who is free and who waits for a game: gone with the process, never durable.

What follows from it, a table, is: a pairing opens one table only, by its origin.
"""

from __future__ import annotations

import secrets
from itertools import islice
from typing import Any

import msgspec

from gamehall.errors import BadRequest, NotFree, TooMany
from gamehall.hall.asks import Told
from gamehall.hall.clock import Alarm, Clock
from gamehall.hall.link import Link
from gamehall.hall.notices import Lobby, LobbyPlayer, LobbyTable
from gamehall.hall.players import Online, Players
from gamehall.hall.seating import Seating
from gamehall.hall.tables import Tables

SEEKS_MAX = 8
LOBBY_MS = 100
"""Changes are gathered this long for those who watch the lobby."""
CHANGES_MAX = 500
"""Changes of one kind in one notice; a client that needs all asks for the list."""

SeekKey = tuple[str, bytes, bool]


class LobbyHall:
    def __init__(
        self,
        *,
        players: Players,
        tables: Tables,
        seating: Seating,
        clock: Clock,
    ) -> None:
        self._players = players
        self._tables = tables
        self._seating = seating
        self._clock = clock
        self._seeks: dict[SeekKey, list[Online]] = {}
        self._watchers: set[Link] = set()
        self._changed_players: dict[int, Online] = {}
        self._changed_tables: dict[int, LobbyTable] = {}
        self._alarm: Alarm | None = None

    # The wait list

    async def seek(self, online: Online, game: str, options: dict[str, Any], rated: bool) -> None:
        """Waits for someone who wants the same; then both are `seated`."""
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        kind = self._tables.public_kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game needs no opponent: open a table, or watch one and play.")
        if sum(online in waiting for waiting in self._seeks.values()) >= SEEKS_MAX:
            raise TooMany
        key = (kind.game.name, msgspec.json.encode(read), rated)
        if online not in self._seeks.get(key, ()):
            await self._pair(online, key, options)

    async def _pair(self, online: Online, key: SeekKey, options: dict[str, Any]) -> None:
        waiting = self._seeks.setdefault(key, [])
        other = next((o for o in waiting if o.free), None)
        if other is None:
            waiting.append(online)
            return
        # Both leave every wait list before anything is awaited, so that nobody is paired twice.
        self.cancel_seeks(online)
        self.cancel_seeks(other)
        game, _, rated = key
        origin = f"pair:{secrets.token_hex(12)}"
        try:
            await self._seating.open_match(
                (other, online), game, options, drawn=True, rated=rated, origin=origin
            )
        except NotFree:
            # One of them has gone meanwhile: the other is to play whoever waits by now.
            for side in (other, online):
                if side.free:
                    await self._pair(side, key, options)
        except BaseException:
            # The one who waited goes on waiting; the other hears why.
            if other.free:
                self._seeks.setdefault(key, []).insert(0, other)
            raise

    def cancel_seeks(self, online: Online, game: str | None = None) -> None:
        for key, waiting in list(self._seeks.items()):
            if online in waiting and (game is None or key[0] == game):
                waiting.remove(online)
            if not waiting:
                del self._seeks[key]

    # Who is here, live

    def list_opponents(self, online: Online, game: str, limit: int) -> list[LobbyPlayer]:
        """Whom this player can challenge to a game with its usual options."""
        kind = self._tables.kind(game)
        options = msgspec.to_builtins(kind.rules.read_options({}))
        free = (
            other
            for _, other in sorted(self._players.online.items())
            if other is not online and other.player.kind != "bot"
            if other.challengeable and other.can_play(kind.game.name, options)
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
        link.in_lobby = True
        self._watchers.add(link)

    def unwatch(self, link: Link) -> None:
        link.in_lobby = False
        self._watchers.discard(link)

    def player_changed(self, online: Online) -> None:
        if self._watchers and online.player.kind != "bot":
            self._changed_players[online.player.id] = online
            self._tell_soon()

    def told(self, told: Told) -> None:
        """A table has changed: those who watch the lobby hear of it."""
        if not self._watchers:
            return
        table = self._tables.loaded(told.table)
        if table is None or table.state is None or table.state.opened.private:
            return
        state, game = table.state, table.kind.game
        seats = [] if told.walk_in else sorted(state.seat_of.values())
        self._changed_tables[told.table] = LobbyTable(
            told.table,
            game.name,
            told.status,
            tuple(state.chairs[seat].name for seat in seats[:50]),
            len(state.seat_of),
            state.opened.rated,
            state.opened.options,
            game.seats(state.options).most,
        )
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
        self._changed_tables.clear()
        self._changed_players.clear()
        for link in tuple(self._watchers):
            link.tell(notice)


def _listed(online: Online) -> LobbyPlayer:
    status = "gone" if not online.here else "free" if online.challengeable else "busy"
    return LobbyPlayer(online.player.id, online.player.name, status)
