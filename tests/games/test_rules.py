"""The rules of the house around a game: opening, sitting, reserved seats, the draw of seats."""

from __future__ import annotations

from hashlib import sha256

import pytest

from gamehall import errors
from gamehall.games.chance import Chance
from gamehall.games.connect_four import ConnectFourOptions, Drop
from gamehall.games.game import Timer
from gamehall.table_log import house
from gamehall.table_log.rules import TableRules
from gamehall.testing import FixedDraws, Playout
from tests.games.house_play import ANN, BEN, CARDS, CLEO, FOUR, empty, refusal, shut, sit
from tests.games.toys import Ante, Joined

# Opening


def test_a_table_opens_with_a_commitment_and_its_options() -> None:
    table = empty(options={"rows": 5}, private=True, rated=True)
    (opened,) = table.rows[0].events
    assert opened == house.Opened(
        game="connect-four",
        options={"rows": 5},
        round=1,
        commitment=sha256(FixedDraws(0).secret(1)).hexdigest(),
        nonce="fixed",
        previous="",
        private=True,
        rated=True,
    )
    assert table.state.options == ConnectFourOptions(rows=5)
    assert table.state.status == "waiting"


def test_nothing_happens_at_a_table_before_it_opens() -> None:
    with pytest.raises(errors.NotStarted):
        TableRules(FOUR).decide(None, None, house.Sit(ANN), 0, FixedDraws(), "")


def test_options_that_cannot_be_played_open_no_table() -> None:
    with pytest.raises(errors.BadOptions):
        empty(options={"length": 12})


def test_a_game_that_needs_nobody_starts_at_once() -> None:
    table = empty(CARDS, options={"least": 0})
    assert table.rows[0].events[1:] == (house.Started(table.at_ms),)
    assert table.state.status == "playing"


def test_a_table_opens_only_once() -> None:
    again = house.Open("connect-four", {}, "")
    assert refusal(empty(), None, again) is errors.NotStarted
    assert refusal(Playout(FOUR), None, again) is errors.IllegalCommand


# Sitting


def test_the_game_starts_when_enough_sit() -> None:
    table = empty(drawn=False)
    assert sit(table, ANN) == [house.Seated(0, ANN)]
    assert refusal(table, 0, Drop(0)) is errors.NotStarted
    assert table.rules.timer(table.state) is None
    assert sit(table, BEN) == [house.Seated(1, BEN), house.Started(table.at_ms)]
    table.act(0, Drop(0))


def test_sitting_again_changes_nothing() -> None:
    table = empty()
    sit(table, ANN)
    assert sit(table, ANN) == []


def test_seats_that_can_be_chosen() -> None:
    table = empty(CARDS, drawn=False, options={"least": 3})
    assert sit(table, ANN, seat=3) == [house.Seated(3, ANN)]
    assert refusal(table, None, house.Sit(BEN, 3)) is errors.SeatTaken
    assert refusal(table, None, house.Sit(BEN, 5)) is errors.SeatTaken
    assert refusal(table, None, house.Sit(BEN, -1)) is errors.SeatTaken
    assert sit(table, BEN) == [house.Seated(1, BEN)]
    sit(table, CLEO, seat=4)
    assert table.state.game.seats == {1, 3, 4}


def test_drawn_seats_cannot_be_chosen() -> None:
    assert refusal(empty(), None, house.Sit(ANN, 0)) is errors.SeatsDrawn


def test_a_full_table_takes_nobody() -> None:
    assert refusal(Playout(FOUR), None, house.Sit(CLEO)) is errors.TableFull


def test_someone_comes_late() -> None:
    table = Playout(CARDS)
    assert sit(table, CLEO) == [house.Seated(2, CLEO), Joined(2)]
    assert table.state.game.seats == {0, 1, 2}


def test_a_game_may_refuse_who_comes_late() -> None:
    table = Playout(CARDS)
    table.act(0, Ante(600))
    assert refusal(table, None, house.Sit(CLEO)) is errors.TableFull
    assert 3 not in table.state.seat_of


