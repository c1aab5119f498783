"""Bots at both Bingos: what they choose, and whole games with those that the hall seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from gamehall.bots import bot
from gamehall.bots.bot import Bot, bots_for
from gamehall.games.bingo import Bingo, BingoClaimed, Claim, Deal, Ready
from gamehall.games.bingo_duel import BingoDuel, Pick, State
from gamehall.games.chance import Chance
from gamehall.games.game import Command, Outcome
from gamehall.hall.beat.requests import Done
from gamehall.hall.beat.table import Table
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState
from tests.games import bingo_duel_play as duel
from tests.games.bingo_play import Hand
from tests.hall.halls import FakeLink, TestHall, until

FIRST_ROW = (1, 16, 31, 46, 61)
LEVELS = ("random", "sensible", "strong")
BINGO, DUEL = bots_for(Bingo.name), bots_for(BingoDuel.name)
TIMES = 2000


def wired(view: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(view))


def test_levels() -> None:
    assert list(BINGO) == list(DUEL) == list(LEVELS)


# Called Bingo


def chosen(hand: Hand, level: str, seed: int = 0, seat: int = 0) -> Command | None:
    game = Bingo()
    legal = list(game.legal(hand.state, seat))
    assert legal, "it is not asked"
    return BINGO[level].choose(wired(game.view(hand.state, seat)), legal, seat, Random(seed))


@pytest.mark.parametrize("level", LEVELS)
def test_they_never_start_a_round(level: str) -> None:
    assert all(chosen(Hand(), level, seed) is None for seed in range(TIMES))


def test_sensible_is_ready_at_once_and_misses_no_line() -> None:
    hand = Hand(FIRST_ROW).deal()
    for _ in range(4):
        assert chosen(hand.call(), "sensible") == Ready()
    assert chosen(hand.call(), "sensible") == Claim()
    assert chosen(hand.ready(0), "sensible") == Claim(), "also when it was ready before"
    assert chosen(hand, "sensible", seat=1) == Ready()


def test_random_claims_late_and_now_and_then_wrongly() -> None:
    hand = Hand(FIRST_ROW).deal().call(4)
    without = Counter(chosen(hand, "random", seed) for seed in range(TIMES))
    assert set(without) == {Ready(), Claim()}
    assert 10 < without[Claim()] < 100
    hand.call()
    with_line = Counter(chosen(hand, "random", seed) for seed in range(TIMES))
    assert set(with_line) == {Ready(), Claim()}
    assert 900 < with_line[Claim()] < 1150
    hand.ready(0)
    assert {chosen(hand, "random", seed) for seed in range(50)} == {None, Claim()}


# Two-player Bingo


def picked(state: State, seed: int = 0, wire: bool = True) -> int:
    seat = state.turn
    view: Any = duel.GAME.view(state, seat)
    legal = list(duel.GAME.legal(state, seat))
    pick = DUEL["sensible"].choose(wired(view) if wire else view, legal, seat, Random(seed))
    assert isinstance(pick, Pick)
    assert pick in legal
    return pick.number


def play(bots: Sequence[Bot], seed: int, size: int) -> Outcome:
    rng = Random(seed)
    state = duel.begun(Chance(b"%d" % seed), size)
    while (outcome := duel.GAME.outcome(state)) is None:
        seat = state.turn
        legal = list(duel.GAME.legal(state, seat))
        view = duel.GAME.view(state, seat)
        command = bots[seat].choose(view, legal, seat, rng)
        assert command in legal
        assert command is not None
        duel.do(state, seat, command)
    return outcome


@pytest.mark.parametrize("seat", [0, 1])
def test_sensible_beats_random(seat: int) -> None:
    bots = [DUEL["random"], DUEL["random"]]
    bots[seat] = DUEL["sensible"]
    wins = sum(play(bots, seed, 7).winners == (seat,) for seed in range(40))
    assert wins >= 38


@pytest.mark.parametrize("size", [3, 4, 6, 12, 20])
def test_they_play_on_any_board(size: int) -> None:
    sensible = DUEL["sensible"]
    for bots in ((sensible, DUEL["random"]), (sensible, sensible), (DUEL["random"],) * 2):
        play(bots, size, size)


@pytest.mark.parametrize("wire", [False, True])
def test_sensible_completes_its_own_lines(wire: bool) -> None:
    # Seat 1 has 4 1 2 / 3 5 6 / 7 8 9: 2 makes it no line, 7 the column 4 3 7 and the row 7 8 9.
    state = duel.pick(duel.new(), (4, 3, 8, 9))
    assert {picked(state, seed, wire) for seed in range(20)} == {7}
    # The centre completes a row and a column of seat 0, and more lines go through it.
    state = duel.pick(duel.new(), (4, 6, 2))
    assert {picked(state, seed, wire) for seed in range(20)} == {5}


def test_sensible_begins_where_most_lines_are() -> None:
    state = duel.new(duel.MIXED, duel.PLAIN)
    assert {picked(state, seed) for seed in range(20)} == {5}
    even = duel.begun(Chance(b"even"), 4)
    assert even.boards is not None
    rows = even.boards[1]
    on_diagonals = {rows[n * 4 + n] for n in range(4)} | {rows[n * 4 + 3 - n] for n in range(4)}
    assert {picked(even, seed) for seed in range(300)} == on_diagonals, "any of them"


def test_sensible_knows_nothing_of_the_other_board() -> None:
    one, other = duel.new(duel.PLAIN, duel.MIXED), duel.new(duel.PLAIN[::-1], duel.MIXED)
    for state in (one, other):
        duel.pick(state, (4, 8))
    assert [picked(one, seed) for seed in range(50)] == [picked(other, seed) for seed in range(50)]


# Those that the hall seats


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[TestHall]:
    hall = TestHall(tmp_path)
    await hall.start()
    yield hall
    await hall.stop()


def state(hall: TestHall, table: int) -> TableState:
    loaded = hall.hall.rooms.tables.loaded(table)
    assert loaded is not None
    assert loaded.state is not None
    return loaded.state


async def with_bots(hall: TestHall, link: FakeLink, game: str, *levels: str) -> int:
    """A table that was opened with these bots, all of them and the opener seated."""
    assert link.online is not None
    opened = await hall.hall.new_tables.open_table(
        link.online, game, {}, private=False, bots=levels, request=None
    )
    player = link.online.player
    await hall.ask(link, opened.table, house.Sit(house.Person(player.id, player.name)))
    await until(lambda: len(state(hall, opened.table).seat_of) == len(levels) + 1)
    return opened.table


async def tick(hall: TestHall, table: int) -> None:
    """Whatever is due next at the table happens."""
    loaded = hall.hall.rooms.tables.loaded(table)
    assert isinstance(loaded, Table)
    await until(lambda: loaded.idle)
    if loaded.alarm.due_ms is not None:
        head = loaded.head
        hall.clock.advance(max(0, loaded.alarm.due_ms - hall.clock.now_ms()))
        await until(lambda: loaded.head > head)


async def test_a_round_of_bingo_with_bots(hall: TestHall) -> None:
    anna = await hall.guest("anna")
    table = await with_bots(hall, anna, Bingo.name, *LEVELS, "sensible")
    await tick(hall, table)
    assert not state(hall, table).game.cards, "nobody but Anna starts a round"
    for round in (1, 2):
        assert isinstance(await hall.ask(anna, table, Deal()), Done)
        while state(hall, table).opened.round == round:
            await tick(hall, table)
            await until(lambda: answered(hall, table))
            await hall.ask(anna, table, Ready())
    claims = [e for e in anna.events() if isinstance(e, BingoClaimed)]
    assert len(claims) == 2
    bots = {seat: person.bot for seat, person in state(hall, table).chairs.items()}
    assert all(bots[claim.seat] is not None for claim in claims)
    assert not state(hall, table).game.cards


def answered(hall: TestHall, table: int) -> bool:
    """Whether all but Anna need not be waited for, or the round is over."""
    game = state(hall, table).game
    return len(game.answered) >= len(game.playing) - 1


class Dreamer:
    """Sees lines everywhere: says so as often as it is told to, before it is ready."""

    def __init__(self, dreams: int) -> None:
        self.asked = 0
        self._dreams = dreams

    def was_asked(self, times: int) -> bool:
        return self.asked >= times

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command:
        self.asked += 1
        return Claim() if self.asked % (self._dreams + 1) else Ready()


@pytest.mark.parametrize(("dreams", "asked"), [(0, 1), (1, 2), (10**6, 2)])
async def test_what_the_rules_refuse_is_thought_over_once(
    hall: TestHall, monkeypatch: pytest.MonkeyPatch, dreams: int, asked: int
) -> None:
    dreamer = Dreamer(dreams)
    monkeypatch.setitem(bot._BOTS[Bingo.name], "random", dreamer)
    anna = await hall.guest("anna")
    table = await with_bots(hall, anna, Bingo.name, "random")
    await hall.ask(anna, table, Deal())
    dreamer.asked = 0
    for numbers in (1, 2, 3):
        await tick(hall, table)
        await until(partial(dreamer.was_asked, numbers * asked))
        await hall.ask(anna, table, Ready())
        assert dreamer.asked == numbers * asked
        ready = len(state(hall, table).game.answered)
        assert ready == 2, "nobody waits for a bot that insists"


@pytest.mark.parametrize("level", LEVELS)
async def test_games_of_two_player_bingo_against_a_bot(hall: TestHall, level: str) -> None:
    anna = await hall.guest("anna")
    table = await with_bots(hall, anna, BingoDuel.name, level)
    assert anna.online is not None
    player = anna.online.player.id

    def legal() -> list[Command]:
        seat = state(hall, table).seat_of[player]
        return list(duel.GAME.legal(state(hall, table).game, seat))

    for round in (1, 2):
        assert state(hall, table).opened.round == round
        while not state(hall, table).over:
            await until(lambda: state(hall, table).over or legal())
            if legal():
                await hall.ask(anna, table, legal()[0])
        await hall.ask(anna, table, house.Rematch())
        await until(lambda: not state(hall, table).over)
