"""The money of a table, followed through its rows by the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamehall.games.game import Payment
from gamehall.hall.audit.recount import Recount
from gamehall.hall.beat.requests import Done
from gamehall.hall.beat.steps import Kind
from gamehall.store.appends import Transfer
from gamehall.table_log import house as at_table
from gamehall.table_log.journal import RowCodec
from gamehall.table_log.log import LogError
from gamehall.table_log.rules import TableRules
from tests.games.toys import Ante, Deal, Fold, Folded, HighCard
from tests.hall.halls import TestHall


class KindCard(HighCard):
    """Whoever folds gets five chips back."""

    name = "kind-card"

    def money(self, state: Deal, event: Any) -> tuple[Payment, ...]:
        if isinstance(event, Folded):
            return (Payment("pot", event.seat, 5),) if event.seat in state.cards else ()
        return super().money(state, event)

    def apply(self, state: Deal, event: Any) -> Deal:
        if isinstance(event, Folded) and event.seat in state.cards:
            state.pot -= 5
        return super().apply(state, event)


GAME = KindCard()
KIND = Kind(GAME, TableRules(GAME), RowCodec(GAME))


async def rows(folder: Path) -> list[bytes]:
    """Two sit down, both pay, one folds."""
    house = TestHall(folder, {GAME.name: GAME})
    await house.start()
    people = [await house.guest("Ann"), await house.guest("Bob")]
    assert people[0].online is not None
    opened = await house.hall.new_tables.open_table(
        people[0].online, GAME.name, {}, private=False, bots=(), request=None
    )
    for link in people:
        assert link.online is not None
        person = at_table.Person(link.online.player.id, link.online.player.name)
        assert isinstance(await house.ask(link, opened.table, at_table.Sit(person)), Done)
    for link in people:
        assert isinstance(await house.ask(link, opened.table, Ante(25)), Done)
    assert isinstance(await house.ask(people[1], opened.table, Fold()), Done)
    lines = [line.line for line in await house.store.read(opened.table, 0, 100)]
    await house.stop()
    return lines


async def test_what_lies_in_the_pot_follows_every_payment(tmp_path: Path) -> None:
    recount = Recount(KIND, 1)
    assert recount.running is None
    held: list[int] = []
    paid: list[tuple[Transfer, ...]] = []
    for seq, line in enumerate(await rows(tmp_path), start=1):
        paid.append(recount.take(seq, line).transfers)
        assert recount.running is not None
        pot, chips = recount.running
        assert pot == "pot:1:1"
        held.append(chips)
    assert held == [0, 0, 0, 25, 50, 45]
    assert paid[3:] == [
        (Transfer("player:1", "pot:1:1", 25),),
        (Transfer("player:2", "pot:1:1", 25),),
        (Transfer("pot:1:1", "player:2", 5),),
    ]
    assert recount.closed_rounds == 0


async def test_rows_come_in_their_order(tmp_path: Path) -> None:
    lines = await rows(tmp_path)
    with pytest.raises(LogError, match="row 2 of table 1"):
        Recount(KIND, 1).take(1, lines[1])
    with pytest.raises(LogError, match="row 1 of table 1"):
        Recount(KIND, 2).take(1, lines[0])
    with pytest.raises(LogError, match="cannot follow this row"):
        Recount(KIND, 1).take(2, lines[1])
