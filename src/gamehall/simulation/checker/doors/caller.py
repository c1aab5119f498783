"""What clients of the `caller` door heard of called Bingo, held against the journal, line by line.

* on each connection every line is as the journal has it: the player's own card and no other's, the
  numbers in order and without a gap, and who has won
* whoever has a bingo in the journal has said so
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial

from gamehall.games.bingo import Bingo, BingoClaimed, Called, CardsDealt, columns
from gamehall.games.game import Outcome
from gamehall.simulation.checker.doors.tapes import is_told
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.secrets import check_without_secrets
from gamehall.simulation.checker.transcripts import Line, Transcript
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

CAN_START = "MSG|A new round can be started with /start."
WAIT = "MSG|A round is on. You are dealt in at the next one."
LOST_SEAT = "MSG|You have lost your seat. Send anything to sit down again."
NAMED = re.compile(r"MSG\|Connected as (\S+)")
OF_A_ROUND = re.compile(
    "NEW_CARD|CHECK_NUMBER|MSG.(.* has a bingo and wins|All numbers have been called|Nobody is left"
    " in the round|The round has been called off|A new round can|A round is on. You are)"
)


def check_caller(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    journals = [each for each in books.journals.values() if each.game.name == Bingo.name]
    claimed: set[int] = set()
    everyone: set[int] = set()
    for transcript in transcripts:
        check_without_secrets(transcript.name, transcript.texts("heard"), books)
        for lines in transcript.by_connection():
            players = _players(lines, journals)
            everyone |= players
            if any((line.what, line.text) == ("sent", "BINGO") for line in lines):
                claimed |= players
            for heard in _stays(lines):
                told = f"{transcript.name} was told what is not in the journal: {heard}"
                assert not heard or any(
                    is_told(heard, journal, partial(_tape, journal, player))
                    for journal in journals
                    for player in players
                ), told
    for journal in journals:
        for player in _winners(journal):
            unsaid = f"player {player} has won a round without a word"
            assert player in claimed or player not in everyone, unsaid


def _players(lines: Sequence[Line], journals: Sequence[Journal]) -> set[int]:
    """Who may have been this client: all who ever sat down under its name."""
    texts = (line.text for line in lines if line.what == "heard")
    names = {found[1] for text in texts if (found := NAMED.match(text))}
    return {
        event.person.player
        for journal in journals
        for row in journal.rows
        for event in row.events
        if isinstance(event, house.Seated) and event.person.name in names
    }


def _stays(lines: Sequence[Line]) -> list[list[str]]:
    """What it heard of rounds, from each time that it took its seat."""
    stays: list[list[str]] = [[]]
    for line in lines:
        if line.what != "heard":
            continue
        if line.text == LOST_SEAT:
            stays.append([])
        elif OF_A_ROUND.match(line.text):
            stays[-1].append(line.text)
    return stays


def _tape(journal: Journal, player: int, start: int) -> Iterator[str]:
    state = journal.states[start]
    assert state is not None
    seat = state.seat_of.get(player)
    if seat is None:
        return
    view = journal.game.view(state.game, seat)
    has_card = view.card is not None
    if state.over or not view.playing:
        yield CAN_START
    elif not has_card:
        yield WAIT
    else:
        yield _card(view.card)
        yield from (f"CHECK_NUMBER|{number}" for number in view.called)
    for row in journal.rows[start:]:
        after = journal.states[row.seq]
        assert after is not None
        seat = after.seat_of.get(player)
        for event in row.events:
            match event:
                case CardsDealt(cards=cards) if seat in cards:
                    has_card = True
                    yield _card(columns(cards[seat]))
                case Called(number=number) if has_card:
                    yield f"CHECK_NUMBER|{number}"
                case house.RoundEnded(outcome=outcome):
                    yield f"MSG|{_ending(outcome, after)}"
                case house.RoundVoided(reason=reason):
                    yield f"MSG|The round has been called off: {reason}"
                case house.Opened():
                    yield CAN_START


def _card(shown: Sequence[Sequence[int]]) -> str:
    return f"NEW_CARD|{json.dumps(shown, separators=(',', ':'))}"


def _ending(outcome: Outcome, after: TableState) -> str:
    for winner in outcome.winners:
        return f"{after.chairs[winner].name} has a bingo and wins the round."
    if outcome.reason == "all_called":
        return "All numbers have been called. Nobody wins the round."
    return "Nobody is left in the round."


def _winners(journal: Journal) -> Iterator[int]:
    for row in journal.rows:
        state = journal.states[row.seq]
        assert state is not None
        for event in row.events:
            if isinstance(event, BingoClaimed):
                yield state.chairs[event.seat].player
