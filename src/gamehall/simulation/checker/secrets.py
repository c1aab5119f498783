"""Whether anyone was told what is not for its eyes, or not yet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.table_log import house

CARD_LEAST = 9
"""So many numbers in a row are somebody's card, and no chance."""


class Hidden(NamedTuple):
    """A text that nobody may hear, but for one player, until a row of its table is told."""

    text: str
    table: int
    until: int
    owner: int | None


def check_secrets(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    hidden = [found for journal in books.journals.values() for found in _hidden(journal)]
    for transcript in transcripts:
        mine = [each for each in hidden if each.owner != transcript.player]
        for lines in transcript.by_connection():
            for line in lines:
                if line.what == "heard":
                    _check(transcript.name, line.text.replace(" ", ""), mine)


def _check(name: str, text: str, hidden: Sequence[Hidden]) -> None:
    for each in hidden:
        if each.text in text:
            payload = json.loads(text)["payload"]
            told = (
                f"{name} heard what is hidden until row {each.until} of table {each.table}: {text}"
            )
            assert payload.get("seq", 0) >= each.until, told


def _hidden(journal: Journal) -> Iterator[Hidden]:
    """Secrets of rounds, and cards, until their round is over."""
    over = (house.RoundEnded, house.RoundVoided)
    never = journal.head + 1
    open_cards: list[tuple[str, int | None]] = []
    for row in journal.rows:
        for event in row.events:
            if isinstance(event, over):
                yield Hidden(event.secret, journal.table, row.seq, None)
                for text, owner in open_cards:
                    yield Hidden(text, journal.table, row.seq, owner)
                open_cards = []
            elif type(event) not in house.EVENT_TYPES:
                state = journal.states[row.seq]
                assert state is not None
                for seat, card in _cards(as_json(event)):
                    owner = state.chairs[seat].player if seat in state.chairs else None
                    open_cards.append((json.dumps(card, separators=(",", ":")), owner))
    for text, owner in open_cards:
        yield Hidden(text, journal.table, never, owner)


def _cards(event: dict[str, Any]) -> Iterator[tuple[int, list[Any]]]:
    """Long lists by seat, in an event that deals."""
    for value in event.values():
        if isinstance(value, dict):
            for seat, card in value.items():
                if isinstance(card, list) and len(card) >= CARD_LEAST and seat.isdigit():
                    yield int(seat), card
