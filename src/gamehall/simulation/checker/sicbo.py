"""What clients of the doors of Sic Bo, `rfc` and `mario`, heard, held against the journal.

* on each connection rounds are told from some row of the journal on: each round's id, commitment,
  times, dice, secret and end, and between them the player's own payouts, and no other's
* so is the history of its bets; and nothing else has a round's secret in it
* a bet that was accepted is in the journal, once, as it was sent and in the round it named; one
  that was refused is not
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import BetPlaced, BettingClosed, Paid, Rolled, Settled
from gamehall.simulation.checker.journals import Books, Journal, Request
from gamehall.simulation.checker.secrets import check_without_secrets
from gamehall.simulation.checker.tapes import is_told
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

OF_ROUNDS = ("round_state", "new_round", "reveal_result", "payout", "game_over")
UNSURE = ("UNAVAILABLE", "INTERNAL")
"""Errors after which a bet may have been placed nevertheless."""

Rows = dict[str, list[tuple[Request, Journal, int]]]
"""What requests have caused, by their ids."""


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


def check_rfc(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    _check(Door(), transcripts, books, lambda transcript, lines: lines)


def check_mario(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    _check(Rooms(), transcripts, books, lambda transcript, lines: transcript.lines)


def _check(
    door: Door,
    transcripts: Sequence[Transcript],
    books: Books,
    of_one_player: Callable[[Transcript, Sequence[Line]], Sequence[Line]],
) -> None:
    """`of_one_player`: all lines of whoever is on a connection with these."""
    journals = [each for each in books.journals.values() if each.game.name == SicBo.name]
    rows: Rows = {}
    for request, journal, seq in books.caused_by():
        rows.setdefault(request.id, []).append((request, journal, seq))
    for transcript in transcripts:
        _check_bets(transcript.name, door, transcript.lines, rows)
        for lines in transcript.by_connection():
            bets = _bets(door, of_one_player(transcript, lines), "sent")
            players = {request.player for id in bets for request, _, _ in rows.get(id, ())}
            assert len(players) <= 1, f"{transcript.name} was taken for several: {players}"
            player = next(iter(players), 0)
            _check_told(transcript.name, door, lines, journals, player)
            beside = [line.text for line in lines if not _of_rounds(door, [line])]
            check_without_secrets(transcript.name, beside, books)


def _check_told(
    name: str, door: Door, lines: Sequence[Line], journals: Sequence[Journal], player: int
) -> None:
    heard = _of_rounds(door, lines)
    told = f"{name} was told what is not in the journal"
    assert not heard or any(
        is_told(heard, journal, partial(_tape, door, journal, player)) for journal in journals
    ), f"{told}: {heard}"
    for line in lines:
        said = door.said(line) if line.what == "heard" else None
        if said and said["action"] == "bet_history_for_table":
            history = said["datas"]["histories"]
            there = (_history(journal, player)[: len(history)] for journal in journals)
            assert not history or history in there, f"{told}: {history}"


# Bets


def _bets(door: Door, lines: Sequence[Line], what: str) -> dict[str, list[Json]]:
    """What was sent of bets, or heard of them, by request id."""
    found: dict[str, list[Json]] = {}
    for line in lines:
        said = door.said(line) if line.what == what else None
        if said and said["action"] in ("place_bet", "bet_accepted", "error"):
            found.setdefault(said.get("requestId", ""), []).append(said)
    return found


def _check_bets(name: str, door: Door, lines: Sequence[Line], rows: Rows) -> None:
    answers = _bets(door, lines, "heard")
    for id, sent in _bets(door, lines, "sent").items():
        wanted = sent[0]["payload"]
        there = [
            {
                "betId": f"B{event.bet}",
                "roundId": f"R{journal.rows[seq - 1].round}",
                "side": event.side,
                "amount": event.amount,
            }
            for _, journal, seq in rows.get(id, ())
            for event in journal.rows[seq - 1].events
            if isinstance(event, BetPlaced)
        ]
        assert len(there) <= 1, f"{name}'s bet {id} is there twice: {there}"
        for bet in there:
            same = all(bet[field] == wanted[field] for field in wanted)
            assert same, f"{name} bet {wanted}, and there is {bet}"
        for answer in answers.get(id, ()):
            told = answer["payload"]
            if answer["action"] == "bet_accepted":
                accepted = {field: told[field] for field in ("betId", *wanted)}
                assert there == [accepted], f"{name} was told {told}, and there is {there}"
            elif len(sent) == 1 and told["code"] not in UNSURE:
                assert not there, f"{name} was refused with {told}, and there is {there}"


# Rounds


def _of_rounds(door: Door, lines: Sequence[Line]) -> list[Json]:
    heard: list[Json] = []
    for line in lines:
        said = door.said(line) if line.what == "heard" else None
        if said and said["action"] in OF_ROUNDS:
            payload = dict(said.get("payload") or {})
            payload.pop("elapsedTime", None)  # By the clock of whoever says it.
            heard.append({"action": said["action"]} | ({"payload": payload} if payload else {}))
    return heard


def _tape(door: Door, journal: Journal, player: int, start: int) -> Iterator[Json]:
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


def _history(journal: Journal, player: int) -> list[Json]:
    """The rounds that are over and in which the player has bet."""
    history: list[Json] = []
    for row in journal.rows:
        state = journal.states[row.seq]
        assert state is not None
        if any(isinstance(event, house.RoundEnded) for event in row.events):
            view = journal.game.view(state.game, state.seat_of.get(player))
            bets = [
                {
                    "betId": f"B{bet.bet}",
                    "side": bet.side,
                    "amount": bet.amount,
                    "outcome": "WIN" if bet.paid else "LOSS",
                    "payout": bet.paid,
                }
                for bet in view.bets
            ]
            told = {"roundId": f"R{view.round}", "dice": list(view.dice)}
            told |= {"sum": view.sum, "result": view.result}
            told |= {"totalBet": sum(bet.amount for bet in view.bets)}
            told |= {"payout": sum(bet.paid for bet in view.bets), "bets": bets}
            history += [told] if bets else []
    return history
