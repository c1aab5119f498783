"""The `duel` door: two-player Bingo over TCP, for clients that take one read for one packet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog

from gamehall.errors import BadRequest, HallError, Internal, NotFree, Unavailable
from gamehall.games.bingo_duel import (
    AlreadyPicked,
    BingoDuel,
    BoardsDealt,
    NoSuchNumber,
    Pick,
    Picked,
    View,
)
from gamehall.games.game import Outcome
from gamehall.games.two_in_turn import Abandoned, Resigned
from gamehall.hall.beat.requests import Done, Scene, Told
from gamehall.hall.hall import Hall
from gamehall.hall.visitors.duel_matches import Place
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState
from gamehall.wire.bingo.duel_codec import (
    HelloSaid,
    NumberPicked,
    Said,
    board_packet,
    marks_on,
    other_board_packet,
    packet,
    read_hello,
    read_packet,
)
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.outbox import Outbox
from gamehall.wire.net.serial import SerialLink
from gamehall.wire.net.shell import Channel

log = structlog.get_logger(__name__)

_UNREADABLE = b""
"""Stands, in its order, for what the codec could not read."""


class DuelLink(SerialLink):
    """One client of the `duel` door, which plays one match.

    It is told of no notice: a client that waits for someone to type does not read, and would take
    such a message and the packet after it for one.
    """

    wants_views = False
    resumes = False

    __slots__ = ("_casual", "_close_seconds", "_closing", "_out", "_over", "_place", "_seq")

    def __init__(
        self,
        hall: Hall,
        channel: Channel,
        *,
        casual: bool = True,
        gap_ms: float = 100,
        close_seconds: float = 5,
    ) -> None:
        """`casual`: whether a match that no arena has made may be played."""
        super().__init__(hall, channel)
        self._casual = casual
        self._close_seconds = close_seconds
        self._out = Outbox(channel, gap_ms / 1000)
        self._place: Place | None = None
        self._seq = 0
        """The last row of the journal that the client was told of."""
        self._over = False
        self._closing: asyncio.TimerHandle | None = None

    # From the client

    def _handle(self, message: bytes) -> None:
        if self._out.ends:
            return
        if message == _UNREADABLE:
            self._refuse(BadRequest.code)
            return
        heard = read_packet(message)
        if self._place is not None:
            self.hall.duels.used(self._place, self.address)
        if isinstance(heard, HelloSaid):
            self.later(self._hello(heard.text), lambda error: self._refuse(error.code))
        elif isinstance(heard, NumberPicked):
            self._pick(heard.number)
        else:
            self._answer_turn()

    async def _hello(self, text: str) -> None:
        if self._place is not None:
            raise NotFree("This client plays already.")
        hello = read_hello(text)
        if hello.fast:
            self._out.hurry()
        await self.hall.duels.enter(self, hello, self._seated, casual=self._casual)
        if self._out.ends:
            # It was cut off meanwhile.
            self._drop()

    def _pick(self, number: int) -> None:
        if self._place is None or self.online is None:
            self._say(Said.NOT_YOUR_TURN)
        else:
            self.play(self.online, self._place.table, Pick(number), self._refuse_pick)

    def _refuse_pick(self, error: HallError) -> None:
        if isinstance(error, NoSuchNumber | AlreadyPicked):
            self._say(Said.ILLEGAL_PICK)
        elif isinstance(error, Unavailable | Internal):
            self._say(Said.MESSAGE, str(error))
        else:
            self._say(Said.NOT_YOUR_TURN)

    def _answer_turn(self) -> None:
        place = self._place
        table = None if place is None else self.hall.reading.loaded(place.table)
        if place is None or self._over:
            self._say(Said.NOT_YOUR_TURN)
        elif table is None:
            # It is looking for a new owner. To say no would have the client wait for ever.
            self.later(self._find_turn(place), lambda error: self._say(Said.MESSAGE, str(error)))
        else:
            self._say_turn(table.state)

    async def _find_turn(self, place: Place) -> None:
        self._say_turn((await self.hall.reading.load(place.table)).state)

    def _say_turn(self, state: TableState) -> None:
        mine = self._is_my_turn(self._view(state))
        self._say(Said.YOUR_TURN if mine else Said.NOT_YOUR_TURN)

    def garbled(self, garbled: Garbled) -> None:
        if garbled.fatal:
            self._out.send_last(packet(Said.REFUSED))
            self._drop()
        elif garbled.code == BadRequest.code:
            self.received(_UNREADABLE)
        else:
            self._say(Said.MESSAGE, garbled.reason)

    def _refuse(self, code: str) -> None:
        log.info("duel_refused", address=self.address, code=code)
        self._say(Said.REFUSED)
        self._out.finish()
        self._drop()

    def _drop(self) -> None:
        """It plays no more here, whenever its client hangs up: it may come back at once."""
        self._place = None
        self.hall.people.disconnected(self)

    @property
    def gone(self) -> bool:
        # After the end the client only reads how it ended, and its player may come again.
        return self._over or super().gone

    def give_way(self) -> None:
        if self._over:
            self.hall.people.disconnected(self)
        else:
            super().give_way()

    def going_away(self, seconds: float) -> None:
        self._say(Said.CLOSING)

    def lost(self) -> None:
        self._out.stop()
        if self._closing is not None:
            self._closing.cancel()
        self._drop()
        super().lost()

    # To the client

    def _seated(self, place: Place) -> None:
        """Tells all that has happened at the table so far."""
        self._place = place
        self.channel.hello_done()
        self._say(Said.ACCEPTED, str(place.uid))
        table = self.hall.reading.loaded(place.table)
        assert table is not None
        self._seq = table.head
        view = self._view(table.state)
        if view is not None:
            self._out.send(board_packet(view.sides[place.seat].board))
            for number in view.picked:
                self._say(Said.PICKED, number)

    def tell_table(self, told: Told, seat: int | None) -> None:
        place = self._place
        if place is None or self._over or told.table != place.table or told.seq <= self._seq:
            return
        self._seq = told.seq
        for scene in told.scenes:
            if not self._over:
                self._tell_scene(place, scene)

    def _tell_scene(self, place: Place, scene: Scene) -> None:
        player = None if self.online is None else self.online.player.id
        events, view = scene.seen_by(player), self._view(scene.state)
        for event in events:
            if isinstance(event, BoardsDealt) and view is not None:
                self._out.send(board_packet(view.sides[place.seat].board))
            elif isinstance(event, Picked) and event.seat != place.seat:
                self._say(Said.PICKED, event.number)
        if scene.ended is not None:
            self._end(place, view, scene.ended, events)
        elif any(isinstance(event, Picked) for event in events) and self._is_my_turn(view):
            self._say(Said.YOUR_TURN)

    def _end(
        self,
        place: Place,
        view: View | None,
        ended: house.RoundEnded | house.RoundVoided,
        events: Sequence[Any],
    ) -> None:
        self._over = True
        if isinstance(ended, house.RoundVoided) and ended.reason == "no_show":
            self._say(Said.OTHER_LEFT)
        elif isinstance(ended, house.RoundVoided):
            self._say(Said.MESSAGE, "This match was called off.")
        else:
            left = any(isinstance(event, Resigned | Abandoned) for event in events)
            result = _result(ended.outcome, place.seat)
            self._say(Said.OTHER_LEFT if left and result is Said.WON else result)
            if view is not None and not left:
                board = view.sides[1 - place.seat].board
                self._out.send(other_board_packet(board, marks_on(board, view.picked)))
        if self.online is not None:
            # The dialect knows no second game at the same table.
            self.hall.seating.leave(self, self.online, place.table, None, self._left)
        loop = asyncio.get_running_loop()
        self._closing = loop.call_later(self._close_seconds, self._out.finish)

    def _left(self, _: Done | HallError) -> None:
        """Its player is not here any more. The table tells of the seat in this turn, before."""
        asyncio.get_running_loop().call_soon(self.hall.people.disconnected, self)

    def _view(self, state: TableState) -> View | None:
        """The game as this client may see it; None before it begins."""
        if self._place is None or state.game is None:
            return None
        view: View = self.hall.games[BingoDuel.name].view(state.game, self._place.seat)
        return view

    def _is_my_turn(self, view: View | None) -> bool:
        return view is not None and self._place is not None and view.turn == self._place.seat

    def _say(self, said: Said, *fields: int | str) -> None:
        self._out.send(packet(said, *fields))


def _result(outcome: Outcome, seat: int) -> Said:
    if not outcome.winners:
        return Said.DRAWN
    return Said.WON if seat in outcome.winners else Said.LOST
