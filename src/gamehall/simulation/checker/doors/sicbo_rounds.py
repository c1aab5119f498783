"""How the doors of Sic Bo tell of rounds, from the journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gamehall.games.sicbo_events import BettingClosed, Paid, Rolled, Settled
from gamehall.simulation.checker.journals import Journal
from gamehall.simulation.checker.transcripts import Json, Line
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

OF_ROUNDS = ("round_state", "new_round", "reveal_result", "payout", "game_over")


class Door:
    """How a door of Sic Bo says it: the RFC as it is, each bet paid by itself."""

    def said(self, line: Line) -> Json | None:
        """The message in a line, without what only wraps it; None if that has none of the RFC."""
        return line.message

    def new_round(self, round: str) -> Json:
        return {"action": "new_round", "payload": {"roundId": round}}

    def payouts(self, round: str, own: Sequence[Paid]) -> Iterator[Json]:
        for paid in own:
            yield _payout(round, f"B{paid.bet}", paid.chips)


class Rooms(Door):
    """In arrays, and one payout for all bets of a round."""

    def said(self, line: Line) -> Json | None:
        message: Any = line.message
        said: Json | None = message[-1] if isinstance(message[-1], dict) else None
        return said if said and "action" in said else None

    def new_round(self, round: str) -> Json:
        return {"action": "new_round"}

    def payouts(self, round: str, own: Sequence[Paid]) -> Iterator[Json]:
        if own:
            yield _payout(round, "", sum(paid.chips for paid in own))


def of_rounds(door: Door, lines: Sequence[Line]) -> list[Json]:
    heard: list[Json] = []
    for line in lines:
        said = door.said(line) if line.what == "heard" else None
        if said and said["action"] in OF_ROUNDS:
            payload = dict(said.get("payload") or {})
            payload.pop("elapsedTime", None)  # By the clock of whoever says it.
            heard.append({"action": said["action"]} | ({"payload": payload} if payload else {}))
    return heard


def tape(door: Door, journal: Journal, player: int, start: int) -> Iterator[Json]:
    shown = journal.states[start]
    assert shown is not None
    view = journal.game.view(shown.game, None)
    yield _round_state(journal, shown, "FINISH" if shown.over else view.status)
    for row in journal.rows[start:]:
        yield from _told(door, journal, row.seq, player)


def _told(door: Door, journal: Journal, seq: int, player: int) -> Iterator[Json]:
    state = journal.states[seq]
    assert state is not None
    round = f"R{state.opened.round}"
    rolled: Rolled | None = None
    payouts: list[Json] = []
    for event in journal.rows[seq - 1].events:
        match event:
            case house.Started():
                yield door.new_round(round)
                yield _round_state(journal, state, "BETTING_OPEN")
            case BettingClosed():
                yield _round_state(journal, state, "BETTING_CLOSE")
            case Rolled():
                rolled = event
            case Settled():
                own = event.payouts.get(state.seat_of.get(player, -1), ())
                payouts = list(door.payouts(round, own))
            case house.RoundEnded(secret=secret):
                assert rolled is not None
                yield _said(
                    "reveal_result",
                    roundId=round,
                    dice=list(rolled.dice),
                    sum=rolled.sum,
                    result=rolled.result,
                    secret=secret,
                )
                yield from payouts
                yield _round_state(journal, state, "FINISH")
                yield _said("game_over", roundId=round)
            case house.RoundVoided(secret=secret, reason=reason):
                yield _round_state(journal, state, "FINISH")
                yield _said("game_over", roundId=round, reason=reason, secret=secret)


def _round_state(journal: Journal, state: TableState, status: str) -> Json:
    view = journal.game.view(state.game, None)
    said = {"roundId": f"R{view.round}", "status": status}
    said |= {"openAt": view.open_ms, "closeAt": view.close_ms}
    if status == "BETTING_OPEN":
        said["commitment"] = state.opened.commitment
    return _said("round_state", **said)


def _payout(round: str, bet: str, chips: int) -> Json:
    outcome = "WIN" if chips else "LOSS"
    return _said("payout", roundId=round, betId=bet, outcome=outcome, payout=chips)


def _said(action: str, **payload: Any) -> Json:
    return {"action": action, "payload": payload}
