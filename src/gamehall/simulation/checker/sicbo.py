"""What clients of the `rfc` door heard of Sic Bo, held against the journal, word by word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import BetPlaced, Rolled, Settled
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house

PHASES = ("BETTING_OPEN", "BETTING_CLOSE", "FINISH")


class Round(msgspec.Struct):
    """One round, as the journal has it."""

    commitment: str
    rolled: Rolled | None = None
    secret: str = ""
    bets: dict[str, tuple[str, int]] = {}
    """Side and amount, by the bet's id."""
    payouts: dict[str, int] = {}


def check_sicbo(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    journals = [each for each in books.journals.values() if each.game.name == SicBo.name]
    rounds = [rounds_of(journal) for journal in journals]
    for transcript in transcripts:
        for lines in transcript.by_connection():
            found = [str(_problem(lines, each)) for each in rounds]
            told = f"{transcript.name} heard what is in no journal: {found}"
            assert not found or "None" in found, told


def rounds_of(journal: Journal) -> dict[str, Round]:
    """The rounds of a table by their ids, R1, R2 and so on."""
    rounds: dict[str, Round] = {}
    for row in journal.rows:
        for event in row.events:
            now = rounds.get(f"R{row.round}")
            if isinstance(event, house.Opened):
                rounds[f"R{event.round}"] = Round(event.commitment)
            elif now is None:
                continue
            elif isinstance(event, BetPlaced):
                now.bets[f"B{event.bet}"] = (str(event.side), event.amount)
            elif isinstance(event, Rolled):
                now.rolled = event
            elif isinstance(event, Settled):
                for payouts in event.payouts.values():
                    now.payouts |= {f"B{paid.bet}": paid.chips for paid in payouts}
            elif isinstance(event, house.RoundEnded | house.RoundVoided):
                now.secret = event.secret
    return rounds


def _problem(lines: Iterable[Line], rounds: dict[str, Round]) -> str | None:
    """The first message on this connection that these rounds do not bear out."""
    place = (0, 0)
    for line in lines:
        if line.what != "heard":
            continue
        message = line.message
        payload = message.get("payload") or {}
        if "roundId" not in payload or message["action"] == "error":
            continue
        now = rounds.get(payload["roundId"])
        if now is None or not _is_true(message["action"], payload, now):
            return line.text
        if message["action"] == "round_state":
            at = (int(payload["roundId"][1:]), PHASES.index(payload["status"]))
            if at < place:
                return f"{line.text} after {place}"
            place = at
    return None


def _is_true(action: str, told: Json, now: Round) -> bool:
    match action:
        case "round_state":
            return told.get("commitment", now.commitment) == now.commitment and (
                told["status"] != "FINISH" or bool(now.secret)
            )
        case "reveal_result":
            rolled = now.rolled
            there = (list(rolled.dice), rolled.sum, rolled.result) if rolled else None
            return (told["dice"], told["sum"], told["result"]) == there and (
                told["secret"] == now.secret
            )
        case "bet_accepted":
            return now.bets.get(told["betId"]) == (told["side"], told["amount"])
        case "payout":
            return bool(now.payouts.get(told["betId"]) == told["payout"])
        case "game_over":
            return bool(now.secret)
    return True
