"""Sic Bo in the rooms of the `mario` door: the RFC as clients of the framework know it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from gamehall.games.sicbo import CHIPS
from gamehall.games.sicbo_events import BetPlaced, Settled
from gamehall.wire.sicbo import messages as m
from gamehall.wire.sicbo.dialect import Croupier
from gamehall.wire.sicbo.mario_messages import plugin_says


class RoomCroupier(Croupier):
    """The RFC as clients of the framework know it: wrapped, and with more fields."""

    door = "mario"

    def wrap(self, message: m.Message) -> bytes:
        if message.action == "new_round":
            message = m.Message(message.action)
        return plugin_says(super().wrap(message))

    def accepted(self, round: int, bet: BetPlaced) -> m.Message:
        return m.Message("bet_accepted", payload=m.accepted_in_room(round, bet))

    def payouts(self, round: int, settled: Settled) -> Iterable[m.Message]:
        for payouts in settled.payouts.values():
            yield m.paid_out(round, "", sum([paid.chips for paid in payouts]))

    def user_info(self, balance: int, table: int) -> m.Message:
        return msgspec.structs.replace(super().user_info(balance, table), chip_set=CHIPS)

    def table_info(self, shown: m.Shown) -> m.Message:
        now_ms = self.hall.clock.now_ms()
        datas = m.RoomDatas(shown.table_info(now_ms), shown.histories(), shown.own_stake())
        return m.Message("get_table_info", payload={}, datas=datas)
