"""The rooms of a zone, as clients of the Mario framework look for them: by kind, or a new one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from gamehall.hall.hall import Hall
from gamehall.hall.people.online import Online
from gamehall.store.appends import Request
from gamehall.wire.sicbo.requests import Asked, bad_request, text_of
from gamehall.wire.sicbo.zones import Zone

ROOMS_MAX = 200
"""Rooms that are listed, those with the lowest numbers."""

Datas = dict[str, Any]


class RoomsSaid(msgspec.Struct, frozen=True, rename="camel"):
    """An answer about rooms."""

    action: str
    event: str
    request_id: Any
    """`UNSET` if the request had none."""
    payload: dict[str, Any]
    datas: Datas


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


async def said_of_rooms(asked: Asked, wanted: Wanted) -> RoomsSaid:
    """The answer to one of ROOM_ACTIONS. Raises Wrong, NoSuchTable, TooMany …"""
    group = _read_named(asked.payload).group
    # A zone has one kind of rooms, so that it need not be named.
    if bytes(group) != b"null" and text_of(group) != wanted.zone.group:
        raise bad_request(f"The rooms of {wanted.zone.name} have the groupId {wanted.zone.group}.")
    event, find = ROOM_ACTIONS[asked.action]
    echo = msgspec.UNSET if asked.echo is None else asked.echo
    return RoomsSaid(asked.action, event, echo, {}, await find(wanted))
