"""The `caller` door: called Bingo in lines of text, at the hall's own table.

The first line of a client is its name. It is a guest of the hall, and sits down at once.
"""

from __future__ import annotations

from gamehall.errors import HallError
from gamehall.games.bingo import Bingo, Claim, Deal, Ready, View
from gamehall.games.game import Command
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Done, Told, unheard
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.people.credentials import read_name
from gamehall.hall.people.online import Online
from gamehall.wire.bingo import caller_lines as lines
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.serial import SerialLink
from gamehall.wire.net.shell import Channel

QUIT = "/quit"
WITH_CARD, WITHOUT_CARD = "caller with card", "caller without card"
"""Whose frame it is, among those that a beat keeps."""


class CallerLink(SerialLink):
    """One client of the `caller` door."""

    __slots__ = ("_follows", "_kind", "_skipped")

    wants_views = False

    def __init__(self, hall: Hall, channel: Channel) -> None:
        super().__init__(hall, channel)
        self._follows: int | None = None
        """Its table, once it has been told how the round stands, and hears of it from then on."""
        self._kind = WITHOUT_CARD
        """Whether it was dealt a card, as the name of what it is told. Whoever once was is dealt
        in at every round."""
        self._skipped = False

    # From the client

    def _handle(self, message: bytes) -> None:
        line = message.decode().strip()
        online, table = self.online, self._follows
        if line == QUIT:
            self._quit(online, table)
        elif online is None:
            self.later(self._enter(line), self._refuse)
        elif table is None:
            self.later(self._try_to_sit(), self._refuse)
        elif line == "READY":
            self._act(online, table, Ready())
        elif line == "BINGO":
            self._act(online, table, Claim())
            # True or not, it answers the number: clients send no READY after it.
            self.hall.seating.act(online, table, Ready(), None, unheard)
        elif line == "/start":
            self._act(online, table, Deal())
        else:
            self._say("Send READY, BINGO, /start or /quit.")

    def _act(self, online: Online, table: int, command: Command) -> None:
        self.hall.seating.act(online, table, command, None, self._answered)

    def _answered(self, answer: Done | HallError) -> None:
        """What is accepted shows in what everyone is told."""
        if isinstance(answer, HallError):
            self._refuse(answer)

    def _refuse(self, error: HallError) -> None:
        self._say(str(error))

    async def _enter(self, line: str) -> None:
        try:
            arrival = await self.hall.people.named_guest(self, "caller", line)
        except HallError as error:
            self._say(f"{error} Send your name again, or another one.")
            return
        if self._lost:
            return
        self.channel.hello_done()
        name, wanted = arrival.player.name, read_name(line)
        in_use = not arrival.back and name != wanted
        self._say(f"Connected as {name}" + (f" ({wanted} is in use)" if in_use else ""))
        await self._try_to_sit()

    async def _try_to_sit(self) -> None:
        try:
            await self._sit_down()
        except HallError as error:
            self._say(f"{error} Send anything to try again.")

    async def _sit_down(self) -> None:
        online = self.online
        table = await self.hall.house_tables.table(Bingo.name)
        if online is None or self._lost:
            return
        if table not in online.seated:
            sat = Awaited[Done]()
            await self.hall.seating.sit(self, online, table, None, None, None, sat)
            await sat
        self._show(await self.hall.reading.load(table))

    def _quit(self, online: Online | None, table: int | None) -> None:
        if online is None or table is None:
            self._part()
        else:
            self.hall.seating.leave(self, online, table, None, lambda _: self._part())

    def _part(self) -> None:
        self._say("Goodbye.")
        self.channel.close()

    def garbled(self, garbled: Garbled) -> None:
        self._say(garbled.reason)

    def drained(self) -> None:
        table = None if self._follows is None else self.hall.reading.loaded(self._follows)
        if self._skipped and table is not None:
            self._show(table)

    def going_away(self, seconds: float) -> None:
        self._say(f"The hall stops in {seconds:g} seconds. Come back later with the same name.")

    # To the client

    def _say(self, text: str) -> None:
        self.channel.send(lines.message(text))

    def _show(self, table: KnownTable) -> None:
        """How the round stands; what is told from then on continues it."""
        state = table.state
        seat = None if self.online is None else self.online.seated.get(table.id)
        if seat is None:
            return
        view = table.kind.game.view(state.game, seat)
        assert isinstance(view, View)
        playing = view.playing and not state.over
        self._follows = table.id
        self._skipped = False
        self._kind = WITHOUT_CARD if view.card is None else WITH_CARD
        if not playing:
            self._say(lines.CAN_START)
        elif view.card is None:
            self._say(lines.WAIT)
        else:
            calls = [lines.check_number(number) for number in view.called]
            self.channel.send(lines.new_card(view.card) + b"".join(calls))

    def tell_table(self, told: Told, seat: int | None) -> None:
        if told.table != self._follows:
            return
        if seat is None or told.status == "closed":
            self._follows = None
            self._say("You have lost your seat. Send anything to sit down again.")
            return
        player = None if self.online is None else self.online.player.id
        if player in told.insiders:  # By its card.
            frame: bytes | None = lines.told(told.scenes, player, self._kind == WITH_CARD)
            self._kind = WITH_CARD
        else:
            frame = told.memo.get(self._kind)
            if frame is None:
                frame = lines.told(told.scenes, None, self._kind == WITH_CARD)
                told.memo[self._kind] = frame
        if frame and (self._skipped or not self.channel.offer(frame)):
            self._skipped = True
