"""The `rfc` door: the Sic Bo RFC as it is written, one JSON object a message."""

from __future__ import annotations

from functools import partial

from gamehall.hall.beat.requests import Told
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.serial import SerialLink
from gamehall.wire.net.shell import Channel
from gamehall.wire.sicbo.dialect import Croupier
from gamehall.wire.sicbo.requests import Asked, Wrong, read_request


class RfcLink(SerialLink):
    """One client of the `rfc` door, at the hall's own table: a guest, unless it logs in."""

    __slots__ = ("_croupier", "_skipped")

    def __init__(self, croupier: Croupier, channel: Channel) -> None:
        super().__init__(croupier.hall, channel)
        self._croupier = croupier
        self._skipped = False
        channel.hello_done()

    # From the client

    def _handle(self, message: bytes) -> None:
        try:
            asked = read_request(message)
        except Wrong as wrong:
            self._croupier.refuse(self, wrong.echo, wrong)
            return
        if asked.action == "login":
            self.later(self._log_in(asked), partial(self._croupier.refuse, self, asked.echo))
        else:
            self._croupier.handle(self, asked)

    async def become_someone(self) -> None:
        await self.hall.people.guest(self)

    async def _log_in(self, asked: Asked) -> None:
        subscribed = bool(self.watching)
        enter = partial(self.hall.people.enter, self)
        logged_in = await self._croupier.log_in(self, asked, enter)
        if logged_in and subscribed and not self.watching:
            # As someone else it follows nothing any more; what it missed meanwhile, this tells.
            await self._croupier.subscribe(self, Asked("subscribe_rounds", None, b"{}", None))

    def garbled(self, garbled: Garbled) -> None:
        self._croupier.garbled(self, garbled, garbled.message)

    def drained(self) -> None:
        house = self._croupier.house
        if self._skipped and house is not None:
            self._skipped = False
            self._croupier.bring_up_to_date(self, house)

    # To the client

    def tell_table(self, told: Told, seat: int | None) -> None:
        if not self._croupier.tell(self, told):
            self._skipped = True
