"""Whether the lobby brought people together as they wished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from gamehall.simulation.checker.asked import Asked
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.table_log import house


def check_wishes(transcript: Transcript, asked: Mapping[str, Asked], books: Books) -> None:
    """Raises AssertionError."""
    _check_pairs(transcript, asked, books)
    _check_cancelled(transcript, books)


def _check_pairs(transcript: Transcript, asked: Mapping[str, Asked], books: Books) -> None:
    """As often as someone wanted to be paired, and no more often, there is a table for it."""
    paired: Counter[str] = Counter()
    for journal in books.journals.values():
        if _brings_together(journal, transcript.player) and not called_off(journal):
            paired[journal.game.name] += 1
    sought: Counter[str] = Counter()
    for request in asked.values():
        if request.action == "seek" and not request.refused:
            # A wish ends with its connection: the same id may be another wish on the next.
            sought[request.payload["game"]] += len(request.connections)
    more = paired - sought
    assert not more, f"{transcript.name} was paired more often than it asked: {more}"


def _check_cancelled(transcript: Transcript, books: Books) -> None:
    """Nobody is brought to a table by a wish that it has given up."""
    known: set[int] = set()
    for lines in transcript.by_connection():
        sought: list[str] = []
        """The games that were asked for on this connection, in order."""
        before: dict[str, int] = {}
        """How many of them came before a request to give all up, by the request's id."""
        given_up = -1
        dropped: set[str] = set()
        """The games for which it waited when it sat down by itself: wishes end with that, and it
        may have been seated for one a moment before, and hear of it later."""
        for line in lines:
            if line.what not in ("sent", "heard"):
                continue
            message = line.message
            match line.what, message["action"]:
                case "sent", "seek":
                    sought.append(message["payload"]["game"])
                case "sent", "watch" | "sit":
                    known.add(message["payload"]["table"])  # Nobody brought it there.
                case "sent", "cancel_seek":
                    before[message["requestId"]] = len(sought)
                case "heard", "cancel_seek":
                    given_up = before[message["requestId"]]
                case "heard", "sit":
                    dropped.update(sought[max(given_up, 0) :])
                case "heard", "hello":
                    known.update(seat["table"] for seat in message["payload"]["tables"])
                case "heard", "seated" | "table_view" | "table_events":
                    table = message["payload"]["table"]
                    journal = books.journals.get(table)
                    if table in known or journal is None:
                        continue
                    known.add(table)
                    if given_up < 0 or not _brings_together(journal, transcript.player):
                        continue
                    wish = journal.game.name in (*sought[given_up:], *dropped)
                    assert wish, f"{transcript.name} was seated after it gave that up: {message}"


def _brings_together(journal: Journal, player: int) -> bool:
    """Whether the table was opened for people who waited, and this one among them."""
    return journal.origin.startswith("pair:") and player in invited(journal)


def called_off(journal: Journal) -> bool:
    """One of the two had gone before they could sit down, or the node that was to seat them has
    died: nobody was brought there, and wishes stand."""
    state = journal.states[-1]
    if state is None or state.closed not in ("gone", "no_show"):
        return False
    return not any(each.chairs for each in journal.states if each is not None)


def invited(journal: Journal) -> list[int]:
    opened = journal.rows[0].command if journal.rows else None
    assert isinstance(opened, house.Open), f"table {journal.table} was never opened"
    return [person.player for person in opened.reserved]
