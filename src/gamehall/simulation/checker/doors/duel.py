"""What clients of the `duel` door heard, held against the journal, packet by packet.

A packet does not say of which row it tells, and a pick that counts is not answered. So all that is
possible is kept in mind: how far the journal has been told, and which requests are answered. As
long as something is possible, what was heard is true; what was heard last narrows it down.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gamehall.games.bingo_duel import BoardsDealt, Picked
from gamehall.games.two_in_turn import Abandoned, Resigned
from gamehall.simulation.checker.doors.duel_names import duels, named
from gamehall.simulation.checker.doors.duel_packets import (
    ACCEPTED,
    ASK_TURN,
    BOARD,
    DRAWN,
    ILLEGAL_PICK,
    LOST,
    MESSAGE,
    NOT_YOUR_TURN,
    OTHER_BOARD,
    OTHER_LEFT,
    PICK,
    PICKED,
    REFUSED,
    WON,
    YOUR_TURN,
    Packet,
)
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.transcripts import Line, Transcript
from gamehall.table_log import house

CALLED_OFF = "This match was called off."


class Belief(NamedTuple):
    """What may be the case on a connection."""

    row: int
    """The last that was told, or that tells nothing."""
    answered: int
    """How many requests are."""
    owed: tuple[str, ...] = ()
    """Packets that have to come next."""
    goes_on: bool = False
    """Whether the notice that is being told has more rows: else it would say whose turn it is."""
    doubtful: frozenset[int] = frozenset()
    """Picks of which the hall could not say whether they count."""
    lost: bool = False
    """Whether a pick with a row still waits: its owner's answer was lost, and so it is doubted."""


