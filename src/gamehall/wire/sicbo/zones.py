"""The zones of the `mario` door, the lobby and one for each game, all named by one rule; and their
rooms, as clients of the Mario framework look for them: by kind, or a new one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

from gamehall.games.game import Game
from gamehall.hall.hall import Hall
from gamehall.hall.people.online import Online
from gamehall.store.appends import Request
from gamehall.wire.sicbo.requests import Asked, bad_request, text_of

ROOMS_MAX = 200
"""Rooms that are listed, those with the lowest numbers."""

Datas = dict[str, Any]


class Zone(msgspec.Struct, frozen=True):
    name: str
    plugin: str
    game: str
    """Empty for the lobby, where none is played."""

    @property
    def group(self) -> str:
        """The one kind of room that the zone has: `CONNECT_FOUR`."""
        return self.game.upper().replace("-", "_")


LOBBY = Zone("LOBBY", "LOBBY", "")
"""Gives out tokens for the zones of games."""


def zone_of(game: str) -> Zone:
    """`connect-four` is played in `ConnectFourZone`, with the plugin `connectFourPlugin`."""
    first, *rest = game.split("-")
    words = "".join(word.capitalize() for word in rest)
    return Zone(f"{first.capitalize()}{words}Zone", f"{first}{words}Plugin", game)


def zones_of(games: Iterable[Game[Any]]) -> dict[str, Zone]:
    """The lobby and the zones of these games, by name."""
    zones = [LOBBY, *(zone_of(game.name) for game in games)]
    return {zone.name: zone for zone in zones}


# Rooms


class Wanted(msgspec.Struct, frozen=True):
    """Who asks for a room, and in which zone."""

    hall: Hall
    online: Online
    zone: Zone
    request: Request | None

    @property
    def title(self) -> str:
        return self.hall.game_named(self.zone.game).title


class _Named(msgspec.Struct, frozen=True):
    group: msgspec.Raw = msgspec.field(name="groupId", default=msgspec.Raw(b"null"))


_read_named = msgspec.json.Decoder(_Named).decode


async def _room_types(wanted: Wanted) -> Datas:
    return {"roomTypes": [{"groupId": wanted.zone.group, "groupName": wanted.title}]}


async def _rooms(wanted: Wanted) -> Datas:
    tables = await wanted.hall.reading.tables(wanted.zone.game, None, 0, ROOMS_MAX)
    return {"rooms": {wanted.zone.group: [table.id for table in tables]}}


async def _search_room(wanted: Wanted) -> Datas:
    table = await wanted.hall.house_tables.with_room(wanted.zone.game, wanted.online.player.id)
    return _room_info(wanted, table)


async def _create_room(wanted: Wanted) -> Datas:
    opened = await wanted.hall.new_tables.open_table(
        wanted.online, wanted.zone.game, {}, private=False, bots=(), request=wanted.request
    )
    return _room_info(wanted, opened.table)


def _room_info(wanted: Wanted, table: int) -> Datas:
    return {"roomInfo": {"roomId": table, "roomName": f"{wanted.title} {table}"}}


ROOM_ACTIONS: dict[str, tuple[str, Callable[[Wanted], Awaitable[Datas]]]] = {
    "get_room_types": ("room_types", _room_types),
    "get_rooms": ("rooms", _rooms),
    "search_room": ("search_room", _search_room),
    "create_room": ("create_room", _create_room),
}
"""The event that each is answered with, and what finds its `datas`."""


async def said_of_rooms(asked: Asked, wanted: Wanted) -> dict[str, Any]:
    """The answer to one of ROOM_ACTIONS. Raises Wrong, NoSuchTable, TooMany …"""
    group = _read_named(asked.sent).group
    # A zone has one kind of rooms, so that it need not be named.
    if bytes(group) != b"null" and text_of(group) != wanted.zone.group:
        raise bad_request(f"The rooms of {wanted.zone.name} have the groupId {wanted.zone.group}.")
    event, find = ROOM_ACTIONS[asked.action]
    echo = {} if asked.echo is None else {"requestId": asked.echo}
    datas = await find(wanted)
    return {"action": asked.action, "event": event, **echo, "payload": {}, "datas": datas}
