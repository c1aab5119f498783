"""Nobody sees another's card in called Bingo, whether in a view or in an event."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gamehall.games.bingo import CardsDealt, Claim, Deal, Ready, columns
from gamehall.games.game import Cell
from tests.contract.game_contract import GameContract, plain
from tests.games.bingo_play import GAME, Hand, a_table, call_until, game_of

FIRST_ROW = (1, 16, 31, 46, 61)


class TestBingoContract(GameContract):
    game = GAME
    people = 3
    playouts = 1
    option_sets = ({}, {"free_centre": False})


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_the_cards_that_were_dealt_are_seen_by_their_owners(seat: int | None) -> None:
    cards = {0: tuple(range(25)), 1: tuple(range(25, 50))}
    seen = GAME.seen(CardsDealt(7, 2, cards), seat)
    own = {seat: cards[seat]} if seat in cards else {}
    assert seen == CardsDealt(7, 2, own)
    assert sorted(GAME.insiders(CardsDealt(7, 2, cards))) == [0, 1]


def test_a_view_has_ones_own_card_and_no_other() -> None:
    table = a_table(people=3)
    table.act(0, Deal())
    table.sit()
    call_until(table, lambda state: len(state.called) == 20)
    cards = game_of(table).cards
    for seat in (0, 1, 2):
        assert GAME.view(game_of(table), seat).card == columns(cards[seat])
    assert GAME.view(game_of(table), 3).card is None
    assert GAME.view(game_of(table), None).card is None
    views = [plain(GAME.view(game_of(table), seat)) for seat in (0, 1, 2, 3, None)]
    for view in views:
        del view["card"]
    assert all(view == views[0] for view in views), "all else is the same for everyone"


def test_what_a_view_says() -> None:
    hand = Hand(FIRST_ROW)
    view = GAME.view(hand.state, 0)
    assert (view.playing, view.card, view.called, view.winner) == (False, None, (), None)
    assert (view.players, view.ready) == (0, 0)
    view = GAME.view(hand.deal().state, 0)
    assert (view.playing, view.players, view.ready) == (True, 2, 0)
    hand.call(5).ready(1)
    view = GAME.view(hand.state, None)
    assert (view.called, view.ready) == (FIRST_ROW, 1)
    hand.do(0, Claim())
    view = GAME.view(hand.state, None)
    assert (view.playing, view.winner) == (False, 0)


def labels(rows: Any) -> list[list[str]]:
    return [[cell.label for cell in row] for row in rows]


@pytest.mark.parametrize("wire", [False, True])
def test_a_picture_is_the_card_as_it_lies_on_the_table(wire: bool) -> None:
    hand = Hand((1, 47, 75)).deal().call(3).ready(0)
    view: Any = GAME.view(hand.state, 0)
    if wire:
        view = msgspec.json.decode(msgspec.json.encode(view))
    picture = GAME.picture(view)
    *card, buttons = picture.rows
    assert labels(card) == [
        ["1", "16", "31", "46", "61"],
        ["2", "17", "32", "47", "62"],
        ["3", "18", "★", "48", "63"],
        ["4", "19", "34", "49", "64"],
        ["5", "20", "35", "50", "65"],
    ]
    marked = {cell.label for row in card for cell in row if cell.tone == "called"}
    assert marked == {"1", "47", "★"}
    assert [cell.command for cell in buttons] == [Ready(), Claim(), None, None, None]
    assert picture.caption == "called 75; 2 players, 1 ready"


def test_a_picture_for_who_has_no_card() -> None:
    hand = Hand()
    assert GAME.picture(GAME.view(hand.state, 0)).rows == ((Cell("START", "", Deal()),),)
    hand.deal().join(4)
    for seat in (4, None):
        assert GAME.picture(GAME.view(hand.state, seat)).rows == ()
