"""The client against a real hall: whole games over both transports, through crashes and stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.client.asking import RequestRefused
from tests.client.player import Json, Player
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

COLUMNS = (0, 1, 0, 1, 0, 1, 0)
"""Seat 0 wins with the last of these drops."""

Enter = Callable[..., Awaitable[Player]]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path) as hall:
        yield hall


@pytest.fixture
async def enter(hall: HallProcess) -> AsyncIterator[Enter]:
    """Brings someone in, over `ws` or `tcp`, who goes again at the end of the test."""
    async with AsyncExitStack() as players:

        async def enter(how: str = "ws", **who: Any) -> Player:
            url = hall.ws_url if how == "ws" else hall.tcp_url
            return await players.enter_async_context(Player(url, **who))

        yield enter


async def pair(one: Player, other: Player) -> tuple[int, list[Player]]:
    """A table at which these two have begun to play, with them in the order of their seats."""
    for player in (one, other):
        await player.ask("seek", game="connect-four")
    table = await one.started()
    assert await other.started() == table
    return table, sorted((one, other), key=lambda player: int(player.view(table)["seat"]))


async def restart(hall: HallProcess) -> None:
    await asyncio.to_thread(hall.restart)


async def head(player: Player, table: int) -> int:
    journal = await player.ask("journal", table=table)
    seq: int = journal["head"]
    return seq


async def heard_drops(player: Player, table: int, count: int) -> None:
    await player.until(lambda: len(player.events(table, "dropped")) == count)


async def heard_the_end(player: Player, table: int) -> None:
    """By an event, or by a view if the event itself was lost with the hall."""

    def has_ended() -> bool:
        views = player.all("table_view")
        return any(v["status"] == "over" for v in views) or bool(
            player.events(table, "round_ended")
        )

    await player.until(has_ended)


@pytest.mark.parametrize("doors", [("ws", "ws"), ("tcp", "tcp"), ("ws", "tcp")])
async def test_two_play_a_game_and_a_third_watches_it(enter: Enter, doors: tuple[str, str]) -> None:
    table, seats = await pair(await enter(doors[0], name="Ann"), await enter(doors[1], name="Bob"))
    watcher = await enter(doors[1], name="Cid")
    await watcher.ask("watch", table=table)
    for place, column in enumerate(COLUMNS):
        answer = await seats[place % 2].drop(table, column)
        assert answer["table"] == table
    for player in (*seats, watcher):
        over = await player.next("table_over")
        assert over["outcome"] == {"winners": [0], "reason": "line"}
        dropped = [event["column"] for event in player.events(table, "dropped")]
        assert dropped == list(COLUMNS)
        player.check_story(table, await head(player, table))


@pytest.mark.parametrize("killed_after", [0, 3, 6])
async def test_a_game_goes_on_after_the_hall_was_killed(
    hall: HallProcess, enter: Enter, killed_after: int
) -> None:
    table, seats = await pair(await enter("ws"), await enter("tcp"))
    for place, column in enumerate(COLUMNS):
        move = asyncio.create_task(seats[place % 2].drop(table, column))
        if place == killed_after:
            # The request is on its way, and may have been written, answered and told, or not.
            await asyncio.sleep(0)
            await restart(hall)
        await move
    for player in seats:
        await heard_the_end(player, table)
        assert len(player.all("connection_lost")) == len(player.all("connected")) == 1
        player.check_story(table, await head(player, table))
    rows = await seats[0].ask("journal", table=table)
    drops = [event for row in rows["rows"] for event in row["events"] if event["type"] == "dropped"]
    assert [drop["column"] for drop in drops] == list(COLUMNS)


@pytest.mark.slow
async def test_what_was_told_before_a_crash_is_not_told_again(
    hall: HallProcess, enter: Enter
) -> None:
    table, seats = await pair(await enter("ws"), await enter("ws"))
    for place, column in enumerate(COLUMNS):
        await seats[place % 2].drop(table, column)
        for player in seats:
            await heard_drops(player, table, place + 1)
        if place in (0, 3, 5):
            await restart(hall)
    for player in seats:
        await player.next("table_over")
        dropped = [event["column"] for event in player.events(table, "dropped")]
        assert dropped == list(COLUMNS)
        player.check_story(table, await head(player, table))


async def test_a_spectator_comes_back_too(hall: HallProcess, enter: Enter) -> None:
    table, seats = await pair(await enter("ws"), await enter("ws"))
    watcher = await enter("tcp", name="Cid")
    await watcher.ask("watch", table=table)
    await seats[0].drop(table, 3)
    await restart(hall)
    seq = (await seats[1].drop(table, 4))["seq"]
    # By a view or by events: it may not have heard of the first stone before the hall was killed.
    await watcher.until(
        lambda: any(
            told["seq"] == seq for told in watcher.all("table_view") + watcher.all("table_events")
        )
    )
    watcher.check_story(table, await head(watcher, table))


class Line:
    """A bare client of lines, which shares nothing with ours."""

    async def connect(self, hall: HallProcess) -> None:
        port = hall.ports["native-tcp"]
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)

    async def ask(self, action: str, id: str, **payload: Any) -> Json:
        message = {"action": action, "requestId": id, "payload": payload}
        self._writer.write(msgspec.json.encode(message) + b"\n")
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                answer: Json = msgspec.json.decode(await self._reader.readline())
                if answer.get("requestId") == id:
                    return answer

    def close(self) -> None:
        self._writer.close()


async def test_a_request_sent_again_after_a_crash_gets_the_same_answer(
    hall: HallProcess, enter: Enter
) -> None:
    line = Line()
    await line.connect(hall)
    token = (await line.ask("hello", "h", name="Ann"))["payload"]["token"]
    opened = await line.ask("open_table", "o", game="connect-four", bots=["random"])
    table = opened["payload"]["table"]
    sat = await line.ask("sit", "s", table=table)
    column = 0
    while True:
        drop = {"table": table, "command": {"type": "drop", "column": column}}
        dropped = await line.ask("act", "d", **drop)
        if dropped["action"] == "act":
            break
        # The bot may have seat 0; a refusal is not remembered, so the id is free again.
        assert dropped["payload"]["code"] == "not_your_turn"
    line.close()
    await restart(hall)
    await line.connect(hall)
    assert (await line.ask("hello", "h2", token=token))["payload"]["token"] == token
    again = await line.ask("act", "d", **drop)
    assert again == dropped
    assert await line.ask("sit", "s", table=table) == sat
    assert await line.ask("open_table", "o", game="connect-four", bots=["random"]) == opened
    drop["command"] = {"type": "drop", "column": column + 1}
    other = await line.ask("act", "d", **drop)
    assert other["payload"]["code"] == "bad_request"
    line.close()


async def test_a_token_is_the_same_player_with_its_seats_after_a_crash(
    hall: HallProcess, enter: Enter
) -> None:
    one = await enter("ws", name="Ann")
    table, seats = await pair(one, await enter("ws", name="Bob"))
    await seats[0].drop(table, 3)
    await restart(hall)
    again = await enter("tcp", token=one.client.token)
    assert again.client.welcome["player"]["id"] == one.id
    assert again.client.welcome["player"]["name"] == "Ann"
    view = await again.next("table_view")
    assert (view["table"], view["seat"]) == (table, seats.index(one))
    assert view["view"]["board"][-1][3] == 1


@pytest.mark.slow
async def test_a_planned_stop_is_announced_and_survived(hall: HallProcess, enter: Enter) -> None:
    table, seats = await pair(await enter("ws"), await enter("tcp"))
    await seats[0].drop(table, 3)
    assert await asyncio.to_thread(hall.stop) == 0
    for player in seats:
        assert (await player.next("going_away"))["seconds"] > 0
    await asyncio.to_thread(hall.start)
    await seats[1].drop(table, 3)
    for player in seats:
        await heard_drops(player, table, 2)
        player.check_story(table, await head(player, table))


async def test_who_waits_for_an_opponent_still_waits_after_a_crash(
    hall: HallProcess, enter: Enter
) -> None:
    one, other = await enter("ws"), await enter("tcp")
    await one.ask("seek", game="connect-four")
    await restart(hall)
    await one.next("connected")
    # Its own seek is sent before anything else, so it is answered before this.
    await one.ask("balance")
    await other.ask("seek", game="connect-four")
    assert await one.started() == await other.started()


async def test_a_refusal_has_its_stable_code(enter: Enter) -> None:
    player = await enter("ws")
    with pytest.raises(RequestRefused) as refused:
        await player.ask("sit", table=999)
    assert refused.value.code == "no_such_table"
    with pytest.raises(RequestRefused) as refused:
        await player.ask("dance")
    assert refused.value.code == "unknown_action"


@pytest.mark.parametrize("door", ["ws", "tcp"])
async def test_a_client_in_a_hurry_is_slowed_down_and_loses_nothing(
    tmp_path: Path, door: str
) -> None:
    limits = ("limits.messages_per_second=40", "limits.messages_burst=50")
    with HallProcess(tmp_path, settings=limits) as hall:
        async with Player(hall.ws_url if door == "ws" else hall.tcp_url) as player:
            asked = [player.ask("list_games") for _ in range(80)]
            answers = await asyncio.gather(*asked)
            assert all(answer["games"] for answer in answers)
            assert not player.all("connection_lost")


async def test_a_message_larger_than_the_hall_takes_is_refused(enter: Enter) -> None:
    for door in ("ws", "tcp"):
        player = await enter(door)
        with pytest.raises(RequestRefused) as refused:
            await player.ask("say", table=1, text="x" * 100_000)
        assert refused.value.code == "too_large"
        await player.next("connected")
