"""A table as a client of the `practice` door follows it: begun, move by move, ended.

Pure: it says what is to be sent, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gamehall.games.four_stone import FourStone, Moved
from gamehall.games.game import Event, Game, Outcome
from gamehall.hall.beat.requests import Scene, Told
from gamehall.hall.people.notices import TableView
from gamehall.hall.records.replays import Retold
from gamehall.table_log import house
from gamehall.wire.practice.messages import SHOW_VIEW, Said, happened

Line = tuple[Said, Any]
"""A message's code and info."""


def begins(scene: Scene) -> bool:
    return any(isinstance(event, house.Started) for event in scene.events)


class Room(msgspec.Struct, eq=False):
    table: int
    game: str
    _game_id: str
    """What the client calls the game."""
    seat: int | None = None
    round: int = 0
    seq: int = 0
    """The last row of the journal that the client was told of."""
    ended: bool = False
    """Whether the round is over."""
    stays: bool = True
    """Whether another round follows by itself."""
    early: list[tuple[Told, Sequence[Scene], int | None]] | None = None
    """What happens while the client is still told how it came to this."""

    @property
    def over_for_good(self) -> bool:
        """The dialect knows no second game in the same room, unless it follows by itself."""
        return self.ended and not self.stays

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

    def tell(
        self, told: Told, scenes: Sequence[Scene], player: int | None, game: Game[Any]
    ) -> Iterator[Line]:
        """What has happened, as this player may see it."""
        self.seq = told.seq
        for scene in scenes:
            self.seat = None if player is None else scene.state.seat_of.get(player)
            yield from self._tell_scene(scene, scene.seen_by(player), game)
            if self.over_for_good:
                return
        if told.status == "closed" and not self.ended:
            yield self._end_with(None, "closed", None)

    def _tell_scene(self, scene: Scene, events: Sequence[Event], game: Game[Any]) -> Iterator[Line]:
        starts = begins(scene)
        happened = () if starts else [e for e in events if type(e) not in house.EVENT_TYPES]
        if starts:
            # What the round begins with is in the view.
            view, options = game.view(scene.state.game, self.seat), scene.state.opened.options
            yield self._begin(scene.round, self.seq, self.seat, options, view)
        for event in happened:
            yield from self._tell(event)
        if happened:
            yield from self._show(game.view(scene.state.game, self.seat))
        if isinstance(scene.ended, house.RoundEnded):
            yield self._end(scene.ended.outcome, scene.ended.outcome.again_ms)
        elif scene.ended is not None:
            yield self._end(None, scene.ended.again_ms)

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
