"""Whether anyone was told what is not for its eyes, or not yet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gamehall.games.bingo import CardsDealt
from gamehall.games.bingo_duel import BoardsDealt
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

BARE = str.maketrans("", "", " []")
"""A card is a row of numbers, in whatever lines a view shows it."""


class Hidden(NamedTuple):
    """A text that some may not hear until a row of its table is told."""

    text: str
    table: int
    until: int
    players: frozenset[int] | None
    """Those from whom it is hidden; None for everyone."""
    owner: int | None = None
    """Who may see it nevertheless."""


class Card(NamedTuple):
    text: str
    players: frozenset[int] | None
    owner: int


def check_secrets(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    hidden = [found for journal in books.journals.values() for found in _hidden(journal)]
    for transcript in transcripts:
        me = transcript.player
        mine = [
            each
            for each in hidden
            if me != each.owner and (each.players is None or me in each.players)
        ]
        for line in transcript.lines:
            if line.what == "heard":
                _check(transcript.name, line.text, mine)


def check_without_secrets(name: str, texts: Iterable[str], books: Books) -> None:
    """That none of these has a round's secret in it. Raises AssertionError."""
    said = "\n".join(texts)
    for journal in books.journals.values():
        for each in _hidden(journal):
            assert each.owner is not None or each.text not in said, f"{name} heard a secret"


def _check(name: str, text: str, hidden: Sequence[Hidden]) -> None:
    bare = text.translate(BARE)
    for each in hidden:
        if each.text in bare:
            message = json.loads(text)
            payload = message["payload"]
            if message["action"] == "journal" and each.players is not None:
                continue  # Whoever reads a journal sees what spectators may see.
            until = f"row {each.until} of table {each.table}"
            told = f"{name} heard what is hidden until {until}: {text}"
            # A page of a journal says how far it has come.
            assert payload.get("seq", payload.get("head", 0)) >= each.until, told


def _hidden(journal: Journal) -> Iterator[Hidden]:
    """Secrets of rounds, and cards, until their round is over."""
    cards: list[Card] = []
    for row in journal.rows:
        state = journal.states[row.seq]
        assert state is not None
        for event in row.events:
            if isinstance(event, house.RoundEnded | house.RoundVoided):
                yield Hidden(event.secret, journal.table, row.seq, None)
                yield from (Hidden(card.text, journal.table, row.seq, *card[1:]) for card in cards)
                cards = []
            else:
                cards += _cards(event, state)
    yield from (Hidden(card.text, journal.table, journal.head + 1, *card[1:]) for card in cards)


def _cards(event: Any, state: TableState) -> list[Card]:
    """What each seat was dealt, for its own eyes; of some games, spectators may see it too."""
    players = {seat: person.player for seat, person in state.chairs.items()}
    hidden_from = None
    match event:
        case CardsDealt():
            dealt = dict(event.cards)
        case BoardsDealt():
            dealt = dict(enumerate(event.boards))
            hidden_from = None if event.hidden else frozenset(players.values())
        case _:
            return []
    return [
        Card(json.dumps(card).translate(BARE), hidden_from, players[seat])
        for seat, card in dealt.items()
    ]
