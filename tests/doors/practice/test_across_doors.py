"""One game, several doors: a player of this one against a native one, and who watches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.doors.native.clients import Client
from tests.doors.practice import stones
from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    FOUR_STONE,
    dropped,
    first_content,
    match,
    move,
    moved,
    over,
    over_for,
    play,
)
from tests.doors.practice.shapes import ROOM, START, WAITING

STONE_GAMES = [
    (stones.FIRE_WINS, 0, "one_stone"),
    (stones.WATER_WINS, 1, "one_stone"),
    (stones.REPEATED, None, "repetition"),
    (stones.FIRE_IS_STUCK, 1, "no_move"),
]
native_first = pytest.mark.parametrize("native_first", [True, False])


class Mixed:
    """A native player and one of this door at one table."""

    def __init__(self, anna: Practice, nora: Client, table: int, seat: int) -> None:
        self.anna = anna
        self.nora = nora
        self.table = table
        self.seat = seat
        """Anna's."""

    async def act(self, **command: Any) -> None:
        await self.nora.ask("act", table=self.table, command=command)

    async def hears(self, type: str) -> Json:
        """Nora's next event of that type."""
        while True:
            told = await self.nora.notice("table_events", table=self.table)
            for event in told["events"]:
                if event["type"] == type:
                    found: Json = event
                    return found

    async def view(self) -> Json:
        """How it stands, as Nora sees it."""
        await self.nora.ask("resume", table=self.table)
        view: Json = (await self.nora.notice("table_view", table=self.table))["view"]
        return view

    async def outcome(self) -> Json:
        outcome: Json = (await self.nora.notice("table_over", table=self.table))["outcome"]
        return outcome


async def meet(at: Visitors, native_first: bool, game: str = FOUR_STONE) -> Mixed:
    """By the wait list, into which one of them comes first."""
    anna, nora = await at.player("anna"), await at.native("nora")
    native_name = game.replace("_", "-")
    if native_first:
        await nora.ask("seek", game=native_name)
    anna.seek(game)
    await anna.take(WAITING)
    if not native_first:
        await nora.ask("seek", game=native_name)
    start = await anna.take(START, game_id=game)
    seated = await nora.notice("seated")
    seat = start["move_turn"]
    assert seated == {"table": start["room"], "game": native_name, "seat": 1 - seat}
    view = await nora.notice("table_view", table=start["room"], status="playing")
    assert start["content"] == {"options": view["options"], "view": view["view"]}
    names = {player["seat"]: player["name"] for player in view["players"]}
    assert names == {seat: anna.name, 1 - seat: nora.name}
    return Mixed(anna, nora, start["room"], seat)


@native_first
@pytest.mark.parametrize(("moves", "winner", "reason"), STONE_GAMES)
async def test_four_stone(
    at: Visitors, moves: str, winner: int | None, reason: str, native_first: bool
) -> None:
    both = await meet(at, native_first)
    for turn, digits in enumerate(moves.split()):
        seat = turn % 2
        places = stones.after(" ".join(moves.split()[:turn]))
        _, taken = stones.moved(places, digits)
        x, y, to_x, to_y = map(int, digits)
        if seat == both.seat:
            move(both.anna, seat, both.table, digits)
        else:
            await both.act(type="move", **{"from": [x, y], "to": [to_x, to_y]})
        event = await both.hears("moved")
        assert (event["seat"], event["from"], event["to"]) == (seat, [x, y], [to_x, to_y])
        assert sorted(map(tuple, event["taken"])) == sorted(taken)
        assert await both.anna.take(ROOM) == moved(seat, both.table, digits)
        board = stones.board(stones.after(" ".join(moves.split()[: turn + 1])))
        assert (await both.view())["board"] == board
    await over_for(both.anna, both.table, winner, reason)
    winners = [] if winner is None else [winner]
    assert await both.outcome() == {"winners": winners, "reason": reason}
    await both.anna.quiet()


