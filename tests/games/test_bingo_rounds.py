"""Called Bingo at a table: round after round in one log, with people who come and go."""

from __future__ import annotations

import pytest

from gamehall.errors import RoundRunning
from gamehall.games.bingo import (
    AllCalled,
    BingoClaimed,
    CardsDealt,
    Claim,
    Deal,
    Joined,
    NoCard,
    NoRound,
    Parted,
    Ready,
)
from gamehall.games.game import Outcome
from gamehall.table_log import house
from tests.games.bingo_play import GAME, a_table, call_until, game_of, leave, win
from tests.games.house_play import refusal

PLAYERS_MAX = 10_000


def test_a_table_is_there_for_whoever_comes() -> None:
    table = a_table(people=0)
    assert table.state.status == "playing"
    assert table.rules.timer(table.state) is None
    for seat in range(3):
        table.sit()
        assert table.rows[-1].events == (house.Seated(seat, table.state.chairs[seat]), Joined(seat))
    assert GAME.seats(table.state.options).most == PLAYERS_MAX


def test_the_next_round_opens_at_once_and_keeps_everyone() -> None:
    table = a_table(people=3)
    table.act(1, Deal())
    win(table, 2)
    claimed, ended, opened, started = table.rows[-1].events
    assert claimed == BingoClaimed(2)
    assert ended.outcome == Outcome((2,), "bingo", again_ms=0)
    assert bytes.fromhex(ended.secret) == table.draws.secret(1)
    assert (opened.round, opened.commitment) == (2, table.draws.commitment(2))
    assert [chair.person.player for chair in opened.chairs] == [1, 2, 3]
    assert started == house.Started(table.at_ms)
    assert game_of(table).seats == {0, 1, 2}
    assert not game_of(table).cards
    assert table.rules.timer(table.state) is None, "someone has to start it"


def test_each_round_has_cards_and_calls_of_its_own() -> None:
    table = a_table()
    drawn = []
    for _ in range(3):
        dealt = table.act(0, Deal()).events[0]
        assert isinstance(dealt, CardsDealt)
        call_until(table, lambda state: len(state.called) == 75)
        drawn.append((dealt.cards, game_of(table).called))
        assert table.fire().events[0] == AllCalled()
    assert len(table.ended) == 3
    assert all(ended.outcome.reason == "all_called" for ended in table.ended)
    cards, calls = [cards for cards, _ in drawn], [called for _, called in drawn]
    assert len({card for each in cards for card in each.values()}) == 9
    assert len(set(calls)) == 3
    assert all(sorted(called) == list(range(1, 76)) for called in calls)


def test_who_comes_late_is_dealt_in_at_the_next_round() -> None:
    table = a_table(people=2)
    table.act(0, Deal())
    table.fire()
    table.sit()
    assert refusal(table, 2, Claim()) is NoCard
    assert refusal(table, 2, Deal()) is RoundRunning
    win(table, 0)
    dealt = table.act(2, Deal()).events[0]
    assert isinstance(dealt, CardsDealt)
    assert sorted(dealt.cards) == [0, 1, 2]


def test_the_second_of_two_claims_is_too_late() -> None:
    """Both have a line, and both say so before either has heard of the other."""
    table = a_table(people=2)
    table.act(0, Deal())
    call_until(table, lambda state: state.has_bingo(0) and state.has_bingo(1))
    table.act(1, Claim())
    assert refusal(table, 0, Claim()) is NoRound
    assert refusal(table, 1, Claim()) is NoRound
    assert [ended.outcome.winners for ended in table.ended] == [(1,)]


def test_the_second_of_two_starts_is_refused() -> None:
    table = a_table(people=2)
    table.act(0, Deal())
    assert refusal(table, 1, Deal()) is RoundRunning


def test_a_round_counts_for_those_who_had_a_card() -> None:
    table = a_table(people=3)
    table.act(0, Deal())
    table.sit()
    leave(table, 1)
    assert leave(table, 3) == [house.Left(3, "left"), Parted(3)]
    call_until(table, lambda state: state.has_bingo(0))
    (ended,) = table.act(0, Claim()).ended
    assert (ended.round, ended.event.outcome.winners, ended.quitters) == (1, (0,), frozenset({1}))
    players = {seat: person.player for seat, person in ended.players.items()}
    assert players == {0: 1, 1: 2, 2: 3}


def test_who_has_left_is_not_in_the_next_round() -> None:
    table = a_table(people=3)
    table.act(0, Deal())
    leave(table, 1)
    win(table, 0)
    assert game_of(table).seats == {0, 2}
    table.act(2, Deal())
    assert sorted(game_of(table).cards) == [0, 2]


def test_when_the_last_player_leaves_the_next_round_waits_for_people() -> None:
    table = a_table(people=2)
    table.act(0, Deal())
    table.fire()
    leave(table, 0)
    assert not table.ended
    left, parted, ended, opened, started = leave(table, 1, "dropped")
    assert (left, parted) == (house.Left(1, "dropped"), Parted(1))
    assert ended.outcome == Outcome((), "abandoned", again_ms=0)
    assert (opened.round, opened.chairs, started.at_ms) == (2, (), table.at_ms)
    assert table.state.closed is None
    table.sit()
    table.act(0, Deal())
    assert list(game_of(table).cards) == [0]


def test_who_waits_stays_when_the_players_have_left() -> None:
    table = a_table(people=1)
    table.act(0, Deal())
    table.sit()
    leave(table, 0)
    assert table.ended[-1].outcome.reason == "abandoned"
    assert game_of(table).seats == {1}
    table.act(1, Deal())
    win(table, 1)


def test_who_leaves_and_sits_down_again_waits() -> None:
    table = a_table(people=2)
    table.act(0, Deal())
    leave(table, 1)
    table.act(None, house.Sit(house.Person(2, "player 2")))
    assert table.state.seat_of[2] == 1, "the old seat, and no second one"
    assert refusal(table, 1, Claim()) is NoCard
    win(table, 0)
    table.act(1, Deal())
    assert sorted(game_of(table).cards) == [0, 1]


@pytest.mark.parametrize("running", [False, True])
def test_those_who_come_and_go_do_not_use_up_the_seats(running: bool) -> None:
    """A table of the hall's own may wait for a start for weeks."""
    table = a_table(people=1)
    if running:
        table.act(0, Deal())
    for _ in range(50):
        player = table.sit()
        leave(table, table.state.seat_of[player])
    assert list(table.state.chairs) == [0]
    assert not table.state.gone


def test_a_void_round_is_followed_by_another() -> None:
    table = a_table(people=2)
    table.act(0, Deal())
    table.fire()
    table.act(None, house.Void("a test"))
    assert refusal(table, 0, Claim()).code == "round_over"
    table.fire()
    assert game_of(table).seats == {0, 1}
    assert not game_of(table).cards
    table.act(1, Deal())


def test_a_replay_gives_the_same_but_for_what_was_noted() -> None:
    table = a_table(people=3)
    table.act(0, Deal())
    for _ in range(4):
        table.fire()
    for seat in (0, 1):
        GAME.note(game_of(table), seat, Ready(), table.at_ms)
    GAME.presence(game_of(table), 2, False)
    pause = table.rules.timer(table.state)
    again = table.replayed()
    time_out = table.rules.timer(again)
    assert pause is not None
    assert time_out is not None
    assert time_out.due_ms - pause.due_ms == 9_000, "everyone is asked again"
    for state in (table.state, again):
        state.game.answered = state.game.away = set()
        state.game.owns_seats = True
    assert again.game == game_of(table)
    assert again.chairs == table.state.chairs
