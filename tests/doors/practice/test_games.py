"""Other games of two by their native commands: Connect Four, two-player Bingo, and Nim from a
file."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    Match,
    drop,
    match,
    over,
    over_for,
    whole_game,
)
from tests.doors.practice.shapes import LOGOUT, ROOM, START, TOLD, WAITING

DUEL = "bingo-duel"
SIZE = 7
UPRIGHT = (0, 1, 0, 1, 0, 1, 0)
SECOND = (6, 0, 1, 0, 1, 0, 1, 0)
RISING = (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3)
FULL = tuple(map(int, "545062455041104565311226266362030334314210"))


async def started(at: Visitors, game: str) -> tuple[Match, list[Json]]:
    """A match, with the content that each seat starts with."""
    players = await at.pair()
    for player in players:
        player.seek(game)
        await player.take(WAITING)
    starts = [await player.take(START, game_id=game) for player in players]
    if starts[0]["move_turn"] == 1:
        starts.reverse()
        players = players[::-1]
    assert [start["move_turn"] for start in starts] == [0, 1]
    contents = [start["content"] for start in starts]
    return Match(*players, starts[0]["room"]), contents


# Connect Four


@pytest.mark.parametrize(
    ("columns", "winner", "reason"),
    [(UPRIGHT, 0, "line"), (SECOND, 1, "line"), (RISING, 0, "line"), (FULL, None, "board_full")],
)
async def test_connect_four(
    at: Visitors, columns: tuple[int, ...], winner: int | None, reason: str
) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    await drop(game, columns)
    await over(game, winner, reason)
    for player in game.players:
        await player.quiet()


async def test_each_message_of_connect_four(at: Visitors) -> None:
    game, contents = await started(at, CONNECT_FOUR)
    nothing = [0] * 7
    view = {
        "board": [nothing] * 6,
        "length": 4,
        "turn": 0,
        "last": None,
        "line": [],
        "offer": None,
        "deadline_ms": None,
    }
    options = {"columns": 7, "rows": 6, "length": 4, "move_seconds": 0}
    assert contents == [{"options": options, "view": view}] * 2
    game.first.act(game.room, "drop", column=3)
    for player in game.players:
        told = await player.take(ROOM)
        assert isinstance(told.pop("at_ms"), int)
        assert told == {"room": game.room, "action": "dropped", "seat": 0, "column": 3}
        row = [0, 0, 0, 1, 0, 0, 0]
        after = {**view, "board": [nothing] * 5 + [row], "turn": 1, "last": {"column": 3, "row": 5}}
        assert await player.take(ROOM) == {"room": game.room, "action": "view", "view": after}
    game.second.act(game.room, "offer_draw")
    for player in game.players:
        told = await player.take(ROOM)
        assert told == {"room": game.room, "action": "draw_offered", "seat": 1}
        assert (await player.room("view"))["view"] == {**after, "offer": 1}
    game.first.act(game.room, "answer_draw", accept=True)
    for player in game.players:
        told = await player.take(ROOM)
        assert told == {"room": game.room, "action": "draw_answered", "seat": 0, "accepted": True}
        assert (await player.room("view"))["view"]["turn"] is None
    await over(game, None, "agreed")


async def test_what_connect_four_refuses(at: Visitors) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    game.second.act(game.room, "drop", column=3)
    assert await game.second.error() == "not_your_turn"
    columns = (0, 0, 0, 0, 0, 0)
    await drop(game, columns)
    for column, code in ((0, "column_full"), (7, "no_such_column"), (-1, "no_such_column")):
        game.first.act(game.room, "drop", column=column)
        assert await game.first.error() == code
    game.first.act(game.room, "answer_draw", accept=True)
    assert await game.first.error() == "no_offer"
    for player in game.players:
        await player.quiet()
    await drop(game, (*columns, 1, 2, 1, 2, 1, 2, 1), len(columns))
    await over(game, 0, "line")


@pytest.mark.parametrize(
    ("action", "event", "reason"), [("resign", "resigned", "resigned"), (None, "abandoned", "left")]
)
async def test_giving_up(at: Visitors, action: str | None, event: str, reason: str) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    if action is None:
        game.first.send(LOGOUT)
        assert (await game.first.take(TOLD))["code"] == "logged_out"
        await game.first.quiet()
    else:
        game.first.act(game.room, action)
    for player in game.players[action is None :]:
        assert await player.room(event) == {"room": game.room, "action": event, "seat": 0}
        assert (await player.room("view"))["view"]["turn"] is None
        await over_for(player, game.room, 1, reason)
        await player.quiet()


async def test_one_game_after_the_other(at: Visitors) -> None:
    anna, bob = await at.pair()
    for _ in range(2):
        await whole_game(anna, bob)
        game = await match(anna, bob, CONNECT_FOUR)
        await drop(game, UPRIGHT)
        await over(game, 0, "line")


# Two-player Bingo: nobody sees the other's board


def hidden() -> Json:
    return {"board": [[0] * SIZE] * SIZE, "lines": None}


def flat(board: list[list[int]]) -> list[int]:
    return [number for row in board for number in row]


def check_side(side: Json, lines: int) -> list[list[int]]:
    """A board with all the numbers on it."""
    board: list[list[int]] = side["board"]
    assert sorted(flat(board)) == list(range(1, SIZE**2 + 1))
    assert side == {"board": board, "lines": lines}
    return board


def full_lines(board: list[list[int]], picked: Iterable[int]) -> int:
    marked = [[number in set(picked) for number in row] for row in board]
    places = range(SIZE)
    lines = [
        *marked,
        *([row[n] for row in marked] for n in places),
        [marked[n][n] for n in places],
        [marked[n][-1 - n] for n in places],
    ]
    return sum(map(all, lines))


def says(player: Practice, board: list[list[int]]) -> bool:
    """Whether any message has a row of this board."""
    rows = [str(row).strip("[]").replace(" ", "") for row in board]
    texts = [text.replace(" ", "") for text in player.texts]
    return any(row in text for row in rows for text in texts)


async def test_two_player_bingo(at: Visitors) -> None:
    game, contents = await started(at, DUEL)
    boards = []
    for seat, content in enumerate(contents):
        view = content["view"]
        assert content["options"] == {"size": SIZE}
        boards.append(check_side(view["sides"][seat], 0))
        sides = [hidden(), hidden()]
        sides[seat] = {"board": boards[seat], "lines": 0}
        assert view == {"size": SIZE, "turn": 1, "picked": [], "sides": sides, "seat": seat}
    assert boards[0] != boards[1]
    # Seat 1 begins. It picks along its own board, and seat 0 along its own.
    picked: list[int] = []
    wishes = [flat(board) for board in boards]
    seat = 1
    while all(full_lines(board, picked) < SIZE for board in boards):
        for player, board in zip(game.players, boards[::-1], strict=True):
            assert not says(player, board), "it has seen the other's board"
        number = next(wish for wish in wishes[seat] if wish not in picked)
        game.players[seat].act(game.room, "pick", number=number)
        picked.append(number)
        told = {"room": game.room, "action": "picked", "seat": seat, "number": number}
        for viewer, player in enumerate(game.players):
            assert await player.take(ROOM) == told
            view = (await player.room("view"))["view"]
            lines = full_lines(boards[viewer], picked)
            is_over = any(full_lines(board, picked) >= SIZE for board in boards)
            other = {"board": boards[1 - viewer], "lines": full_lines(boards[1 - viewer], picked)}
            sides = [other if is_over else hidden()] * 2
            sides[viewer] = {"board": boards[viewer], "lines": lines}
            assert view == {
                "size": SIZE,
                "turn": None if is_over else 1 - seat,
                "picked": picked,
                "sides": sides,
                "seat": viewer,
            }
        seat = 1 - seat
    winners = [seat for seat in (0, 1) if full_lines(boards[seat], picked) >= SIZE]
    if len(winners) == 2:
        await over(game, None, "draw")
    else:
        await over(game, winners[0], "bingo")
    # Now everyone may see everything, so the search above finds what is there.
    for player, board in zip(game.players, boards[::-1], strict=True):
        assert says(player, board)
        await player.quiet()


async def test_what_two_player_bingo_refuses(at: Visitors) -> None:
    game, _ = await started(at, DUEL)
    game.first.act(game.room, "pick", number=1)
    assert await game.first.error() == "not_your_turn"
    game.second.act(game.room, "pick", number=50)
    assert await game.second.error() == "no_such_number"
    game.second.act(game.room, "pick", number=7)
    for player in game.players:
        await player.room("picked", number=7)
        await player.room("view")
    game.first.act(game.room, "pick", number=7)
    assert await game.first.error() == "already_picked"
    game.first.act(game.room, "resign")
    for player in game.players:
        await player.room("resigned", seat=0)
        await player.room("view")
    await over(game, 1, "resigned")


# Nim, from a file


async def test_nim(at: Visitors) -> None:
    game, contents = await started(at, "nim")
    assert contents == [{"options": {}, "view": {"sticks": 15, "turn": 0}}] * 2
    left = 15
    for turn, sticks in enumerate((3, 1, 3, 1, 3, 1, 3)):
        seat = turn % 2
        game.players[1 - seat].act(game.room, "take", sticks=1)
        assert await game.players[1 - seat].error() == "not_your_turn"
        game.players[seat].act(game.room, "take", sticks=4)
        assert await game.players[seat].error() == "illegal_command"
        game.players[seat].act(game.room, "take", sticks=sticks)
        left -= sticks
        for player in game.players:
            told = {"room": game.room, "action": "took", "seat": seat, "sticks": sticks}
            assert await player.take(ROOM) == told
            view = {"sticks": left, "turn": 1 - seat}
            assert await player.take(ROOM) == {"room": game.room, "action": "view", "view": view}
    await over(game, 0, "last_stick")
    for player in game.players:
        await player.quiet()
