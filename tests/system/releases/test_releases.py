"""Journals of every release replay, and nodes of this one read those of the last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall import __version__
from gamehall.games import GAMES
from gamehall.hall.beat.draws import TableDraws
from gamehall.hall.beat.requests import Ask
from gamehall.hall.beat.steps import Kind
from gamehall.hall.tables.relay import Relay
from gamehall.hall.tables.replica import Replica
from gamehall.store.journals import Line
from gamehall.table_log.journal import RowCodec, since_opened
from gamehall.table_log.rules import TableRules
from tests.hall.halls import KEY
from tests.system.releases.record import FOLDER, Expected, seen

KINDS = {game.name: Kind(game, TableRules(game, 120_000, None), RowCodec(game)) for game in GAMES}
JOURNALS = sorted(FOLDER.glob("*/*.jsonl"))


class Nowhere(Relay):
    """A node that follows nobody."""

    def __init__(self) -> None:
        pass

    def forward(self, replica: Replica, ask: Ask) -> None:
        raise AssertionError

    catch_up = expect = came = lambda self, replica: None


def test_there_are_journals_of_every_game_of_this_release() -> None:
    here = {path.name.rsplit("-", 1)[0] for path in JOURNALS if path.parent.name == __version__}
    assert here == set(KINDS), "run `python -m tests.system.releases.record`"


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_journal_replays_whole_and_row_by_row(path: Path) -> None:
    *rows, last = path.read_bytes().splitlines()
    expected = msgspec.json.decode(last, type=Expected)
    kind = KINDS[path.name.rsplit("-", 1)[0]]
    lines = [Line(seq, row, None) for seq, row in enumerate(rows, start=1)]
    whole = _table(kind, rows[0])
    whole.replay(lines)
    one_by_one = _table(kind, rows[0])
    one_by_one.replay(lines[:1])
    for line in lines[1:]:
        told = one_by_one.take(one_by_one.follows([line]))
        assert told.seq == line.seq
    for table in (whole, one_by_one):
        assert (table.hash, table.state.status) == (expected.hash, expected.status)
        for seat, view in expected.views.items():
            now = seen(kind.game, table.state.game, int(seat) if seat else None)
            _check(now, view)


def _table(kind: Kind, first: bytes) -> Replica:
    state = kind.rules.apply(None, since_opened(kind.codec.read(first))[0])
    return Replica(1, kind, 1, TableDraws(KEY, 1, "00"), state, "another", Nowhere())


def _check(now: Any, then: Any) -> None:
    """What a release showed, later ones show too; they may show more."""
    if isinstance(then, dict):
        for key, value in then.items():
            _check(now[key], value)
    else:
        assert now == then