def test_who_left_comes_back_to_the_same_chair() -> None:
    table = Playout(CARDS)
    player = table.state.chairs[0].player
    table.act(0, house.Leave())
    assert table.state.gone == {0}
    assert sit(table, house.Person(player, "back")) == [
        house.Seated(0, house.Person(player, "back")),
        Joined(0),
    ]
    assert table.state.gone == frozenset()


def test_nobody_sits_down_at_a_round_that_is_over() -> None:
    table = Playout(FOUR)
    table.act(0, house.Leave())
    assert refusal(table, None, house.Sit(CLEO)) is errors.RoundOver


# Reserved seats


def test_reserved_seats_are_for_those_who_have_them() -> None:
    table = empty(reserved=(ANN, BEN), reserved_until_ms=2_000_000, drawn=False)
    assert table.rules.timer(table.state) == Timer(2_000_000, house.Expire())
    assert refusal(table, None, house.Sit(CLEO)) is errors.TableFull
    sit(table, BEN, 1)
    assert refusal(table, None, house.Sit(CLEO)) is errors.TableFull
    sit(table, ANN)
    assert table.state.seat_of == {ANN.player: 0, BEN.player: 1}
    assert table.state.status == "playing"
    assert table.rules.timer(table.state) is None
    assert table.act(None, house.Expire()).events == []


def test_seats_that_are_not_reserved_are_for_anyone() -> None:
    options = {"least": 3, "most": 3}
    table = empty(CARDS, options=options, reserved=(ANN,), reserved_until_ms=2_000_000)
    sit(table, BEN)
    sit(table, CLEO)
    assert refusal(table, None, house.Sit(house.Person(4, "Dan"))) is errors.TableFull
    sit(table, ANN)
    assert table.state.status == "playing"


@pytest.mark.parametrize("came", [(), (ANN,)])
def test_a_table_for_two_who_do_not_both_come_closes(came: tuple[house.Person, ...]) -> None:
    table = empty(reserved=(ANN, BEN), reserved_until_ms=2_000_000)
    for person in came:
        sit(table, person)
    assert table.fire().events == [house.ReservationsLapsed(), *shut(table, "no_show")]
    assert refusal(table, None, house.Sit(BEN)) is errors.TableClosed


def test_the_seat_of_one_who_does_not_come_is_free_for_others() -> None:
    table = empty(reserved=(BEN,), reserved_until_ms=2_000_000)
    sit(table, ANN)
    assert table.fire().events == [house.ReservationsLapsed()]
    assert table.rules.timer(table.state) is None
    sit(table, CLEO)
    assert table.state.status == "playing"


def test_no_seat_is_reserved_once_the_game_has_started() -> None:
    table = empty(CARDS, options={"most": 3}, reserved=(ANN,), reserved_until_ms=2_000_000)
    sit(table, BEN)
    sit(table, CLEO)
    assert table.state.status == "playing"
    sit(table, house.Person(4, "Dan"))
    assert refusal(table, None, house.Sit(ANN)) is errors.TableFull


def test_who_leaves_a_reserved_seat_may_come_back_to_it() -> None:
    table = empty(reserved=(ANN, BEN), reserved_until_ms=2_000_000)
    sit(table, ANN)
    table.act(0, house.Leave())
    assert table.state.status == "waiting"
    assert refusal(table, None, house.Sit(CLEO)) is errors.TableFull
    sit(table, BEN)
    sit(table, ANN)
    assert table.state.status == "playing"


# The draw of seats


def test_the_draw_assigns_the_seats() -> None:
    orders = set()
    for seed in range(40):
        table = empty(CARDS, options={"least": 3}, seed=seed)
        for person in (ANN, BEN):
            sit(table, person)
        events = sit(table, CLEO)
        order = Chance(table.draws.secret(1)).shuffled("seats", [0, 1, 2])
        assert events[1] == house.SeatsDrawn(tuple(order))
        people = dict(zip(order, (ANN, BEN, CLEO), strict=True))
        assert table.state.chairs == people
        assert table.state.seat_of == {person.player: seat for seat, person in people.items()}
        orders.add(tuple(order))
    assert len(orders) == 6
