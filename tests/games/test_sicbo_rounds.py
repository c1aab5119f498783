"""Sic Bo, round after round: what is carried over, history, numbers of bets, seats, voids."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gamehall.errors import RoundOver
from gamehall.games.game import Command
from gamehall.games.sicbo import State
from gamehall.games.sicbo_betting import NO_STAKE, NO_TALLY, Carry, PastRound, Stake, Tally
from gamehall.games.sicbo_events import (
    Bet,
    BetPlaced,
    BetWindowClosed,
    CloseBetting,
    Rolled,
    Settled,
)
from gamehall.table_log import house
from gamehall.table_log.rounds import VOID_PAUSE_MS
from gamehall.testing import Playout
from tests.games.sicbo_play import (
    CLOSE_MS,
    GAME,
    OPEN_MS,
    a_table,
    bet,
    do,
    finish,
    new,
    roll,
    walk_in,
)


def game_of(table: Playout) -> State:
    state = table.state.game
    assert isinstance(state, State)
    return state


def events(table: Playout, kind: type[Any]) -> list[Any]:
    return [event for row in table.rows for event in row.events if isinstance(event, kind)]


def test_a_round_as_the_hall_plays_it() -> None:
    table = a_table()
    assert [type(event) for event in table.rows[0].events] == [house.Opened, house.Started]
    opened_ms = table.at_ms
    walk_in(table, 7, "BIG", 100)
    assert [type(event) for event in table.rows[-1].events] == [house.Seated, BetPlaced]
    walk_in(table, 7, "BIG", 100)
    assert [type(event) for event in table.rows[-1].events] == [BetPlaced]
    finish(table)
    assert [type(event) for event in table.rows[-1].events] == [Rolled, Settled, house.RoundEnded]
    assert table.at_ms == opened_ms + 33_000
    ended = events(table, house.RoundEnded)[-1]
    assert bytes.fromhex(ended.secret) == table.draws.secret(1)
    table.fire()
    assert table.at_ms == opened_ms + 38_000
    assert [type(event) for event in table.rows[-1].events] == [house.Opened, house.Started]
    assert table.state.opened.round == 2
    assert not table.state.chairs, "a seat ends with its round"


def test_an_empty_round_ends_too_and_costs_nothing() -> None:
    table = a_table()
    rolled = finish(table)
    assert events(table, Settled) == []
    assert not any(table.chips.values())
    table.fire()
    assert [past.dice for past in game_of(table).history] == [rolled.dice]


def test_history_is_what_was_played() -> None:
    state = new(round=9)
    bet(state, 0, "BIG", 40)
    bet(state, 1, "SMALL", 2)
    roll(state, 4, 4, 1)
    carry = GAME.carry(state)
    tally = Tally(40, 2, 2, 1, 1)
    past = PastRound(9, OPEN_MS, CLOSE_MS, tally, (4, 4, 1), 9, "SMALL")
    assert carry == Carry(2, (past,))
    following = new(round=10, carry=msgspec.json.decode(msgspec.json.encode(carry)))
    assert following.history == (past,)
    assert GAME.view(following, None).history == (past,)
    assert (following.tally, following.bettors) == (NO_TALLY, {})
    assert GAME.view(following, 0).stake == NO_STAKE


def test_the_last_sixty_rounds_oldest_first() -> None:
    table = a_table(betting_seconds=1)
    dice: list[tuple[int, ...]] = []
    for number in range(1, 66):
        assert table.state.opened.round == number
        history = GAME.view(game_of(table), None).history
        assert [past.round for past in history] == list(range(max(1, number - 60), number))
        assert [past.dice for past in history] == dice[-60:]
        if number % 3:
            walk_in(table, number, "BIG", number)
        dice.append(finish(table).dice)
        table.fire()
    tallies = [past.tally.big for past in game_of(table).history]
    assert tallies == [n if n % 3 else 0 for n in range(6, 66)]


def test_no_two_bets_of_a_table_share_a_number() -> None:
    table = a_table(betting_seconds=1)
    for round in range(1, 6):
        for player in range(round):
            walk_in(table, player, "BIG", 1)
            walk_in(table, player, "SMALL", 2)
        finish(table)
        table.fire()
    numbers = [placed.bet for placed in events(table, BetPlaced)]
    assert numbers == list(range(1, 31))


def test_the_same_person_may_sit_elsewhere_in_the_next_round() -> None:
    table = a_table()
    walk_in(table, 5, "BIG", 1)
    walk_in(table, 6, "BIG", 1)
    assert table.state.seat_of == {5: 0, 6: 1}
    finish(table)
    table.fire()
    walk_in(table, 6, "SMALL", 3)
    assert table.state.seat_of == {6: 0}
    assert game_of(table).bettors[0].stake == Stake(0, 3)


def test_who_leaves_is_paid_all_the_same() -> None:
    for seed in range(40):
        table = a_table(seed)
        walk_in(table, 1, "BIG", 50)
        table.act(0, house.Leave())
        rolled = finish(table)
        assert table.chips[1] == (50 if rolled.result == "BIG" else -50)


@pytest.mark.parametrize("closed_first", [False, True])
@pytest.mark.parametrize("command", [house.Void("test"), house.Close("test")])
def test_a_round_that_is_called_off_gives_every_stake_back(
    closed_first: bool, command: Command
) -> None:
    table = a_table()
    walk_in(table, 1, "BIG", 50)
    walk_in(table, 1, "SMALL", 20)
    walk_in(table, 2, "SMALL", 7)
    assert (table.chips[1], table.chips[2], table.chips["pot:1"]) == (-70, -7, 77)
    if closed_first:
        table.fire()
    table.act(None, command)
    assert not any(table.chips.values())
    assert not events(table, Rolled), "the dice of a void round are not rolled"
    voided = events(table, house.RoundVoided)[0]
    assert bytes.fromhex(voided.secret) == table.draws.secret(1)


def test_after_a_void_the_next_round_opens_by_itself() -> None:
    table = a_table()
    walk_in(table, 1, "BIG", 50)
    finish(table)
    table.fire()
    walk_in(table, 1, "SMALL", 8)
    voided_ms = table.at_ms
    table.act(None, house.Void("test"))
    with pytest.raises(RoundOver):
        table.walk_in(1, Bet("BIG", 1))
    with pytest.raises(RoundOver):
        table.act(None, house.Void("again"))
    table.fire()
    assert table.at_ms == voided_ms + VOID_PAUSE_MS
    assert table.state.opened.round == 3
    assert [past.round for past in game_of(table).history] == [1], "a void round is no history"
    assert walk_in(table, 1, "BIG", 5).bet == 3, "its bets keep their numbers"
    finish(table)
    assert table.chips["pot:2"] == table.chips["pot:3"] == 0


def test_a_round_without_dice_carries_its_bets_but_is_no_history() -> None:
    state = new(carry=Carry(10, ()))
    assert bet(state, 0, "BIG", 1).bet == 11
    assert GAME.carry(state) == Carry(11, ())
    do(state, None, CloseBetting(), CLOSE_MS)
    assert GAME.carry(state) == Carry(11, ())


def test_a_late_bet_after_a_stop_is_refused_and_the_round_goes_on() -> None:
    """The hall was away: the table is loaded from its rows, long after betting should close."""
    table = a_table()
    walk_in(table, 1, "BIG", 50)
    table._state = table.replayed()
    table.at_ms += 3_600_000
    with pytest.raises(BetWindowClosed):
        table.act(0, Bet("BIG", 1))
    rolled = finish(table)
    assert table.chips[1] == (50 if rolled.result == "BIG" else -50)
    assert table.chips["pot:1"] == 0
