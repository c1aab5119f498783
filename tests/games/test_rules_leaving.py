"""The rules of the house around a game: leaving, closing, money, notes."""

from __future__ import annotations

import pytest

from gamehall import errors
from gamehall.games.connect_four import Drop
from gamehall.games.game import Command, Outcome, Timer
from gamehall.games.two_in_turn import Abandoned
from gamehall.table_log import house
from gamehall.testing import Playout
from tests.games.house_play import ANN, BEN, CARDS, CLEO, FOUR, empty, refusal, shut, sit
from tests.games.toys import Ante, Dealt, Hurry, Showdown

# Leaving


def test_leaving_before_the_start_frees_the_seat() -> None:
    table = empty(CARDS, options={"least": 3})
    sit(table, ANN)
    sit(table, BEN)
    assert table.act(0, house.Leave("dropped")).events == [house.Left(0, "dropped")]
    assert table.state.chairs == {1: BEN}
    assert sit(table, CLEO)[0] == house.Seated(0, CLEO)


def test_a_table_that_nobody_waits_at_closes() -> None:
    table = empty()
    sit(table, ANN)
    assert table.act(0, house.Leave()).events == [house.Left(0, "left"), *shut(table, "empty")]


def test_leaving_a_running_game_loses_it() -> None:
    table = Playout(FOUR)
    events = table.act(1, house.Leave("dropped")).events
    outcome = Outcome((0,), "left")
    secret = table.draws.secret(1).hex()
    assert events == [
        house.Left(1, "dropped"),
        Abandoned(1),
        house.RoundEnded(outcome, secret, table.at_ms),
    ]
    assert table.state.outcome == outcome
    assert list(table.state.seat_of.values()) == [0]
    assert sorted(table.state.chairs) == [0, 1]
    assert refusal(table, 0, Drop(0)) is errors.RoundOver


def test_a_finished_table_that_all_have_left_closes() -> None:
    table = Playout(FOUR)
    table.act(1, house.Leave())
    assert table.act(0, house.Leave()).events == [house.Left(0, "left"), house.Closed("finished")]


def test_a_game_that_all_have_left_ends_and_the_table_closes() -> None:
    table = Playout(CARDS)
    table.act(0, house.Leave())
    table.act(1, house.Leave())
    assert table.state.status == "playing"
    ended, closed = table.fire().events[1:]
    assert isinstance(ended, house.RoundEnded)
    assert closed == house.Closed("finished")


def test_who_does_not_sit_cannot_leave() -> None:
    assert refusal(Playout(FOUR), None, house.Leave()) is errors.NotSeated


# Closing


def test_closing_a_running_round_voids_it_and_refunds() -> None:
    table = Playout(CARDS, {"least": 3})
    table.act(0, Ante(40))
    table.act(2, Ante(25))
    table.act(2, house.Leave())
    payments = table.chips.copy()
    assert payments["pot:1"] == 65
    decision = table.act(None, house.Close("fault"))
    assert decision.events == shut(table, "fault")
    assert {(payment.target, payment.chips) for _, _, payment in decision.payments} == {
        (0, 40),
        (2, 25),
    }
    assert not any(table.chips.values())
    assert table.state.status == "closed"
    assert table.rules.timer(table.state) is None


def test_closing_reveals_also_the_secret_of_a_round_that_never_began() -> None:
    table = empty()
    assert table.act(None, house.Close("stop")).events == shut(table, "stop")


def test_closing_after_the_end_voids_nothing() -> None:
    table = Playout(FOUR)
    table.run()
    assert table.act(None, house.Close("stop")).events == [house.Closed("stop")]


@pytest.mark.parametrize(
    "command", [Drop(0), house.Sit(CLEO), house.Leave(), house.Rematch(), house.Close("again")]
)
def test_a_closed_table_takes_nothing(command: Command) -> None:
    table = Playout(FOUR)
    table.act(None, house.Close("stop"))
    assert refusal(table, 0, command) is errors.TableClosed


# Money, notes, forks


def test_payments_come_with_their_events() -> None:
    table = Playout(CARDS)
    decision = table.act(0, Ante(10))
    (dealt,) = decision.events
    assert isinstance(dealt, Dealt)
    ((round, chairs, payment),) = decision.payments
    assert (round, chairs) == (1, table.state.chairs)
    assert (payment.source, payment.target, payment.chips) == (0, "pot", 10)


def test_a_note_moves_the_timer_of_the_table() -> None:
    table = Playout(CARDS)
    before = table.rules.timer(table.state)
    assert before is not None
    CARDS.note(table.state.game, 0, Hurry(), table.at_ms)
    assert table.rules.timer(table.state) == Timer(before.due_ms - 100, Showdown())
    assert refusal(table, 0, Hurry()) is errors.IllegalCommand


def test_deciding_on_a_fork_leaves_the_table_as_it_is() -> None:
    table = empty(CARDS, drawn=False)
    sit(table, ANN)
    for command in (house.Sit(BEN), house.Leave(), house.Close("stop")):
        fork = table.fork()
        fork.act(0, command)
        assert fork.state.status != table.state.status
        assert table.state.status == "waiting"
        assert table.state.chairs == {0: ANN}
        assert table.state.seat_of == {ANN.player: 0}
