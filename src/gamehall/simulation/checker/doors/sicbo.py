"""What clients of the doors of Sic Bo, `rfc` and `mario`, heard, held against the journal.

* on each connection rounds are told from some row of the journal on: each round's id, commitment,
  times, dice, secret and end, and between them the player's own payouts, and no other's
* so is the history of its bets; and nothing else has a round's secret in it
* a bet that was accepted is in the journal, once, as it was sent and in the round it named; one
  that was refused is not
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import BetPlaced
from gamehall.simulation.checker.doors.sicbo_rounds import Door, Rooms, of_rounds, tape
from gamehall.simulation.checker.doors.tapes import is_told
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.records import Request
from gamehall.simulation.checker.secrets import check_without_secrets
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house

UNSURE = ("UNAVAILABLE", "INTERNAL")
"""Errors after which a bet may have been placed nevertheless."""

Rows = dict[str, list[tuple[Request, Journal, int]]]
"""What requests have caused, by their ids."""


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
            beside = [line.text for line in lines if not of_rounds(door, [line])]
            check_without_secrets(transcript.name, beside, books)


def _check_told(
    name: str, door: Door, lines: Sequence[Line], journals: Sequence[Journal], player: int
) -> None:
    heard = of_rounds(door, lines)
    told = f"{name} was told what is not in the journal"
    assert not heard or any(
        is_told(heard, journal, partial(tape, door, journal, player)) for journal in journals
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


# What its bets have brought


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