@native_first
async def test_connect_four(at: Visitors, native_first: bool) -> None:
    both = await meet(at, native_first, CONNECT_FOUR)
    for turn, column in enumerate((0, 1, 0, 1, 0, 1, 0)):
        seat = turn % 2
        if seat == both.seat:
            both.anna.act(both.table, "drop", column=column)
        else:
            await both.act(type="drop", column=column)
        assert (await both.hears("dropped"))["column"] == column
        assert await dropped(both.anna, both.table, seat, column) == await both.view()
    await over_for(both.anna, both.table, 0, "line")
    assert await both.outcome() == {"winners": [0], "reason": "line"}


@native_first
@pytest.mark.parametrize("way", ["resign", "leave"])
async def test_the_native_one_gives_up(at: Visitors, native_first: bool, way: str) -> None:
    both = await meet(at, native_first)
    if way == "leave":
        await both.nora.ask("leave", table=both.table)
    else:
        await both.act(type="resign")
    reason = "left" if way == "leave" else "resigned"
    await over_for(both.anna, both.table, both.seat, reason)
    await both.anna.quiet()


async def test_the_one_of_this_door_logs_out(at: Visitors) -> None:
    both = await meet(at, True)
    await both.anna.leave()
    assert await both.outcome() == {"winners": [1 - both.seat], "reason": "left"}


async def test_no_second_round_in_the_same_room(at: Visitors) -> None:
    both = await meet(at, True)
    await both.act(type="resign")
    await over_for(both.anna, both.table, both.seat, "resigned")
    assert await both.nora.refused("rematch", table=both.table) == "not_free"
    await both.anna.quiet()


async def test_chat_and_drops_are_not_told(at: Visitors) -> None:
    both = await meet(at, True)
    await both.nora.ask("say", table=both.table, text="hello")
    await both.anna.quiet()
    both.nora.reset()
    both.nora = await at.native_again(both.nora.token)
    await both.nora.ask("say", table=both.table, text="back")
    await both.anna.quiet()


async def test_a_drop_and_a_return_are_seen_at_the_other_door(at: Visitors) -> None:
    both = await meet(at, True)
    await both.anna.reset()
    await both.nora.notice("player_dropped", table=both.table)
    again = await at.back(both.anna)
    await both.nora.notice("player_back", table=both.table)
    assert (await again.take(START))["content"] == first_content()


@pytest.mark.parametrize(
    "how", [{"options": {"move_seconds": 60}}, {"rated": True}], ids=["a clock", "rated"]
)
async def test_only_the_usual_game_is_matched(at: Visitors, how: Json) -> None:
    anna, nora = await at.player("anna"), await at.native("nora")
    await nora.ask("seek", game="four-stone", **how)
    anna.seek(FOUR_STONE)
    await anna.take(WAITING)
    await anna.quiet()
    bob = await at.player("bob")
    bob.seek(FOUR_STONE)
    await bob.take(WAITING)
    assert {(await player.take(START))["move_turn"] for player in (anna, bob)} == {0, 1}
    assert not nora.heard("seated")


def events(watcher: Client) -> Iterator[Json]:
    for told in watcher.heard("table_events"):
        yield from told["events"]


@pytest.mark.parametrize(("moves", "winner", "reason"), STONE_GAMES)
async def test_a_native_spectator_sees_the_same_game(
    at: Visitors, moves: str, winner: int | None, reason: str
) -> None:
    game = await match(*await at.pair())
    watcher = await at.native("watcher", "ws")
    await watcher.ask("watch", table=game.room)
    view = await watcher.notice("table_view", table=game.room)
    assert (view["game"], view["seat"], view["status"]) == ("four-stone", None, "playing")
    assert [player["name"] for player in view["players"]] == [p.name for p in game.players]
    assert view["view"] == first_content()["view"]
    await play(game, moves)
    await over(game, winner, reason)
    outcome = (await watcher.notice("table_over", table=game.room))["outcome"]
    assert outcome == {"winners": [] if winner is None else [winner], "reason": reason}
    seen = [event for event in events(watcher) if event["type"] == "moved"]
    written = [f"{e['from'][0]}{e['from'][1]}{e['to'][0]}{e['to'][1]}" for e in seen]
    assert written == moves.split()
    places = stones.beginning()
    for digits, event in zip(moves.split(), seen, strict=True):
        places, taken = stones.moved(places, digits)
        assert sorted(map(tuple, event["taken"])) == sorted(taken)
