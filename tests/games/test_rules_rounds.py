"""The rules of the house from one round to the next: rematches, and rounds that follow alone."""

from __future__ import annotations

from hashlib import sha256

import pytest

from gamehall import errors
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Timer
from gamehall.games.two_in_turn import Resign
from gamehall.table_log import house
from gamehall.table_log.rules import TableRules
from gamehall.testing import Playout
from tests.games.house_play import CARDS, FOUR, refusal
from tests.games.toys import Ante, HighCard


def over(game: ConnectFour | HighCard, **options: object) -> Playout:
    """A table whose first round is over."""
    table = Playout(game, options)
    table.run()
    return table


# Rematch


def test_a_rematch_opens_when_all_want_it_and_the_seats_move() -> None:
    table = over(FOUR, rows=5)
    before = table.state
    assert table.act(0, house.Rematch()).events == [house.RematchWanted(0)]
    chain = table.chain
    wanted, opened, started = table.act(1, house.Rematch()).events
    assert wanted == house.RematchWanted(1)
    assert opened == house.Opened(
        game="connect-four",
        options=before.opened.options,
        round=2,
        commitment=sha256(table.draws.secret(2)).hexdigest(),
        nonce="fixed",
        previous=chain,
        drawn=False,
        chairs=(house.Chair(0, before.chairs[1]), house.Chair(1, before.chairs[0])),
    )
    assert started == house.Started(table.at_ms)
    assert table.state.status == "playing"
    assert table.state.seat_of == {p: 1 - seat for p, seat in before.seat_of.items()}
    table.act(0, Drop(0))
    assert table.run().secret == table.draws.secret(2).hex()


def test_wanting_a_rematch_twice_does_not_count_for_two() -> None:
    table = over(FOUR)
    table.act(0, house.Rematch())
    table.act(0, house.Rematch())
    assert table.state.status == "over"


def test_no_rematch_before_the_end() -> None:
    waiting = Playout(FOUR, people=1)
    assert refusal(waiting, 0, house.Rematch()) is errors.NotStarted
    assert refusal(Playout(FOUR), 0, house.Rematch()) is errors.RoundRunning


def test_no_rematch_with_someone_who_has_left() -> None:
    table = over(FOUR)
    table.act(0, house.Rematch())
    table.act(1, house.Leave())
    assert refusal(table, 0, house.Rematch()) is errors.NotFree


def test_no_rematch_for_who_does_not_sit() -> None:
    assert refusal(over(FOUR), None, house.Rematch()) is errors.NotSeated


def test_no_rematch_where_the_next_round_opens_by_itself() -> None:
    assert refusal(over(CARDS), 0, house.Rematch()) is errors.RoundOver


def test_a_table_without_a_rematch_closes_in_time() -> None:
    table = Playout(FOUR)
    table.rules = TableRules(FOUR, rematch_ms=5000)
    table.at_ms += 100
    table.act(0, Resign())
    due = Timer(table.at_ms + 5000, house.Close("finished"))
    assert table.rules.timer(table.state) == due
    assert table.fire().events == [house.Closed("finished")]


# Rounds that follow by themselves


def test_the_next_round_opens_after_the_pause() -> None:
    table = over(CARDS)
    assert table.state.status == "over"
    timer = table.rules.timer(table.state)
    assert timer == Timer(table.at_ms + 500, house.NextRound())
    before = table.state
    opened, started = table.fire().events
    assert isinstance(opened, house.Opened)
    assert (opened.round, opened.drawn) == (2, False)
    assert opened.carry == {"deals": 1}
    assert started == house.Started(table.at_ms)
    assert table.state.chairs == before.chairs
    assert table.state.game.deals == 1
    assert table.state.stakes == {}


def test_rounds_go_on_and_on() -> None:
    table = over(CARDS)
    for round in range(2, 6):
        table.fire()
        table.run()
        assert table.state.opened.round == round
        assert table.chips[f"pot:{round}"] == 0
    assert table.replayed().game.deals == 4


def test_a_running_round_is_not_cut_off() -> None:
    assert refusal(Playout(CARDS), None, house.NextRound()) is errors.RoundRunning


def test_who_comes_in_the_pause_plays_in_the_next_round_and_who_leaves_does_not() -> None:
    table = over(CARDS)
    newcomer = table.sit()
    assert refusal(table, table.state.seat_of[newcomer], Ante(10)) is errors.RoundOver
    table.act(0, house.Leave())
    table.fire()
    assert table.state.game.seats == {1, 2}
    assert table.state.seat_of[newcomer] == 2


def test_a_round_waits_when_too_few_are_left() -> None:
    table = over(CARDS)
    table.act(0, house.Leave())
    (opened,) = table.fire().events
    assert isinstance(opened, house.Opened)
    assert table.state.status == "waiting"
    table.sit()
    assert table.state.status == "playing"


def test_nobody_keeps_a_seat_where_they_are_not_kept() -> None:
    table = over(CARDS, kept=False)
    (opened,) = table.fire().events
    assert isinstance(opened, house.Opened)
    assert opened.chairs == ()
    assert table.state.seat_of == {}


def test_without_a_pause_the_next_round_opens_in_the_same_row() -> None:
    table = Playout(CARDS, {"again_ms": 0})
    table.act(0, Ante(10))
    decision = table.fire()
    kinds = [type(event).__name__ for event in decision.events]
    assert kinds == ["Shown", "RoundEnded", "Opened", "Started"]
    assert [round for round, _, _ in decision.payments] == [1, 1]
    assert [ended.round for ended in decision.ended] == [1]
    assert table.rows[-1].round == 1
    assert table.state.opened.round == 2


@pytest.mark.parametrize("again_ms", [0, 500])
def test_a_table_that_needs_nobody_goes_on_when_nobody_is_there(again_ms: int) -> None:
    table = Playout(CARDS, {"least": 0, "again_ms": again_ms})
    for _ in range(3):
        table.run()
        assert table.state.status != "closed"
        if again_ms:
            table.fire()
    assert table.state.opened.round == 4


def test_a_table_that_needs_nobody_goes_on_when_the_last_leaves() -> None:
    table = Playout(CARDS, {"least": 0}, people=1)
    table.act(0, house.Leave())
    table.run()
    table.sit()
    table.fire()
    assert len(table.state.seat_of) == 1


@pytest.mark.parametrize("again_ms", [0, 500])
def test_a_table_that_needs_people_closes_when_all_have_left(again_ms: int) -> None:
    table = Playout(CARDS, {"again_ms": again_ms})
    table.act(0, house.Leave())
    table.act(1, house.Leave())
    table.run()
    assert table.state.closed == "finished"
