"""The `practice` door: rooms for any game or work, over WebSocket, by numbered messages.

A room is a table and its master the rules. A client is whoever shows its id, which is a secret.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from gamehall.errors import (
    BadRequest,
    HallError,
    IllegalCommand,
    NoSuchTable,
    NotFree,
    NotLoggedIn,
    NotStarted,
    Unavailable,
    UnknownAction,
)
from gamehall.games.four_stone import FourStone
from gamehall.games.game import Command
from gamehall.hall.beat.requests import Scene, Told, unheard
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.people.guests import GUEST
from gamehall.hall.people.notices import NotBegun, Notice, TableView
from gamehall.hall.people.online import Online
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.refusing import read_command, refusing
from gamehall.wire.net.serial import SENTENCE_CHARACTERS_MAX, SerialLink
from gamehall.wire.net.shell import Channel
from gamehall.wire.practice.messages import (
    Deed,
    Heard,
    Id,
    Login,
    Message,
    Said,
    StoneAction,
    Wish,
    encode,
    id_of,
    native_command,
    read_id,
    read_info,
    read_message,
    stone_move,
)
from gamehall.wire.practice.pause import Pause
from gamehall.wire.practice.room import Line, Room, begins

AGAIN_SECONDS = 1.0
"""The pause before a room that is out of reach is looked for again."""


class PracticeLink(SerialLink):
    resumes = False

    __slots__ = ("_asked", "_id", "_left", "_pause", "_rooms", "_skipped")

    def __init__(self, hall: Hall, channel: Channel, *, begin_ms: float = 2000) -> None:
        """`begin_ms`: how long a client has to build a game before it is told of moves."""
        super().__init__(hall, channel)
        self._id: Id | None = None
        self._asked: dict[str, str] = {}
        """What the client calls the games that it has asked for."""
        self._rooms: dict[int, Room] = {}
        self._left: set[int] = set()
        """Tables that it leaves, whatever is played there before it has."""
        self._skipped: set[int] = set()
        """Rooms of which something was not told, because the client does not keep up."""
        self._pause = Pause(channel, begin_ms / 1000, self.drained)

    # From the client

    def _handle(self, line: bytes) -> None:
        try:
            message = read_message(line)
            self._answer(message)
        except HallError as error:
            self._refuse(error, id_of(line))

    def _answer(self, message: Message) -> None:
        if message.code == Heard.LOGIN:
            self.later(self._log_in(message), lambda error: self._refuse(error, message.id))
            return
        online = self.online
        if online is None:
            raise NotLoggedIn("Log in first.")
        if message.id not in (None, "", self._id):
            raise BadRequest("This is not your id.")
        match message.code:
            case Heard.LOGOUT:
                self.later(self._log_out(online), self._refuse)
            case Heard.SEEK:
                self.later(self._seek(online, read_info(message.info, Wish)), self._refuse)
            case Heard.CANCEL:
                if online.busy - self._rooms.keys():
                    raise NotFree("Your game is about to begin.")
                if self.hall.lobby.is_waiting(online):
                    self.later(self._cancel(online), self._refuse)
                else:
                    self._say(Said.CANCELLED, None)
            case Heard.ACT:
                self._act(online, message.info)
            case _:
                raise UnknownAction

    async def _log_in(self, message: Message) -> None:
        if self.online is not None:
            raise BadRequest("You are logged in already. Log out to be someone else.")
        empty = bytes(message.info) == b"null"
        name = (None if empty else read_info(message.info, Login).name) or GUEST
        id = secrets.token_urlsafe(16) if message.id in (None, "") else read_id(message.id)
        credential = f"practice:{msgspec.json.encode(id).decode()}"
        login = await self.hall.people.only_bearer(self, name, credential)
        if login.elsewhere:
            self._send(Said.ELSEWHERE, id, {"name": login.player.name})
            return
        if self._lost or self.online is None:
            return
        self.channel.hello_done()
        self._id = id
        self._say(Said.LOGGED_IN, {"name": login.player.name})
        for table in tuple(self.online.seated):
            await self._come_back(table)
        for table in await self.hall.house_tables.walked_into(login.player.id):
            await self.hall.seating.watch(self, table, None)
            await self.hall.seating.send_view(self, table)

    async def _cancel(self, online: Online) -> None:
        await self.hall.lobby.cancel_seeks(online)
        self._say(Said.CANCELLED, None)

    async def _log_out(self, online: Online) -> None:
        self._pause.end()
        self._rooms.clear()
        self._left.clear()
        with suppress(NotFree, Unavailable):  # It leaves whatever follows from it.
            await self.hall.lobby.cancel_seeks(online)
        left = Awaited[None]()
        self.hall.seating.leave_all(self, online, lambda: left(None))
        await left
        await self.hall.people.logout(self)
        self._say_message("You are logged out.", "logged_out")
        self._id = None

    async def _seek(self, online: Online, wish: Wish) -> None:
        if online.busy:
            raise NotFree("Finish your game first.")
        game = self.hall.game_named(wish.game_id)
        self._asked[game.name] = wish.game_id
        await self.hall.game_finder.seek(
            self, game.name, {}, False, lambda: self._say(Said.WAITING, None)
        )

    def _act(self, online: Online, info: msgspec.Raw) -> None:
        deed = read_info(info, Deed)
        room = self._rooms.get(deed.room)
        if room is None:
            raise NoSuchTable("You are not in this room.")
        self.play(online, deed.room, self._command(room, deed.action, info), self._refuse)

    def _command(self, room: Room, action: int | str, info: msgspec.Raw) -> Command:
        if isinstance(action, str):
            return read_command(self.hall.game_named(room.game), native_command(action, info))
        if room.game != FourStone.name or action != StoneAction.MOVE:
            raise IllegalCommand
        return stone_move(info, room.seat)

    def garbled(self, garbled: Garbled) -> None:
        self._say_message(garbled.reason, garbled.code)

    def lost(self) -> None:
        self._pause.stop()
        super().lost()

    def going_away(self, seconds: float) -> None:
        self._say_message(f"The hall stops in {seconds:g} seconds. Come back later.", "going_away")

    # To the client

    def _send(self, said: Said, id: Id | None, info: Any) -> None:
        frame = encode(said, id, info, self.hall.clock.now_ms())
        self.channel.send(self.channel.frame(frame))

    def _say(self, said: Said, info: Any) -> None:
        self._send(said, self._id, info)

    def _say_message(self, text: str, code: str) -> None:
        self._say(Said.MESSAGE, {"message": text, "code": code})

    def _refuse(self, error: HallError, id: Id | None = None) -> None:
        info = {"message": str(error)[:SENTENCE_CHARACTERS_MAX], "code": error.code}
        self._send(Said.MESSAGE, id if self._id is None else self._id, info)

    def tell(self, notice: Notice) -> None:
        """A game begins, or does not; the dialect has no word for any other."""
        if isinstance(notice, NotBegun):
            self._say_message("The game has not begun. Seek again.", "not_begun")
        if not isinstance(notice, TableView) or notice.view is None or self._id is None:
            return
        room = self._rooms.get(notice.table)
        if notice.status != "playing" or notice.table in self._left:
            return
        if room is not None and room.round == notice.round:
            return
        room = self._rooms[notice.table] = self._room(notice.table, notice.game)
        self._offer(room, [room.begin(notice)])

    def show_late(self, view: TableView) -> None:
        # Its client knows nothing but moves, so it has to hear of those that were made already.
        if self._id is not None and view.table not in self._rooms.keys() | self._left:
            self._come_back_soon(view.table)

    def _room(self, table: int, game: str) -> Room:
        aliases = self.hall.game_named(game).aliases
        game_id = self._asked.get(game, aliases[0] if aliases else game)
        return Room(table, game, game_id)

    def tell_table(self, told: Told, seat: int | None) -> None:
        self._hear(told, told.scenes, seat)

    def _hear(self, told: Told, scenes: Sequence[Scene], seat: int | None) -> None:
        if seat is None or told.status == "closed":
            self._left.discard(told.table)
        room = self._rooms.get(told.table)
        if room is None and seat is not None:
            room = self._begun(told.table, scenes)
        if room is None or told.seq <= room.seq:
            return
        if told.table in self._skipped and not told.ended and told.status != "closed":
            return
        if room.early is not None:
            room.early.append((told, scenes, seat))
        else:
            self._tell(room, told, scenes, seat)

    def _begun(self, table: int, scenes: Sequence[Scene]) -> Room | None:
        """A room in which moves were made in the beat in which the game began. If there were none,
        the hall shows it by itself."""
        found = self.hall.reading.loaded(table)
        if self._id is None or found is None or table in self._left:
            return None
        if not any(map(begins, scenes[:-1])):
            return None
        room = self._rooms[table] = self._room(table, found.kind.game.name)
        return room

    def _tell(self, room: Room, told: Told, scenes: Sequence[Scene], seat: int | None) -> None:
        player = None if self.online is None else self.online.player.id
        lines = room.tell(told, scenes, player, self.hall.game_named(room.game))
        said = self._offer(room, lines)
        if told.status == "closed" or (seat is None and not told.walk_in):
            self._rooms.pop(room.table, None)
        elif said and room.over_for_good:
            self._leave(room)

    def _leave(self, room: Room) -> None:
        """Keeps the seat until the end is sent: a client that is lost before comes back to it."""
        self._rooms.pop(room.table, None)
        online, leave = self.online, self.hall.seating.leave
        if online is not None:
            self._left.add(room.table)
            self._pause.then(lambda: leave(self, online, room.table, None, unheard))

    def _offer(self, room: Room, lines: Iterable[Line]) -> bool:
        """What is said of a room may be skipped if the client does not keep up, but for its end.
        False: it was skipped, or the connection is closing."""
        now_ms = self.hall.clock.now_ms()
        frames = [
            (code, self.channel.frame(encode(code, self._id, info, now_ms))) for code, info in lines
        ]
        said = self._pause.offer(frames)
        if not said:
            self._skipped.add(room.table)
        return said

    # Coming back

    def drained(self) -> None:
        skipped, self._skipped = self._skipped, set()
        for table in skipped & self._rooms.keys():
            self._come_back_soon(table)

    def _come_back_soon(self, table: int) -> None:
        """Its client knows nothing of the room until that has worked."""

        async def come_back() -> None:
            while True:
                try:
                    await self._come_back(table)
                    break
                except Unavailable:
                    online = None if self._lost else self.online
                    if online is None or table not in online.seated:
                        raise
                await asyncio.sleep(AGAIN_SECONDS)

        self.hall.spawn(refusing(come_back(), self._refuse))

    async def _come_back(self, table: int) -> None:
        """Tells a room from the beginning, and goes on with what happens meanwhile."""
        online = self.online
        found = await self.hall.reading.load(table)
        if online is None or self._lost:
            return
        room = self._rooms[table] = self._room(table, found.kind.game.name)
        if found.state.walk_in:
            await self.hall.seating.send_view(self, table)
            return
        room.early = []
        try:
            retold = await self.hall.replays.retold(table, online.player.id)
        except HallError as error:
            if self._rooms.get(table) is room:
                del self._rooms[table]
            if not isinstance(error, NotStarted):
                raise
            return  # The hall shows it when it begins.
        if self._rooms.get(table) is not room:
            return  # Another round has begun meanwhile, and was told.
        said = self._offer(room, room.retell(retold))
        early, room.early = room.early, None
        for told, scenes, seat in early:
            self._hear(told, scenes, seat)
        if said and room.over_for_good and table in self._rooms:
            self._leave(room)
