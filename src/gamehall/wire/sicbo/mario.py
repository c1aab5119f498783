"""The `mario` door: the arrays of the Mario framework, with zones, rooms and plugins.

A zone is a game, a room a table. In the zone of Sic Bo the plugin speaks the RFC, in every other
the native dialect; whatever a plugin says is `[5, {…}]`. The zone of the lobby has no rooms: a
login there gives a token, which stands for the password in the zones of games.
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine
from functools import partial
from typing import Any

import msgspec

from gamehall.errors import (
    BadRequest,
    BadToken,
    HallError,
    Refused,
    Unavailable,
    UnknownAction,
    WrongKey,
)
from gamehall.hall.beat.requests import Done
from gamehall.store.people import Player
from gamehall.wire.native.actions import ACTIONS
from gamehall.wire.net.codec import Garbled
from gamehall.wire.sicbo import messages as m
from gamehall.wire.sicbo.dialect import GAME
from gamehall.wire.sicbo.mario_messages import (
    PONG,
    Call,
    Denied,
    Failure,
    Kind,
    read_call,
    refusal,
    shape_of,
    table_id,
)
from gamehall.wire.sicbo.requests import Asked, Wrong, bad_request, read_request
from gamehall.wire.sicbo.zone_link import ZoneLink, no_such_room
from gamehall.wire.sicbo.zones import LOBBY, ROOM_ACTIONS, Wanted, Zone, said_of_rooms, zone_of

IDENTITY_ACTIONS = frozenset({"hello", "register", "login", "logout"})
SUBSCRIBE, JOIN = "subscribe_rounds", "join_to_sicbo_game"
"""Clients send the one or the other."""
NEED_LOGIN = frozenset({"place_bet", "get_user_info", "rebet", "bet_history_for_table", "deposit"})
OLD_TOKEN = (
    f"This token is not valid, or not any more. Log into the zone {LOBBY.name} for a new one."
)
NO_TOKEN = f"Log into the zone {LOBBY.name} first: its answer has the bnrToken to send here."

_encode = msgspec.json.Encoder().encode
_read_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class MarioLink(ZoneLink):
    __slots__ = ()

    def _handle(self, message: bytes) -> None:
        try:
            if message.lstrip().startswith(b"{"):
                self._take_object(read_request(message))
            else:
                self._take_call(read_call(message))
        except Wrong as wrong:
            self.croupier.refuse(self, wrong.echo, wrong)

    def garbled(self, garbled: Garbled) -> None:
        request = garbled.message
        if request is not None and not request.lstrip().startswith(b"{"):
            try:
                call = read_call(request)
            except Wrong:
                request = None
            else:
                answer = refusal(call, Denied(Failure.TOO_MANY, garbled.reason))
                if answer is not None:
                    self._say(answer)
                    return
                is_plugins = call.kind in (Kind.ROOM, Kind.ZONE) and call.fields is not None
                request = call.fields[-1] if is_plugins and call.fields else None
        self.croupier.garbled(self, garbled, request)

    # Arrays

    def _take_call(self, call: Call) -> None:
        if call.fields is None:
            self._deny(call, Denied(Failure.BAD_REQUEST, f"The form is {shape_of(call.kind)}."))
            return
        match call.kind:
            case Kind.LOGIN:
                self._do(call, self._log_in(call))
            case Kind.LOGOUT:
                self._do(call, self._log_out(*call.fields))
            case Kind.JOIN:
                self._do(call, self._join(*call.fields))
            case Kind.LEAVE:
                self._do(call, self._leave(*call.fields))
            case Kind.ROOM:
                zone, room, params = call.fields
                self._to_plugin(read_request(params), zone, room=room)
            case Kind.ZONE:
                zone, plugin, params = call.fields
                self._to_plugin(read_request(params), zone, plugin=plugin)
            case Kind.PING:
                _, id, timestamp = call.fields
                self._say([PONG, id, timestamp])

    def _do(self, call: Call, work: Coroutine[Any, Any, None]) -> None:
        self.later(_denying(work), partial(self._deny, call))

    def _deny(self, call: Call, error: HallError) -> None:
        answer = refusal(call, error)
        if answer is None:
            self.croupier.refuse(self, None, bad_request(str(error)))
        else:
            self._say(answer)

    def _say(self, array: list[Any]) -> None:
        self.channel.send(self.channel.frame(_encode(array)))

    async def _log_in(self, call: Call) -> None:
        assert call.fields is not None
        name, user, password, token = call.fields
        zone = self.zone_named(name)
        try:
            if zone is LOBBY:
                await self._enter_lobby(user, password)
            else:
                await self._enter_game(zone, user, password, token)
        except Refused as error:
            sentence = OLD_TOKEN if isinstance(error, BadToken) else str(error)
            self._deny(call, Denied(Failure.LOGIN_REFUSED, sentence))
            self.count_failure(error)

    async def _enter_lobby(self, user: str, password: str) -> None:
        enter = self.hall.people.enter_for_token
        welcome = await self.enter(LOBBY, lambda: enter(self, user, password))
        profile = {"sessionProfile": {"bnrToken": welcome.token}}
        self._say([Kind.LOGIN, True, 0, welcome.player.name, LOBBY.name, "", profile])

    async def _enter_game(
        self, zone: Zone, user: str, password: str | None, token: str | None
    ) -> None:
        """Whoever names a token, even an empty one, keeps the room that it is told as joined, and
        no other."""
        hall, named = self.hall, token is not None
        if token:
            arrive = partial(hall.people.enter_by_token, self, user, token)
        elif password is not None:
            arrive = partial(hall.people.enter, self, user, password)
        else:
            raise Denied(Failure.LOGIN_REFUSED, NO_TOKEN)
        player = await self.enter(zone, arrive, keeps_one_room=named)
        self._say([Kind.LOGIN, True, 0, player.name, zone.name, ""])
        if not named and zone.game != GAME:
            return
        for room in await self.rooms_on_arrival(zone):
            if named:
                self._say([Kind.JOIN, True, 0, room, ""])
            await self._send_fresh_view(room)

    async def _log_out(self, name: str) -> None:
        await self.leave_zone(self.own_zone(name))
        self._say([Kind.LOGOUT, True, 0])

    async def _join(self, name: str | None, room: msgspec.Raw, password: str) -> None:
        zone = None if name is None else self.own_zone(name)
        table = await self.table_in(zone, room)
        is_sicbo = table.kind.game.name == GAME
        if is_sicbo and table.closed:
            raise no_such_room()  # There is no round to tell of. Other games show how they ended.
        try:
            await self.hall.seating.watch(self, table.id, password)
        except WrongKey as error:
            raise Denied(Failure.WRONG_PASSWORD, str(error)) from None
        if is_sicbo:
            self.moved_to(table.id)
        self._say([Kind.JOIN, True, 0, room, ""])
        await self._send_fresh_view(table.id)

    async def _leave(self, name: str, room: msgspec.Raw) -> None:
        table = await self.table_in(self.own_zone(name), room)
        if not self.is_in(table.id):
            raise Denied(Failure.NOT_IN_ROOM, "You are not in that room.")
        self.moved_out_of(table.id)

        def left(answer: Done | HallError | None) -> None:
            failure = Failure.TOO_MANY if isinstance(answer, Unavailable) else 0
            self._say([Kind.LEAVE, not failure, failure, room, failure])

        if table.id in self.me.seated:
            self.hall.seating.leave(self, self.me, table.id, None, left)
        else:
            left(None)

    # Objects

    def _take_object(self, asked: Asked) -> None:
        """What clients send without an array, mostly before they log in."""
        if asked.action == "ping":
            self.channel.send(self.channel.frame(_encode(m.Message("pong", asked.echo))))
        elif asked.action == "login":
            self.later(
                self._log_in_by_object(asked), partial(self.croupier.refuse, self, asked.echo)
            )
        elif GAME in self.games:
            self._ask_croupier(asked, None)
        elif asked.action in NEED_LOGIN:
            raise Wrong("NOT_LOGGED_IN", "Log in first.", asked.echo)
        elif asked.action not in (SUBSCRIBE, JOIN):  # What they ask for comes with the login.
            self.croupier.handle(self, asked)

    async def _log_in_by_object(self, asked: Asked) -> None:
        def enter(name: str, password: str) -> Awaitable[Player]:
            return self.enter(zone_of(GAME), partial(self.hall.people.enter, self, name, password))

        if await self.croupier.log_in(self, asked, enter):
            self.croupier.bring_up_to_date(self, await self.croupier.house_table())

    # Plugins

    def _to_plugin(
        self,
        asked: Asked,
        zone_name: str,
        *,
        plugin: str | None = None,
        room: msgspec.Raw | None = None,
    ) -> None:
        try:
            zone = self.own_zone(zone_name)
        except Denied as denied:
            stranger = denied.failure == Failure.NOT_LOGGED_IN
            code = "NOT_LOGGED_IN" if stranger else "BAD_REQUEST"
            raise Wrong(code, str(denied), asked.echo) from None
        if plugin is not None and plugin != zone.plugin:
            raise bad_request(f"The plugin of {zone.name} is {zone.plugin}.", asked.echo)
        table = None if room is None else table_id(room)
        game = None if table is None else self.game_at(table)
        if table is not None and game is None and self.is_in(table):
            # It is looking for a new owner.
            raise Wrong("UNAVAILABLE", Unavailable.message, asked.echo)
        if room is not None and (table is None or not self.is_in(table) or game != zone.game):
            raise bad_request("You are not in that room. Join it first.", asked.echo)
        if zone is LOBBY:
            self._ask_lobby(asked)
        elif asked.action in ROOM_ACTIONS:
            request = asked.request(self.me.player.id)
            wanted = Wanted(self.hall, self.me, zone, request)
            refuse = partial(self.croupier.refuse, self, asked.echo)
            self.later(self._show_rooms(asked, wanted), refuse)
        elif zone.game == GAME:
            self._ask_croupier(asked, table)
        else:
            self._play(asked, table)

    def _ask_lobby(self, asked: Asked) -> None:
        if asked.action == "ping":
            self.croupier.answer(self, asked, m.Message("pong"))
        else:
            self.croupier.refuse(self, asked.echo, UnknownAction())

    async def _show_rooms(self, asked: Asked, wanted: Wanted) -> None:
        self.channel.send(self.frame(_encode(await said_of_rooms(asked, wanted))))

    def _ask_croupier(self, asked: Asked, table: int | None) -> None:
        """At that table; None is the one that messages to the zone are for."""
        if asked.action == JOIN:
            asked = msgspec.structs.replace(asked, action=SUBSCRIBE)
        self.croupier.handle(self, asked, self.zones_table if table is None else table)

    def _play(self, asked: Asked, table: int | None) -> None:
        """The native dialect's request; in a room, at its table if it names none."""
        action = ACTIONS.get(asked.action)
        if table is not None and action is not None and "table" in action.payload.__struct_fields__:
            named = _encode({"table": table, **_read_fields(asked.sent)})
            asked = msgspec.structs.replace(asked, sent=named)
        if asked.action in IDENTITY_ACTIONS:
            self.refuse(asked, BadRequest("Here [1, …] and [2, …] say who you are."))
        else:
            self._perform(asked)


async def _denying(work: Coroutine[Any, Any, None]) -> None:
    """Does the work. What the hall refuses is denied as too much, a fault as a bad request."""
    try:
        await work
    except Denied:
        raise
    except HallError as error:
        raise Denied(Failure.TOO_MANY, str(error)) from None
