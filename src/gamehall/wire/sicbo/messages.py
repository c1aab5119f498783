"""What the RFC's server says of Sic Bo, and how a round, a table and a bet look in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from gamehall.games.game import Event, Game
from gamehall.games.sicbo import HISTORY_MAX
from gamehall.games.sicbo_betting import NOTHING, OnSide, PastRound, Stake, Status, View
from gamehall.games.sicbo_events import BetPlaced, BettingClosed
from gamehall.games.sicbo_layout import SIDES, Side
from gamehall.hall.nodes.clock import TableTime
from gamehall.hall.seats.sicbo_bets import BetRound
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState


class Message(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel", gc=False):
    action: str
    request_id: Any = None
    payload: Any = None
    datas: Any = None
    chip_set: tuple[int, ...] | None = None


class Said(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """A payload of ours."""


class ErrorSaid(Said, frozen=True, omit_defaults=True):
    code: str
    message: str
    request_id: Any = None


class RoundId(Said, frozen=True):
    round_id: str


class VoidRound(RoundId, frozen=True):
    """Of a round that was called off: every stake has gone back."""

    reason: str
    secret: str


class RoundState(RoundId, frozen=True, omit_defaults=True):
    status: Status
    open_at: int
    close_at: int
    elapsed_time: int
    """Despite its name, the seconds that are left for bets: clients count down from it."""
    commitment: str | None = None


class Revealed(RoundId, frozen=True):
    dice: tuple[int, ...]
    sum: int
    result: str
    secret: str


class Accepted(Said, frozen=True):
    bet_id: str
    round_id: str
    side: str
    amount: int


class OwnStake(Said, frozen=True):
    amount_big: int
    amount_small: int
    sides: dict[Side, int]
    """BIG and SMALL too; only those on which there is something."""


class AcceptedInRoom(Accepted, frozen=True):
    total_bet_big: int
    total_bet_small: int
    bet_player_big: int
    bet_player_big_too: int = msgspec.field(name="betPlayerBIG")
    bet_player_small: int
    bet_info: OwnStake


class PaidOut(Said, frozen=True):
    round_id: str
    bet_id: str
    outcome: str
    payout: int


class UserInfo(Said, frozen=True):
    balance: int
    table_id: int
    chip_set: tuple[int, ...]


class LoggedIn(Said, frozen=True):
    username: str
    balance: int


class TableInfo(RoundId, frozen=True):
    status: Status
    elapsed_time: int
    open_at: int
    close_at: int
    total_bet: int
    total_bet_big: int
    total_bet_small: int
    bet_player: int
    bet_player_big: int
    bet_player_small: int
    dice: tuple[int, ...]
    sum: int
    result: str
    sides: dict[Side, OnSide]
    """Every side. Empty of past rounds, whose sides would fill the journal."""


class TableDatas(Said, frozen=True):
    table_info: TableInfo
    histories: Sequence[TableInfo]
    bet_info: OwnStake


class RoomDatas(TableDatas, frozen=True):
    table_infos: tuple[TableInfo, ...] = ()


class OwnBet(Said, frozen=True):
    bet_id: str
    side: Side
    amount: int
    outcome: str
    payout: int


class OwnRound(RoundId, frozen=True):
    dice: tuple[int, ...]
    sum: int
    result: str
    total_bet: int
    payout: int
    bets: tuple[OwnBet, ...]


class BetDatas(Said, frozen=True):
    histories: Sequence[OwnRound]


class Balance(Said, frozen=True):
    balance: int


def round_id(round: int) -> str:
    return f"R{round}"


def bet_id(bet: int) -> str:
    return f"B{bet}"


# How things look


class Shown(msgspec.Struct, frozen=True, gc=False):
    """A table of Sic Bo, as one player or anyone may see it."""

    view: View
    status: Status
    commitment: str
    time: TableTime

    def round_state(self, now_ms: int, status: Status | None = None) -> Message:
        """How its round stands, or stood at `status`."""
        status = status or self.status
        view = self.view
        payload = RoundState(
            round_id(view.round),
            status,
            view.open_ms,
            view.close_ms,
            self._seconds_left(status, now_ms),
            self.commitment if status == "BETTING_OPEN" else None,
        )
        return Message("round_state", payload=payload)

    def table_info(self, now_ms: int) -> TableInfo:
        left = self._seconds_left(self.status, now_ms)
        return _table_info(self.view, self.status, left, _every_side(self.view))

    def histories(self) -> list[TableInfo]:
        """The last finished rounds, oldest first."""
        now = () if self.view.result is None else (self.view,)
        rounds = (*self.view.history, *now)[-HISTORY_MAX:]
        return [_table_info(round, "FINISH", 0, {}) for round in rounds]

    def _seconds_left(self, status: Status, now_ms: int) -> int:
        if status != "BETTING_OPEN":
            return 0
        return max(0, -(-(self.view.close_ms - self.time.at(now_ms)) // 1000))


def shown(game: Game[Any], state: TableState, time: TableTime, player: int | None) -> Shown:
    seat = None if player is None else state.seat_of.get(player)
    view: View = game.view(state.game, seat)
    status: Status = "FINISH" if state.over else view.status
    return Shown(view, status, state.opened.commitment, time)


def told(events: Iterable[Event], table: Shown, now_ms: int) -> tuple[list[Message], list[Message]]:
    """What all who listen are told of a scene, after which the table is as `shown`: what comes
    before the payouts, and what after."""
    view = table.view
    round = RoundId(round_id(view.round))
    before: list[Message] = []
    after: list[Message] = []
    for event in events:
        match event:
            case house.Started():
                before.append(Message("new_round", payload=round))
                before.append(table.round_state(now_ms, "BETTING_OPEN"))
            case BettingClosed():
                before.append(table.round_state(now_ms, "BETTING_CLOSE"))
            case house.RoundEnded(secret=secret):
                result = Revealed(round.round_id, view.dice, view.sum, view.result or "", secret)
                before.append(Message("reveal_result", payload=result))
                after.append(table.round_state(now_ms, "FINISH"))
                after.append(Message("game_over", payload=round))
            case house.RoundVoided(reason=reason, secret=secret):
                over = VoidRound(round.round_id, reason, secret)
                after.append(table.round_state(now_ms, "FINISH"))
                after.append(Message("game_over", payload=over))
    return before, after


def accepted(round: int, bet: BetPlaced) -> Accepted:
    return Accepted(bet_id(bet.bet), round_id(round), bet.side, bet.amount)


def accepted_in_room(round: int, bet: BetPlaced) -> AcceptedInRoom:
    tally = bet.tally
    return AcceptedInRoom(
        bet_id(bet.bet),
        round_id(round),
        bet.side,
        bet.amount,
        tally.big,
        tally.small,
        tally.players_big,
        tally.players_big,
        tally.players_small,
        own_stake(bet.stake),
    )


def paid_out(round: int, bet: str, chips: int) -> Message:
    return Message("payout", payload=PaidOut(round_id(round), bet, _outcome(chips), chips))


def bet_history(rounds: Iterable[BetRound]) -> Message:
    datas = BetDatas([_own_round(each) for each in rounds])
    return Message("bet_history_for_table", payload={}, datas=datas)


def _own_round(ended: BetRound) -> OwnRound:
    bets = tuple(
        OwnBet(
            bet_id(bet.bet),
            bet.side,
            bet.amount,
            "VOID" if ended.result is None else _outcome(bet.paid or 0),
            bet.paid or 0,
        )
        for bet in ended.bets
    )
    return OwnRound(
        round_id(ended.round),
        ended.dice,
        ended.sum,
        ended.result or "",
        sum([bet.amount for bet in bets]),
        sum([bet.payout for bet in bets]),
        bets,
    )


def _outcome(chips: int) -> str:
    return "WIN" if chips > 0 else "LOSS"


def own_stake(stake: Stake) -> OwnStake:
    halves: dict[Side, int] = {"BIG": stake.big, "SMALL": stake.small}
    sides = {side: chips for side, chips in (halves | stake.sides).items() if chips}
    return OwnStake(stake.big, stake.small, sides)


def _every_side(view: View) -> dict[Side, OnSide]:
    tally = view.tally
    halves: dict[Side, OnSide] = {
        "BIG": OnSide(tally.big, tally.players_big),
        "SMALL": OnSide(tally.small, tally.players_small),
    }
    return dict.fromkeys(SIDES, NOTHING) | halves | view.sides


def _table_info(
    round: View | PastRound, status: Status, seconds_left: int, sides: dict[Side, OnSide]
) -> TableInfo:
    tally = round.tally
    return TableInfo(
        round_id(round.round),
        status,
        seconds_left,
        round.open_ms,
        round.close_ms,
        tally.total,
        tally.big,
        tally.small,
        tally.players,
        tally.players_big,
        tally.players_small,
        round.dice,
        round.sum,
        round.result or "",
        sides,
    )
