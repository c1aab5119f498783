"""What the lists show of a table and of a finished round."""

from __future__ import annotations

from typing import Literal, cast

from gamehall.games.game import Party
from gamehall.store.appends import FinishedRound, SeatResult, Summary, TableStatus, Transfer
from gamehall.table_log import house
from gamehall.table_log.decision import Decision, EndedRound
from gamehall.table_log.table_state import TableState

NAMES_MAX = 50


def summary_of(before: TableState | None, state: TableState, round_seq: int) -> Summary:
    """What has changed since `before`."""
    seats: list[int] = []
    came: tuple[int, ...] = ()
    went: tuple[int, ...] = ()
    # Those who walk in are many, come and go, and are bound to nothing.
    if not state.walk_in:
        seats = sorted(state.seat_of.values())
        known = {} if before is None else before.seat_of
        came = tuple(state.seat_of.keys() - known.keys())
        went = tuple(known.keys() - state.seat_of.keys())
    return Summary(
        status=cast(TableStatus, state.status),
        round=state.opened.round,
        round_seq=round_seq,
        names=tuple(state.chairs[seat].name for seat in seats[:NAMES_MAX]),
        count=len(state.seat_of),
        came=came,
        went=went,
    )


def finished_round(
    ended: EndedRound,
    *,
    walk_in: bool,
    first_seq: int,
    last_seq: int,
    hash: str,
) -> FinishedRound:
    outcome = ended.event.outcome
    scores = outcome.scores or {}
    return FinishedRound(
        round=ended.round,
        first_seq=first_seq,
        last_seq=last_seq,
        hash=hash,
        ended_at_ms=ended.event.at_ms,
        reason=outcome.reason,
        results=tuple(
            SeatResult(seat, person.player, person.name, _result(ended, seat), scores.get(seat))
            # Where thousands walk in, the ledger says what each of them won.
            for seat, person in (() if walk_in else sorted(ended.players.items()))
        ),
    )


def voided_round(
    round: int, voided: house.RoundVoided, *, first_seq: int, last_seq: int, hash: str
) -> FinishedRound:
    return FinishedRound(
        round=round,
        first_seq=first_seq,
        last_seq=last_seq,
        hash=hash,
        ended_at_ms=voided.at_ms,
        reason=voided.reason,
        results=(),
        voided=True,
    )


def _result(ended: EndedRound, seat: int) -> Literal["win", "draw", "loss"]:
    winners = ended.event.outcome.winners
    if seat in winners:
        return "win"
    # Leaving is losing, also where nobody wins.
    return "loss" if winners or seat in ended.quitters else "draw"


def transfers_of(decision: Decision, table: int) -> tuple[Transfer, ...]:
    """The payments of a decision as transfers between accounts."""
    return tuple(
        Transfer(
            _account(payment.source, table, round, chairs),
            _account(payment.target, table, round, chairs),
            payment.chips,
        )
        for round, chairs, payment in decision.payments
    )


def _account(party: Party, table: int, round: int, chairs: dict[int, house.Person]) -> str:
    if isinstance(party, int):
        return f"player:{chairs[party].player}"
    return "house" if party == "house" else f"pot:{table}:{round}"
