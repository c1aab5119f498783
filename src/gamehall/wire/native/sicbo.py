"""What the native door does for Sic Bo beyond its commands: what clients of its other doors ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from gamehall.errors import NotAllowed
from gamehall.games.sicbo_events import DICE_NOT_CHOSEN
from gamehall.hall.seats.sicbo_bets import BetRound
from gamehall.wire.native.action import Action, Asked
from gamehall.wire.native.messages import Acted, AtTable, BalanceInfo, Empty, Payload

if TYPE_CHECKING:
    from gamehall.wire.native.dialect import NativeLink


class Rebet(AtTable, frozen=True):
    round: Annotated[int, Meta(ge=1, lt=2**53)] | None = None
    """The round that is meant; null is the one now open."""


class Deposit(Payload, frozen=True):
    amount: Annotated[int, Meta(ge=1, lt=2**53)]


class SetMode(Payload, frozen=True, forbid_unknown_fields=False):
    """Whatever it asks for: it is refused."""


class BetHistory(msgspec.Struct, frozen=True):
    histories: list[BetRound]


async def rebet(link: NativeLink, payload: Rebet, asked: Asked) -> None:
    me = link.me
    reply = link.settle(asked, lambda done: Acted(done.table, done.seq))
    request = asked.request(me.player.id)
    await link.hall.sicbo_bets.rebet(me, payload.table, payload.round, request, reply)


async def bet_history(link: NativeLink, payload: AtTable, _: Asked) -> BetHistory:
    return BetHistory(await link.hall.sicbo_bets.history(payload.table, link.me.player.id))


async def deposit(link: NativeLink, _: Deposit, __: Asked) -> BalanceInfo:
    return BalanceInfo(await link.hall.people.deposit(link.me))


def set_mode(_: NativeLink, __: SetMode, ___: Asked) -> None:
    raise NotAllowed(DICE_NOT_CHOSEN)


SICBO_ACTIONS: dict[str, Action] = {
    "rebet": Action(Rebet, Acted, rebet),
    "bet_history_for_table": Action(AtTable, BetHistory, bet_history),
    "deposit": Action(Deposit, BalanceInfo, deposit, once=True),
    "set_mode": Action(SetMode, Empty, set_mode, login=False),
}
