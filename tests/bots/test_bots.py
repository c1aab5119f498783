"""Bots see what a seat sees, always move legally, and the sensible one is worth its name."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from gamehall.bots import bot
from gamehall.bots.bot import Bot, RandomBot, bots_for
from gamehall.bots.connect_four import SensibleBot
from gamehall.games import GAMES
from gamehall.games.bingo import Bingo
from gamehall.games.connect_four import ConnectFour, ConnectFourOptions, Drop, Dropped
from gamehall.games.game import Command, Game, Outcome, Start
from gamehall.games.two_in_turn import AnswerDraw, OfferDraw
from gamehall.testing import Playout, a_context
from tests.games.toys import HighCard

GAME = ConnectFour()


def play(bots: Sequence[Bot], seed: int, **options: Any) -> Outcome:
    """How a game between two bots ends; every command they choose must be among the legal."""
    rng = Random(seed)
    state = GAME.start(Start(ConnectFourOptions(**options), (0, 1), 1, 0))
    while (outcome := GAME.outcome(state)) is None:
        seat = state.turn
        legal = list(GAME.legal(state, seat))
        command = bots[seat].choose(GAME.view(state, seat), legal, seat, rng)
        assert command in legal
        for event in GAME.decide(state, seat, command, a_context()):
            state = GAME.apply(state, event)
    return outcome


def chosen(drops: str, wire: bool = False, seed: int = 0, **options: Any) -> Command:
    """What the sensible bot does after these drops."""
    state = GAME.start(Start(ConnectFourOptions(**options), (0, 1), 1, 0))
    for place, column in enumerate(drops):
        GAME.apply(state, Dropped(place % 2, int(column), 0))
    seat = state.turn
    view: object = GAME.view(state, seat)
    if wire:
        view = msgspec.json.decode(msgspec.json.encode(view))
    return SensibleBot().choose(view, list(GAME.legal(state, seat)), seat, Random(seed))


@pytest.mark.parametrize("seat", [0, 1])
def test_sensible_beats_random(seat: int) -> None:
    bots = [RandomBot(), RandomBot()]
    players: list[Bot] = [*bots]
    players[seat] = SensibleBot()
    wins = sum(play(players, seed).winners == (seat,) for seed in range(100))
    assert wins >= 90


@pytest.mark.parametrize(
    "options",
    [
        {"columns": 3, "rows": 3, "length": 3},
        {"columns": 12, "rows": 12, "length": 5},
        {"columns": 4, "rows": 9, "length": 7},
        {"columns": 9, "rows": 3, "length": 4},
    ],
)
def test_sensible_plays_on_any_board(options: dict[str, int]) -> None:
    for seed in range(10):
        play([SensibleBot(), RandomBot()], seed, **options)
        play([SensibleBot(), SensibleBot()], seed, **options)


@pytest.mark.parametrize("wire", [False, True])
@pytest.mark.parametrize(
    ("columns", "column"),
    [
        ("010101", 0),  # its own column before the block of the other's
        ("0101016", 1),  # seat 1 too
        ("01020", 0),  # blocks a column
        ("0616", 3),  # nothing but the centre
        ("001122", 3),  # takes a row
        ("00112", 3),  # blocks a row
    ],
)
def test_sensible_takes_and_blocks(columns: str, column: int, wire: bool) -> None:
    assert chosen(columns, wire) == Drop(column)


def test_sensible_sees_every_win() -> None:
    """Whatever the direction and the board, as the rules judge it."""
    seen = 0
    for seed in range(150):
        options = ({}, {"columns": 6, "rows": 9, "length": 3}, {"length": 5})[seed % 3]
        table = Playout(GAME, options, seed=seed)
        while not table.ended:
            state = table.state.game
            seat, legal = state.turn, list(GAME.legal(state, state.turn))
            wins = [command for command in legal if _wins(table, seat, command)]
            if wins:
                seen += 1
                view = GAME.view(state, seat)
                assert SensibleBot().choose(view, legal, seat, Random(seed)) in wins
            table.step()
    assert seen > 100


def _wins(table: Playout, seat: int, command: Command) -> bool:
    ended = table.fork().act(seat, command).ended
    return [end.event.outcome.winners for end in ended] == [(seat,)]


def test_sensible_gives_no_win_above() -> None:
    # Seat 0 has 0, 1 and 2 in the second row and needs 3 there, above an empty place.
    columns = "1002162"
    assert all(chosen(columns, seed=seed) in (Drop(2), Drop(4)) for seed in range(20))
    # When nothing else is left, it must be given.
    narrow: dict[str, Any] = {"columns": 3, "rows": 3, "length": 3}
    assert chosen("0112100", **narrow) == Drop(2)


def test_sensible_fears_nothing_above_the_board() -> None:
    # Three stones of seat 1 rise towards the place above column 3, where no stone can lie.
    board = [[0] * 7 for _ in range(6)]
    for row, stone in zip(range(1, 6), (1, 2, 1, 2, 1), strict=True):
        board[row][3] = stone
    board[0][2] = board[1][1] = board[2][0] = 2
    view = msgspec.structs.replace(
        GAME.view(Playout(GAME).state.game, 0), board=tuple(map(tuple, board))
    )
    assert SensibleBot().choose(view, [Drop(3), Drop(6)], 0, Random(0)) == Drop(3)


def test_sensible_answers_a_draw_offer_only_when_it_must() -> None:
    table = Playout(GAME)
    table.act(0, OfferDraw())
    state = table.state.game
    rng = Random(0)
    sensible = SensibleBot()
    legal = list(GAME.legal(state, 1))
    assert sensible.choose(GAME.view(state, 1), legal, 1, rng) == AnswerDraw(False)
    table.act(0, Drop(3))
    state = table.state.game
    legal = list(GAME.legal(state, 1))
    assert AnswerDraw(False) in legal
    assert isinstance(sensible.choose(GAME.view(state, 1), legal, 1, rng), Drop)


# Rounds of called Bingo are started by people: test_bingo_bots.py.
BEGIN_BY_THEMSELVES = [*(game for game in GAMES if not isinstance(game, Bingo)), HighCard()]


@pytest.mark.parametrize("game", BEGIN_BY_THEMSELVES, ids=lambda game: str(game.name))
def test_random_plays_every_game_to_its_end(game: Game[Any]) -> None:
    player = bots_for(game.name)["random"]
    for seed in range(20):
        table, rng = Playout(game, seed=seed, people=2), Random(seed)
        for _ in range(1000):
            if table.ended:
                break
            asked = [
                (seat, legal)
                for seat in table.state.seat_of.values()
                if (legal := _journaled(game, table.state.game, seat))
            ]
            if not asked:
                table.fire()
                continue
            seat, legal = asked[0]
            view = game.view(table.state.game, seat)
            command = player.choose(view, legal, seat, rng)
            if command is None:
                table.fire()
            else:
                table.act(seat, command)
        assert table.ended


def _journaled(game: Game[Any], state: Any, seat: int) -> list[Command]:
    return [c for c in game.legal(state, seat) if not isinstance(c, game.notes)]


def test_levels() -> None:
    assert list(bots_for("sicbo")) == ["random", "sensible", "strong"]
    assert set(bots_for("a game that nobody has written a bot for")) == {"random"}


def test_the_registry_names_games_of_the_house() -> None:
    assert set(bot._BOTS) <= {game.name for game in GAMES}