def check_duel(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    seats: dict[str, set[tuple[int, int, int]]] = {}
    for journal in duels(books):
        for each in named(journal):
            seats.setdefault(each.uid, set()).update(
                (journal.table, each.player, state.seat_of[each.player])
                for state in journal.states
                if state is not None and each.player in state.seat_of
            )
    connections = [(each.name, lines) for each in transcripts for lines in each.by_connection()]
    for name, lines in connections:
        elsewhere = {
            packet[1]
            for _, other in connections
            if other is not lines
            for packet in _packets(other, "sent")
            if packet[0] == PICK
        }
        uid = _uid(name, lines)
        found = [
            DuelSeat(books.journals[table], player, seat, elsewhere).problem(lines)
            for table, player, seat in sorted(seats.get(uid, ()))
        ]
        assert not uid or None in found, f"{name} heard what is in no journal: {found}"


def _uid(name: str, lines: Sequence[Line]) -> str:
    """As whom it was accepted, if it was."""
    heard = list(_packets(lines, "heard"))
    if heard and heard[0][0] == ACCEPTED:
        return str(heard[0][1])
    instead = f"{name} heard {heard} in place of an answer to its hello"
    assert heard in ([], [[REFUSED]]), instead
    return ""


def _packets(lines: Sequence[Line], what: str) -> Iterator[Packet]:
    return (json.loads(line.text) for line in lines if line.what == what)


class DuelSeat:
    """A seat of a table, and what may be told there."""

    def __init__(self, journal: Journal, player: int, seat: int, elsewhere: set[int]) -> None:
        """`elsewhere`: what was picked through other connections, perhaps on this seat."""
        self._journal = journal
        self._player = player
        self._seat = seat
        self._elsewhere = elsewhere
        ends = [row.seq for row in journal.rows if _ended(row.events) is not None]
        self._last = ends[0] if ends else journal.head

    def problem(self, lines: Sequence[Line]) -> str | None:
        """The first packet that this journal does not bear out."""
        possible: set[Belief] = set()
        requests: list[Packet] = []
        for line in lines:
            if line.what not in ("sent", "heard"):
                continue
            packet = json.loads(line.text)
            if line.what == "sent":
                requests += [packet] if packet[0] in (PICK, ASK_TURN) else []
                continue
            if packet[0] == ACCEPTED:
                possible = set(self._beginnings())
            else:
                possible = {
                    after
                    for belief in possible
                    for after in self._after(belief, line.text, requests)
                }
            if not possible:
                return f"table {self._journal.table}: {line.text}"
        return None

    def _beginnings(self) -> Iterator[Belief]:
        """It comes, or comes back, and is told all that was picked so far."""
        for row in range(1, self._journal.head + 1):
            state = self._journal.states[row]
            if state is None or state.over or state.seat_of.get(self._player) != self._seat:
                continue
            game = state.game
            owed = [] if game is None else [[BOARD, _rows(game.boards[self._seat])]]
            owed += [] if game is None else [[PICKED, number] for number in game.picked]
            yield Belief(row, 0, tuple(map(json.dumps, owed)))

    def _after(self, belief: Belief, heard: str, requests: Sequence[Packet]) -> Iterator[Belief]:
        if belief.owed:
            if heard == belief.owed[0]:
                yield belief._replace(owed=belief.owed[1:])
            return
        for now in self._silently(belief, requests):
            if now.answered < len(requests) and not now.goes_on:
                yield from self._if_answer(now, heard, requests[now.answered])
            yield from self._if_told(now, heard)

    def _silently(self, belief: Belief, requests: Sequence[Packet]) -> Iterator[Belief]:
        """What else may be the case, since its own picks, and who comes and goes, are not told."""
        yield belief
        row = belief.row + 1
        if row > self._journal.head or self._told_of(row):
            return
        own = [e.number for e in self._journal.rows[row - 1].events if isinstance(e, Picked)]
        # With a pick of its own a notice may end without a word on whose turn it is.
        after = belief._replace(row=row, goes_on=belief.goes_on and not own)
        if not own or row > self._last or own[0] in self._elsewhere | belief.doubtful:
            yield from self._silently(after, requests)
        if own and requests[belief.answered : belief.answered + 1] == [[PICK, own[0]]]:
            yield from self._silently(after._replace(answered=belief.answered + 1), requests)
            yield from self._silently(after._replace(lost=True), requests)

    def _if_answer(self, belief: Belief, heard: str, request: Packet) -> Iterator[Belief]:
        after = belief._replace(answered=belief.answered + 1, lost=False)
        kind = json.loads(heard)[0]
        if kind == MESSAGE:
            yield after._replace(doubtful=belief.doubtful | set(request[1:]))
        elif request[0] == ASK_TURN:
            if kind == (YOUR_TURN if self._is_my_turn(belief.row) else NOT_YOUR_TURN):
                yield after
        elif not belief.lost and any(
            kind == self._refusal(row, request[1])
            for row in range(belief.row, self._journal.head + 1)
        ):
            # The table's owner may be further than what this client was told.
            yield after

    def _refusal(self, row: int, number: int) -> int | None:
        """How a pick would be refused after that row."""
        if not self._is_my_turn(row):
            return NOT_YOUR_TURN
        game = self._game(row)
        free = 1 <= number <= game.size**2 and number not in game.picked
        return None if free else ILLEGAL_PICK

    def _game(self, row: int) -> Any:
        """How the game stands after that row."""
        state = self._journal.states[row]
        assert state is not None, "no row comes before the first"
        return state.game

    def _if_told(self, belief: Belief, heard: str) -> Iterator[Belief]:
        row = belief.row + 1
        told = self._told_of(row)
        if not told or told[0] != heard:
            return
        after = belief._replace(row=row, owed=told[1:], goes_on=False)
        if heard.startswith(f"[{PICKED}") and self._is_my_turn(row):
            yield after._replace(owed=(json.dumps([YOUR_TURN]),))
            yield after._replace(goes_on=True)
        else:
            yield after

    def _told_of(self, row: int) -> tuple[str, ...]:
        """The packets that tell of a row."""
        if row > self._last:
            return ()
        told: list[Packet] = []
        for event in self._journal.rows[row - 1].events:
            if isinstance(event, BoardsDealt):
                told.append([BOARD, _rows(event.boards[self._seat])])
            elif isinstance(event, Picked) and event.seat != self._seat:
                told.append([PICKED, event.number])
        if row == self._last:
            told += self._end(self._journal.rows[row - 1].events)
        return tuple(map(json.dumps, told))

    def _end(self, events: Sequence[Any]) -> list[Packet]:
        ended = _ended(events)
        if ended is None:
            return []
        if isinstance(ended, house.RoundVoided):
            return [[OTHER_LEFT] if ended.reason == "no_show" else [MESSAGE, CALLED_OFF]]
        winners = ended.outcome.winners
        result = DRAWN if not winners else WON if self._seat in winners else LOST
        if any(isinstance(event, Resigned | Abandoned) for event in events):
            return [[OTHER_LEFT if result == WON else result]]
        game = self._game(self._last)
        board = _rows(game.boards[1 - self._seat])
        return [[result], [OTHER_BOARD, board, marks_on(board, game.picked)]]

    def _is_my_turn(self, row: int) -> bool:
        state = self._journal.states[row]
        if state is None or state.game is None or state.over or row > self._last:
            return False
        return bool(state.game.to_move == self._seat)


def _ended(events: Sequence[Any]) -> house.RoundEnded | house.RoundVoided | None:
    ends = house.RoundEnded | house.RoundVoided
    return next((event for event in events if isinstance(event, ends)), None)


def _rows(board: Sequence[int]) -> list[list[int]]:
    size = int(len(board) ** 0.5)
    return [list(board[start : start + size]) for start in range(0, len(board), size)]


def marks_on(board: Sequence[Sequence[int]], picked: Sequence[int]) -> dict[str, list[int]]:
    """Column and row of each number that was picked, in the order of the picks."""
    places = {n: [column, row] for row, line in enumerate(board) for column, n in enumerate(line)}
    return {str(number): places[number] for number in picked}
