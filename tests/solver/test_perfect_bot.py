"""The level `perfect`: what it plays, where it is offered, and that nobody waits for it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from gamehall.bots import connect_four_perfect
from gamehall.bots.bot import Bot, RandomBot
from gamehall.bots.connect_four import SensibleBot, StrongBot
from gamehall.bots.connect_four_perfect import PerfectBot
from gamehall.errors import NoSuchBot, Unavailable
from gamehall.games.connect_four import ConnectFour, ConnectFourOptions, Drop, Dropped, Position
from gamehall.games.game import Command, Start
from gamehall.games.two_in_turn import AnswerDraw, DrawOffered
from gamehall.hall.beat.requests import Done
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import Position as SolverPosition
from gamehall.solver.solver import Scores, Solver, position_on
from gamehall.testing import a_context
from tests.hall.halls import FakeLink, TestHall, until

GAME = ConnectFour()
THINKS_FOR_EVER = (
    sys.executable,
    "-c",
    "from gamehall.solver.solving import Solving, no_book\n"
    "from gamehall.solver.solver import Position\n"
    "print('ready', flush=True)\n"
    "input()\n"
    "Solving(no_book()).scores(Position(0, 0))\n",
)
"""A search without a book takes minutes from the empty board."""

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(480)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def solver() -> AsyncIterator[SolverProcess]:
    solver = SolverProcess()
    yield solver
    await solver.close()


def after(drops: Sequence[int], **options: int) -> Position:
    state = GAME.start(Start(ConnectFourOptions(**options), (0, 1), 1, 0))
    for place, column in enumerate(drops):
        state = GAME.apply(state, Dropped(place % 2, column, 0))
    return state


async def choice(bot: PerfectBot, state: Position, seat: int, seed: int = 0) -> Command:
    legal = tuple(GAME.legal(state, seat))
    return await bot.think(GAME.view(state, seat), legal, seat, Random(seed))


async def values(solver: Solver, state: Position) -> Scores:
    view = GAME.view(state, None)
    assert view.turn is not None
    position = position_on(view.board, view.length, view.turn)
    assert position is not None
    return await solver.scores(position)


@pytest.mark.parametrize("opponent", [RandomBot(), SensibleBot(), StrongBot()])
@pytest.mark.parametrize("seat", [0, 1])
async def test_it_never_gives_anything_away(
    solver: SolverProcess, opponent: Bot, seat: int
) -> None:
    bot, rng, state = PerfectBot(solver), Random(7), after(())
    hoped = -100
    while state.outcome is None:
        turn = state.turn
        if turn == seat:
            best = max(score for score in await values(solver, state) if score is not None)
            assert best >= hoped
            hoped = best
            command = await choice(bot, state, seat)
        else:
            legal = tuple(GAME.legal(state, turn))
            command = opponent.choose(GAME.view(state, turn), legal, turn, rng) or legal[0]
        for event in GAME.decide(state, turn, command, a_context()):
            state = GAME.apply(state, event)
    if seat == 0 or hoped > 0:
        assert state.outcome.winners == (seat,)


async def test_it_wins_at_once_and_loses_as_late_as_it_can(solver: SolverProcess) -> None:
    bot = PerfectBot(solver)
    assert await choice(bot, after((0, 1, 0, 1, 0, 1)), 0) == Drop(0)
    lost = after((3, 0, 2, 0, 3, 0, 4))
    scores = await values(solver, lost)
    made = await choice(bot, lost, 1)
    assert isinstance(made, Drop)
    assert scores[made.column] == max(score for score in scores if score is not None)


async def test_it_takes_a_draw_only_when_it_has_lost(solver: SolverProcess) -> None:
    bot = PerfectBot(solver)
    # Three in a row with both ends open: whoever has to answer that has lost.
    lost = GAME.apply(after((2, 0, 3, 0, 4)), DrawOffered(0))
    assert await choice(bot, lost, 1) == AnswerDraw(True)
    won = GAME.apply(after((2, 0, 3, 0, 4)), DrawOffered(1))
    assert await choice(bot, won, 0) == AnswerDraw(False)


async def test_on_another_board_it_plays_as_the_strong_one_does(solver: SolverProcess) -> None:
    state = after((), columns=9)
    legal = tuple(GAME.legal(state, 0))
    view = GAME.view(state, 0)
    strong = StrongBot().choose(view, legal, 0, Random(1))
    assert await choice(PerfectBot(solver), state, 0, seed=1) == strong


class Away:
    """A solver that never answers."""

    asked = 0

    async def scores(self, position: SolverPosition, *, patient: bool = True) -> Scores:
        self.asked += 1
        raise Unavailable

    async def close(self) -> None:
        pass


async def test_nobody_waits_for_ever_for_a_solver_that_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connect_four_perfect, "AGAIN_SECONDS", 0)
    away = Away()
    bot = PerfectBot(away)
    assert isinstance(await choice(bot, after(()), 0), Drop)
    assert away.asked == connect_four_perfect.TRIES
    # The next move is not waited for as long again.
    await choice(bot, after((3, 3)), 0)
    assert away.asked == connect_four_perfect.TRIES + 1


# At a hall


async def open_with(hall: TestHall, link: FakeLink, level: str, **options: int) -> int:
    assert link.online is not None
    seating = hall.hall.seating
    new = await hall.hall.new_tables.open_table(
        link.online, GAME.name, options, private=False, bots=[level], request=None
    )
    done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    await seating.sit(link, link.online, new.table, None, None, None, done.set_result)
    assert isinstance(await done, Done)
    return new.table


def game_at(hall: TestHall, table: int) -> Position:
    loaded = hall.hall.rooms.tables.loaded(table)
    assert loaded is not None
    assert loaded.state is not None
    assert isinstance(loaded.state.game, Position)
    return loaded.state.game


def seat_at(hall: TestHall, table: int, link: FakeLink) -> int:
    loaded = hall.hall.rooms.tables.loaded(table)
    assert link.online is not None
    assert loaded is not None
    assert loaded.state is not None
    return loaded.state.seat_of[link.online.player.id]


async def test_it_plays_at_a_table_of_the_hall(tmp_path: Path, solver: SolverProcess) -> None:
    hall = TestHall(tmp_path, solver=solver)
    await hall.start()
    anna = await hall.guest("anna")
    table = await open_with(hall, anna, "perfect")
    mine, rng = seat_at(hall, table, anna), Random(2)
    while game_at(hall, table).outcome is None:
        state = game_at(hall, table)
        if state.turn == mine:
            command = rng.choice(tuple(GAME.legal(state, mine)))
            assert isinstance(await hall.ask(anna, table, command), Done)
        await until(lambda: _my_turn(hall, table, mine))
    assert game_at(hall, table).outcome is not None
    await hall.stop()


def _my_turn(hall: TestHall, table: int, mine: int) -> bool:
    state = game_at(hall, table)
    return state.outcome is not None or state.turn == mine


async def test_where_it_is_offered(tmp_path: Path, solver: SolverProcess) -> None:
    hall = TestHall(tmp_path, solver=solver)
    await hall.start()
    anna = await hall.guest("anna")
    assert list(hall.hall.bots.levels(GAME.name))[-2:] == ["strong", "perfect"]
    assert "perfect" not in hall.hall.bots.levels("four-stone")
    assert hall.hall.bots.usual(GAME.name) == "strong"
    with pytest.raises(NoSuchBot, match="standard board"):
        await open_with(hall, anna, "perfect", columns=9)
    await hall.stop()


async def test_without_a_solver_it_is_refused_with_a_way_out(tmp_path: Path) -> None:
    hall = TestHall(tmp_path)
    await hall.start()
    anna = await hall.guest("anna")
    assert "perfect" not in hall.hall.bots.levels(GAME.name)
    with pytest.raises(NoSuchBot, match=r"pip install 'gamehall\[solver\]'"):
        await open_with(hall, anna, "perfect")
    await hall.stop()


async def test_others_play_on_while_it_thinks(tmp_path: Path) -> None:
    thinking = SolverProcess(THINKS_FOR_EVER)
    hall = TestHall(tmp_path, solver=thinking)
    await hall.start()
    anna, bob = await hall.guest("anna"), await hall.guest("bob")
    slow = await open_with(hall, anna, "perfect")
    mine = seat_at(hall, slow, anna)
    if mine == 0:
        assert isinstance(await hall.ask(anna, slow, Drop(3)), Done)
    stones = sum(game_at(hall, slow).stones)
    async with asyncio.timeout(240):
        while thinking.pid is None:
            await asyncio.sleep(0.01)
    quick = await open_with(hall, bob, "random")
    seat = seat_at(hall, quick, bob)
    for _ in range(4):
        await until(lambda: _my_turn(hall, quick, seat))
        if game_at(hall, quick).outcome is None:
            legal = tuple(GAME.legal(game_at(hall, quick), seat))
            assert isinstance(await hall.ask(bob, quick, legal[0]), Done)
    assert game_at(hall, slow).turn != mine
    assert sum(game_at(hall, slow).stones) == stones
    await hall.stop()
    await thinking.close()
