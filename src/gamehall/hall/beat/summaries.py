"""What the lists show of a table and of a finished round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from gamehall.games.game import Party
from gamehall.hall.beat.steps import Step, opened_in
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


def rounds_of(steps: Sequence[Step], round_seq: int) -> tuple[int, tuple[FinishedRound, ...]]:
    """Where the running round begins after these steps, and the rounds that they end."""
    finished = []
    for step in steps:
        row, walk_in, hash = step.row, step.decision.state.walk_in, step.hash
        finished += [
            finished_round(ended, walk_in=walk_in, first_seq=round_seq, last_seq=row.seq, hash=hash)
            for ended in step.decision.ended
        ]
        finished += [
            FinishedRound(
                round=row.round,
                first_seq=round_seq,
                last_seq=row.seq,
                hash=hash,
                ended_at_ms=event.at_ms,
                reason=event.reason,
                results=(),
                voided=True,
            )
            for event in row.events
            if isinstance(event, house.RoundVoided)
        ]
        if opened_in(row) is not None:
            round_seq = row.seq
    return round_seq, tuple(finished)


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
