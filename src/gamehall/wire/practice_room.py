"""A table as a client of the `practice` door follows it: begun, move by move, ended.

Pure: it says what is to be sent, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gamehall.games import house
from gamehall.games.four_stone import FourStone, Moved
from gamehall.games.game import Event, Outcome
from gamehall.hall.asks import Told
from gamehall.hall.notices import TableView
from gamehall.hall.retelling import Retold
from gamehall.wire.practice_messages import SHOW_VIEW, Said, happened

Line = tuple[Said, Any]
"""A message's code and info."""


class Room:
    __slots__ = ("_game_id", "early", "ended", "game", "round", "seat", "seq", "stays", "table")

    def __init__(self, table: int, game: str, game_id: str) -> None:
        """`game_id` is what the client calls the game."""
        self.table = table
        self.game = game
        self.seat: int | None = None
        self.round = 0
        self.seq = 0
        """The last row of the journal that the client was told of."""
        self.ended = False
        """Whether the round is over."""
        self.stays = True
        """Whether another round follows by itself."""
        self.early: list[tuple[Told, int | None]] | None = None
        """What happens while the client is still told how it came to this."""
        self._game_id = game_id

    def begin(self, shown: TableView) -> Line:
        return self._begin(shown.round, shown.seq, shown.seat, shown.options, shown.view)

    def retell(self, retold: Retold) -> Iterator[Line]:
        """From the beginning, for a client that has forgotten all of it."""
        yield self._begin(retold.round, retold.seq, retold.seat, retold.options, retold.view)
        for event in retold.events:
            yield from self._tell(event)
        if retold.events:
            yield from self._show(retold.view_now)
        if retold.over:
            yield self._end(retold.outcome, retold.again_ms)

    def tell(self, told: Told, seat: int | None, view: Callable[[], Any]) -> Iterator[Line]:
        """What has happened; `view` gives how the game stands after it.

        Of a round that begins in it only the end of the one before is told, and `begin` tells the
        rest.
        """
        self.seq = told.seq
        self.seat = seat
        shows = False
        events = told.seen_by(seat)[1]
        # Then `view` would be of the next round.
        opens = any(isinstance(event, house.Opened) for event in events)
        for event in events:
            if isinstance(event, house.Started):
                return
            if isinstance(event, house.RoundEnded | house.RoundVoided):
                if shows and not opens:
                    yield from self._show(view())
                shows = False
                if isinstance(event, house.RoundEnded):
                    yield self._end(event.outcome, event.outcome.again_ms)
                else:
                    yield self._end(None, event.again_ms)
            elif type(event) not in house.EVENT_TYPES:
                yield from self._tell(event)
                shows = True
        if shows:
            yield from self._show(view())
        if told.status == "closed" and not self.ended:
            yield self._end_with(None, "closed", None)

    def _begin(self, round: int, seq: int, seat: int | None, options: Any, view: Any) -> Line:
        self.round, self.seq, self.seat = round, seq, seat
        self.ended = False
        self.stays = True
        content = {"options": options, "view": view}
        return (
            Said.STARTED,
            {"move_turn": seat, "room": self.table, "game_id": self._game_id, "content": content},
        )

    def _tell(self, event: Event) -> Iterator[Line]:
        # Clients of Four Stone know nothing but moves.
        if self.game != FourStone.name or isinstance(event, Moved):
            yield Said.HAPPENED, happened(self.table, event)

    def _show(self, view: Any) -> Iterator[Line]:
        if self.game != FourStone.name:
            yield Said.HAPPENED, {"room": self.table, "action": SHOW_VIEW, SHOW_VIEW: view}

    def _end(self, outcome: Outcome | None, again_ms: int | None) -> Line:
        if outcome is None:
            return self._end_with(None, "void", again_ms)
        winners = outcome.winners
        winner = self.seat if self.seat in winners else winners[0] if winners else None
        return self._end_with(winner, outcome.reason, again_ms)

    def _end_with(self, winner: int | None, reason: str, again_ms: int | None) -> Line:
        self.ended = True
        self.stays = again_ms is not None
        return Said.ENDED, {"room": self.table, "result": {"winner": winner, "reason": reason}}
