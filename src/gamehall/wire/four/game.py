"""What the `four` door hears and says, one JSON object a line, `{"type", "data"}`; and a game of
Connect Four as a client follows it: a grid, and whose turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from gamehall.errors import NoSuchPlayer
from gamehall.games.connect_four import (
    Dropped,
    Grid,
    View,
    after_each,
    grid,
    last_mover,
    next_mover,
)
from gamehall.games.game import Outcome
from gamehall.hall.beat.requests import Scene
from gamehall.hall.people.notices import TableView
from gamehall.table_log import house
from gamehall.wire.net.refusing import decoded, decoded_as

T = TypeVar("T")

_PLAYER_ID = re.compile(r"player_([1-9][0-9]{0,17})", re.ASCII)

# What clients say


class Message(msgspec.Struct, frozen=True):
    type: str
    data: msgspec.Raw = msgspec.Raw(b"null")


class Register(msgspec.Struct, frozen=True):
    name: str


class Opponent(msgspec.Struct, frozen=True):
    opponent_id: str


class Challenger(msgspec.Struct, frozen=True):
    challenger_id: str


class Move(msgspec.Struct, frozen=True):
    column: int


_message = msgspec.json.Decoder(Message)


def read_message(line: bytes) -> Message:
    """Raises BadRequest."""
    return decoded(_message.decode, line, f"This is not a message of the form {_FORM}")


def read_data(data: msgspec.Raw, kind: type[T]) -> T:
    """Raises BadRequest."""
    return decoded_as(kind, data, "The message's `data` is wrong")


def read_player_id(id: str) -> int:
    """The player's number. Raises NoSuchPlayer."""
    found = _PLAYER_ID.fullmatch(id)
    if found is None:
        raise NoSuchPlayer
    return int(found[1])


_FORM = '{"type": …, "data": …}'

# What the hall says


def encode(type: str, **data: Any) -> bytes:
    return msgspec.json.encode({"type": type, "data": data})


def player_id(player: int) -> str:
    return f"player_{player}"


def how_it_ended(outcome: Outcome | None, names: Sequence[str]) -> str:
    """A sentence; the names are those of both seats, and no outcome is a round that was void."""
    if outcome is None:
        return "The game was called off."
    if not outcome.winners:
        return "A draw: " + _DRAWS.get(outcome.reason, f"{outcome.reason}.")
    winner = outcome.winners[0]
    if outcome.reason == "line":
        return f"{names[winner]} has four in a row."
    return f"{names[1 - winner]} {_LOSSES.get(outcome.reason, f'has lost: {outcome.reason}.')}"


_DRAWS = {"board_full": "the board is full.", "agreed": "both agreed to it."}
_LOSSES = {
    "resigned": "has resigned.",
    "left": "has left the game.",
    "time": "has run out of time.",
}


class FourGame:
    __slots__ = ("_ids", "_names", "_seat", "seq", "table")

    def __init__(self, shown: TableView) -> None:
        """From a table at which the game has begun, as one of its two players sees it."""
        assert shown.seat is not None
        self.table = shown.table
        self.seq = shown.seq
        """The last row of the journal that the client was told of."""
        self._seat = shown.seat
        self._names = [player.name for player in shown.players]
        self._ids = [player_id(player.id) for player in shown.players]

    # What the client is told

    def start(self) -> bytes:
        first, second = self._names
        return encode(
            "GAME_START",
            game_id=self.table,
            player1=first,
            player2=second,
            your_number=self._seat + 1,
            your_name=self._names[self._seat],
        )

    def standing(self, shown: TableView) -> bytes:
        """How the game stands that is shown."""
        assert isinstance(shown.view, View)
        board, over = shown.view.board, shown.status != "playing"
        current = last_mover(board) if over else next_mover(board)
        return self._update(board, current, over, shown.outcome)

    def moves(self, scene: Scene) -> list[bytes]:
        """Each move of the scene, and how the game stood after it: the same for both players."""
        drops = [event for event in scene.events if isinstance(event, Dropped)]
        if not drops:
            return []
        *earlier, last = after_each(drops, grid(scene.state.game))
        told = [
            self._update(board, 1 - event.seat)
            for board, event in zip(earlier, drops, strict=False)
        ]
        seat, outcome = drops[-1].seat, _ended_by(drops[-1], scene)
        over = outcome is not None
        return [*told, self._update(last, seat if over else 1 - seat, over, outcome)]

    def _update(
        self, board: Grid, current: int, over: bool = False, outcome: Outcome | None = None
    ) -> bytes:
        """`current` is whose turn it is; after the end, the last who moved."""
        winner = _winner(outcome)
        return encode(
            "GAME_UPDATE",
            board=board,
            current_player=current + 1,
            winner=None if winner is None else winner + 1,
            winner_id=None if winner is None else self._ids[winner],
            game_over=over,
        )

    def result(self, outcome: Outcome | None) -> bytes:
        """How it ended; without an outcome, it was called off."""
        winner = _winner(outcome)
        return encode(
            "GAME_OVER",
            winner=None if winner is None else self._names[winner],
            winner_id=None if winner is None else self._ids[winner],
            you_won=None if winner is None else winner == self._seat,
            reason=how_it_ended(outcome, self._names),
        )


def outcome_of(scene: Scene) -> Outcome | None:
    return scene.ended.outcome if isinstance(scene.ended, house.RoundEnded) else None


def _ended_by(drop: Dropped, scene: Scene) -> Outcome | None:
    """How that move ended the game; None if it did not. It may have ended later in the scene,
    because someone left, which is told without a board."""
    place = [event is drop for event in scene.events].index(True)
    after = scene.events[place + 1 : place + 2]
    return next((each.outcome for each in after if isinstance(each, house.RoundEnded)), None)


def _winner(outcome: Outcome | None) -> int | None:
    return outcome.winners[0] if outcome and outcome.winners else None
