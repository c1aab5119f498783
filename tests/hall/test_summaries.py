"""What the lists show of a finished round."""

from __future__ import annotations

import pytest

from gamehall.games.game import Outcome
from gamehall.hall.beat.summaries import finished_round
from gamehall.table_log import house
from gamehall.table_log.decision import EndedRound

PLAYERS = {seat: house.Person(seat + 1, f"player {seat + 1}") for seat in range(3)}


@pytest.mark.parametrize(
    ("winners", "gone", "results"),
    [
        ((1,), (), ["loss", "win", "loss"]),
        ((1,), (2,), ["loss", "win", "loss"]),
        ((), (), ["draw", "draw", "draw"]),
        ((), (0,), ["loss", "draw", "draw"]),
        ((0, 2), (), ["win", "loss", "win"]),
    ],
)
def test_leaving_is_losing_also_where_nobody_wins(
    winners: tuple[int, ...], gone: tuple[int, ...], results: list[str]
) -> None:
    event = house.RoundEnded(Outcome(winners, "test"), "", 0)
    ended = EndedRound(1, PLAYERS, frozenset(gone), event)
    finished = finished_round(ended, walk_in=False, first_seq=1, last_seq=2, hash="")
    assert [each.result for each in finished.results] == results
    crowd = finished_round(ended, walk_in=True, first_seq=1, last_seq=2, hash="")
    assert crowd.results == ()
