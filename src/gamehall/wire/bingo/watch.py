"""The `watch` door: which matches of two-player Bingo are played, and how the last ones ended.

Its page asks again and again. However many ask, one answer at a time is made, for all of them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec

from gamehall.errors import BadRequest, NoSuchTable, NotStarted
from gamehall.hall.hall import Hall
from gamehall.hall.records.reading import HistoryFilter
from gamehall.hall.visitors.duel_rooms import GAME, Recent, Room
from gamehall.store.lists import HistoryItem, TableInfo
from gamehall.wire.bingo.duel_codec import marks_on
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.serial import SENTENCE_CHARACTERS_MAX, SerialLink
from gamehall.wire.net.shell import Channel

HISTORY_MAX = 50
LATEST_MAX = 4 * HISTORY_MAX
"""Rounds, by their tables' age, among which those that ended last are looked for."""
RUNNING_MAX = 500
"""Matches that one answer lists."""
READS_MAX = 150
"""Journals that are read for one answer; what is left out then is in one of the next."""
PAUSE_SECONDS = 0.05
"""Between two answers to `ping` that are made."""

_encode = msgspec.json.Encoder().encode


class Asked(msgspec.Struct, frozen=True):
    msg: str
    room_id: str | int | None = None


class WatchDoor:
    """Makes the answers, for all links of the door."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.rooms = hall.duel_rooms
        self._items: Recent[msgspec.Raw] = Recent(LATEST_MAX)
        self._next: asyncio.Task[bytes] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._made_at = 0.0

    async def get(self) -> bytes:
        """The answer to `ping`, as things stand when it is asked or later."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._make())
        return await asyncio.shield(self._next)

    async def _make(self) -> bytes:
        async with self._one_at_a_time:
            await asyncio.sleep(self._made_at + PAUSE_SECONDS - self.hall.clock.seconds())
            # Whoever asks from here on gets the answer after this one.
            self._next = None
            reads_max = self.rooms.reads + READS_MAX
            try:
                running = await self._running(reads_max)
                history = await self._history(reads_max)
                return _encode({"msg": "get", "game_state": running, "game_history": history})
            finally:
                self._made_at = self.hall.clock.seconds()

    async def _running(self, reads_max: int) -> dict[str, Any]:
        tables = await self.hall.reading.tables(GAME, "playing", 0, RUNNING_MAX)
        running: dict[str, Any] = {}
        for info in tables:
            if self.rooms.reads >= reads_max:
                break
            # It may have ended, or even be forgotten, since the list was read.
            with suppress(NotStarted):
                room = await self.rooms.now(info)
                if room.next_move:
                    players = {"players": room.names.uids, "next_move": room.next_move}
                    running[str(info.id)] = players
        return running

    async def _history(self, reads_max: int) -> list[msgspec.Raw]:
        latest, _ = await self.hall.reading.history(HistoryFilter(GAME), None, LATEST_MAX)
        latest.sort(key=lambda item: (item.ended_at_ms, item.place), reverse=True)
        history: list[msgspec.Raw] = []
        for item in latest[:HISTORY_MAX]:
            if self.rooms.reads >= reads_max:
                break
            with suppress(NotStarted):
                history.append(await self._item(item))
        return history

    async def _item(self, item: HistoryItem) -> msgspec.Raw:
        key = (item.table, item.last_seq)
        known = self._items.get(key)
        if known is not None:
            return known
        room = await self.rooms.at(item.table, item.round, item.first_seq, item.last_seq)
        return self._items.keep(key, msgspec.Raw(_encode(_finished(item, room))))

    async def detail(self, room_id: str | int | None) -> bytes:
        """Raises NoSuchTable, NotStarted …"""
        room = await self.rooms.now(await self._info(_table_id(room_id)))
        res = [
            {"uid": uid, "board": board, "history": marks_on(board, room.view.picked)}
            for uid, board in zip(room.names.uids, _boards(room), strict=True)
        ]
        return _encode(
            {"msg": "get", "res": res, "next_move": room.next_move, "winner": room.winner}
        )

    async def _info(self, table: int) -> TableInfo:
        """Raises NoSuchTable, or WrongKey for a private one."""
        with suppress(NoSuchTable):
            info = await self.hall.reading.table(table, None)
            if info.game == GAME:
                return info
        raise NoSuchTable("There is no such room.")


class WatchLink(SerialLink):
    """One page."""

    __slots__ = ("_door",)

    def __init__(self, door: WatchDoor, channel: Channel) -> None:
        super().__init__(door.hall, channel)
        self._door = door
        channel.hello_done()

    def _handle(self, message: bytes) -> None:
        self.later(self._answer(message), lambda error: self._send_error(str(error)))

    async def _answer(self, message: bytes) -> None:
        try:
            asked = msgspec.json.decode(message, type=Asked)
        except (msgspec.MsgspecError, RecursionError):
            raise BadRequest from None
        match asked.msg:
            case "ping":
                self._send(await self._door.get())
            case "detail":
                self._send(await self._door.detail(asked.room_id))
            case msg:
                raise BadRequest(f"There is no message {msg[:64]!r}: send `ping` or `detail`.")

    def garbled(self, garbled: Garbled) -> None:
        self._send_error(garbled.reason)

    def _send(self, message: bytes) -> None:
        self.channel.send(self.channel.frame(message))

    def _send_error(self, sentence: str) -> None:
        self._send(_encode({"msg": "error", "error": sentence[:SENTENCE_CHARACTERS_MAX]}))


def _table_id(room_id: str | int | None) -> int:
    text = str(room_id)
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise NoSuchTable("There is no such room.")
    return int(text)


def _boards(room: Room) -> list[Any]:
    return [side.board for side in room.view.sides]


def _finished(item: HistoryItem, room: Room) -> dict[str, Any]:
    first, second = room.names.uids
    first_board, second_board = _boards(room)
    return {
        "time": item.ended_at_ms,
        "data": {
            "match_id": room.names.match,
            "room_id": str(item.table),
            "uid_1": first,
            "uid_2": second,
            "game_board_1": first_board,
            "game_board_2": second_board,
            "history_1": marks_on(first_board, room.view.picked),
            "history_2": marks_on(second_board, room.view.picked),
            "winner": room.winner,
        },
    }
