"""What clients of the `four` door heard of Connect Four, held against the journal.

* on each connection a game is told from some row of the journal on, move by move: each board as it
  was after that move, whose turn it was, and who has won
* every stone of a player is one that it has sent, once
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from gamehall.games.connect_four import ConnectFour, Dropped, grid
from gamehall.games.game import Outcome
from gamehall.simulation.checker.doors.tapes import is_told
from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.secrets import check_without_secrets
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

OF_A_GAME = ("GAME_START", "GAME_UPDATE", "GAME_OVER")


def check_four(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    sent: dict[int, Counter[int]] = {}
    for transcript in transcripts:
        check_without_secrets(transcript.name, transcript.texts("heard"), books)
        for lines in transcript.by_connection():
            player = _player(lines)
            moves = sent.setdefault(player, Counter())
            moves.update(_columns(lines))
            for game in _games(lines):
                told = f"{transcript.name} was told what is not in the journal: {game}"
                journal = books.journals.get(game[0]["data"].get("game_id"))
                assert journal is not None, told
                assert is_told(game, journal, partial(_tape, journal, player)), told
    for player, stones in _stones(books).items():
        if player in sent:
            unsent = f"player {player} has dropped what it has not sent: {stones - sent[player]}"
            assert not stones - sent[player], unsent


def _player(lines: Sequence[Line]) -> int:
    for line in lines:
        if line.what == "heard" and line.message["type"] == "REGISTER_OK":
            return int(line.message["data"]["player_id"].removeprefix("player_"))
    return 0


def _columns(lines: Sequence[Line]) -> Iterator[int]:
    for line in lines:
        if line.what == "sent" and line.message["type"] == "PLAY_MOVE":
            yield line.message["data"]["column"]


def _games(lines: Sequence[Line]) -> list[list[Json]]:
    """What it heard of each game, from its start on."""
    games: list[list[Json]] = []
    for line in lines:
        if line.what == "heard" and line.message["type"] in OF_A_GAME:
            if line.message["type"] == "GAME_START" or not games:
                games.append([])
            games[-1].append(line.message)
    return games


def _stones(books: Books) -> dict[int, Counter[int]]:
    """Into which columns each player has dropped stones, at all tables."""
    found: dict[int, Counter[int]] = {}
    for journal in books.journals.values():
        for row in journal.rows if journal.game.name == ConnectFour.name else ():
            state = journal.states[row.seq]
            assert state is not None
            for event in row.events:
                if isinstance(event, Dropped):
                    player = state.chairs[event.seat].player
                    found.setdefault(player, Counter())[event.column] += 1
    return found


def _tape(journal: Journal, player: int, start: int) -> Iterator[Json]:
    state = journal.states[start]
    assert state is not None
    seat = state.seat_of.get(player)
    if seat is None or state.game is None:
        return
    names = [state.chairs[each].name for each in (0, 1)]
    yield _said(
        "GAME_START",
        game_id=journal.table,
        player1=names[0],
        player2=names[1],
        your_number=seat + 1,
        your_name=names[seat],
    )
    yield _update(state)
    if state.status != "playing":
        yield _over(state, seat, state.outcome)
        return
    for row in journal.rows[start:]:
        after = journal.states[row.seq]
        assert after is not None
        for event in row.events:
            if isinstance(event, Dropped):
                yield _update(after)
            elif isinstance(event, house.RoundEnded | house.RoundVoided):
                yield _over(after, seat, after.outcome)
                return


def _update(state: TableState) -> Json:
    """`current_player` is whose turn it is; after the end, who moved last."""
    board = grid(state.game)
    stones = sum(stone > 0 for row in board for stone in row)
    over = state.status != "playing"
    turn = (stones - 1 if over and stones else stones) % 2
    winner = _winner(state.outcome)
    return _said(
        "GAME_UPDATE",
        board=board,
        current_player=turn + 1,
        winner=None if winner is None else winner + 1,
        winner_id=None if winner is None else _id(state, winner),
        game_over=over,
    )


def _over(state: TableState, seat: int, outcome: Outcome | None) -> Json:
    winner = _winner(outcome)
    return _said(
        "GAME_OVER",
        winner=None if winner is None else state.chairs[winner].name,
        winner_id=None if winner is None else _id(state, winner),
        you_won=None if winner is None else winner == seat,
        reason=_reason(state, outcome),
    )


def _reason(state: TableState, outcome: Outcome | None) -> str:
    if outcome is None:
        return "The game was called off."
    winner = _winner(outcome)
    if winner is None:
        full = outcome.reason == "board_full"
        return "A draw: " + ("the board is full." if full else "both agreed to it.")
    loser = state.chairs[1 - winner].name
    return {
        "line": f"{state.chairs[winner].name} has four in a row.",
        "resigned": f"{loser} has resigned.",
        "left": f"{loser} has left the game.",
        "time": f"{loser} has run out of time.",
    }[outcome.reason]


def _winner(outcome: Outcome | None) -> int | None:
    return outcome.winners[0] if outcome and outcome.winners else None


def _id(state: TableState, seat: int) -> str:
    return f"player_{state.chairs[seat].player}"


def _said(type: str, **data: Any) -> Json:
    said: Json = as_json({"type": type, "data": data})
    return said
