"""Whole games between clients that share no code with the hall, seen, kept and verified."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import HallProcess, Process
from tests.system.e2e.clients import Client, Json, Refused
from tests.system.e2e.logs import Log, fetch_log, get, journal_url
from tests.system.e2e.play import LONG, LONG_MOVES, UNHURRIED, Game, column, sit_down
from tests.system.e2e.programs import ROOT

BOARD_FIELDS = {"board", "length", "turn", "last", "line", "offer", "deadline_ms"}


def documented_fields(notice: str) -> set[str]:
    """What docs/protocols/native.md says that this notice holds."""
    document = (ROOT / "docs" / "protocols" / "native.md").read_text()
    (row,) = [line for line in document.splitlines() if line.startswith(f"| `{notice}` |")]
    return set(re.findall(r"`(\w+)\??`", row)) - {notice}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("data"), settings=UNHURRIED) as process:
        yield process


def url(hall: HallProcess, kind: str) -> str:
    return hall.ws_url if kind == "ws" else hall.tcp_url


async def play(game: Game, moves: int) -> list[int]:
    """Drops that many stones in turn; the seq of each."""
    seqs = []
    for move in range(moves):
        answer = await game.seats[move % 2].drop(game.table, column(move))
        assert answer["table"] == game.table
        seqs.append(answer["seq"])
    return seqs


def events_heard(client: Client, table: int) -> list[Json]:
    """All events that a client was told of, whose notices follow one another without a gap."""
    notices = client.notices("table_events", table)
    for before, notice in pairwise(notices):
        assert notice["after"] == before["seq"]
    return [event for notice in notices for event in notice["events"]]


def check_views(client: Client, log: Log, table: int, player_seat: int | None) -> None:
    """Every view is what its seat may see of the rows so far, and nothing else."""
    views = client.notices("table_view", table)
    assert views
    for view in views:
        assert set(view) == documented_fields("table_view")
        if view["view"] is None:
            continue
        assert view["seat"] == player_seat
        assert set(view["view"]) == BOARD_FIELDS
        assert view["view"]["board"] == log.board(view["seq"])
        if view["view"]["turn"] != player_seat:
            assert view["legal"] == []


@pytest.mark.parametrize("kinds", [("ws", "ws"), ("tcp", "tcp"), ("ws", "tcp")], ids="-".join)
async def test_a_whole_game(hall: HallProcess, kinds: tuple[str, str]) -> None:
    async with (
        await Client.enter(url(hall, kinds[0]), name="anna") as anna,
        await Client.enter(url(hall, kinds[1]), name="bob") as bob,
        await Client.enter(url(hall, kinds[0]), name="carl") as carl,
    ):
        table = (await anna.ask("open_table", game="connect-four", options=LONG))["table"]
        assert (await carl.ask("watch", table=table)) == {"table": table, "seat": None}
        sat = [await client.ask("sit", table=table) for client in (anna, bob)]
        seats = {(await client.notice("seated", table))["seat"]: client for client in (anna, bob)}
        # The first to sit cannot know its seat before the draw, the second is told what was drawn.
        assert sat[0] == {"table": table, "seat": None}
        assert seats[sat[1]["seat"]] is bob
        game = Game(table, (seats[0], seats[1]))

        seqs = await play(game, LONG_MOVES)
        overs = [await client.notice("table_over", table) for client in (anna, bob, carl)]
        log = await fetch_log(hall.web_url, table)

    assert seqs == list(range(4, 4 + LONG_MOVES))
    assert overs == [overs[0]] * 3
    assert overs[0]["outcome"] == {"winners": [], "reason": "board_full"}
    assert overs[0]["hash"] == log.hashes[overs[0]["seq"]]
    assert overs[0]["secret"] == log.of_type("round_ended")[0]["secret"]
    assert log.chairs[3] == {0: game.seats[0].player, 1: game.seats[1].player}
    dropped = [(event["seat"], event["column"]) for event in log.of_type("dropped")]
    assert dropped == [(move % 2, column(move)) for move in range(LONG_MOVES)]
    # The spectator was there from the second row on, the players from where they sat down.
    assert events_heard(carl, table) == log.events(1, log.head)
    for seat, client in enumerate(game.seats):
        first = client.notices("table_events", table)[0]["after"]
        assert events_heard(client, table) == log.events(first, log.head)
        check_views(client, log, table, seat)
    check_views(carl, log, table, None)
    check_secrets(hall, table, overs[0]["secret"], anna, bob, carl)


def check_secrets(hall: HallProcess, table: int, secret: str, *clients: Client) -> None:
    """Nobody heard the secret before the end, the draw key ever, or someone else's token."""
    draw_key = (hall.data / "draw-key").read_text().strip()
    for client in clients:
        for message in client.heard:
            text = json.dumps(message)
            ends = any(
                event["type"] == "round_ended" for event in message["payload"].get("events", ())
            )
            assert (secret in text) == (ends or message["action"] == "table_over")
            assert draw_key not in text
            for other in clients:
                assert other.token not in text or (client is other and message["action"] == "hello")
    assert draw_key not in "".join(hall.stderr)


async def test_refusals_name_their_reason_and_change_nothing(hall: HallProcess) -> None:
    async with (
        await Client.enter(hall.ws_url, name="dora") as dora,
        await Client.enter(hall.tcp_url, name="emil") as emil,
        await Client.enter(hall.tcp_url, name="fred") as fred,
        await Client.connect(hall.tcp_url) as stranger,
    ):
        game = await sit_down(dora, emil, {"columns": 7, "rows": 3, "length": 4})
        first, second = game.seats
        await fred.ask("watch", table=game.table)

        async def refused(client: Client, action: str = "act", **payload: Any) -> str:
            with pytest.raises(Refused) as refusal:
                await client.ask(action, **{"table": game.table, **payload})
            return refusal.value.code

        drop = {"type": "drop", "column": 0}
        assert await refused(stranger, command=drop) == "not_logged_in"
        assert await refused(fred, command=drop) == "not_seated"
        assert await refused(second, command=drop) == "not_your_turn"
        assert await refused(first, command={"type": "drop", "column": 7}) == "no_such_column"
        assert await refused(first, command={"type": "drop", "column": 3.0}) == "illegal_command"
        assert await refused(first, command={"type": "fly"}) == "illegal_command"
        assert await refused(first, command=drop, table=2**31 - 1) == "no_such_table"
        assert await refused(first, "sing") == "unknown_action"
        assert await refused(first, "sit", table="one") == "bad_request"
        assert await refused(fred, "sit") == "table_full"
        for move in range(3):
            await game.seats[move % 2].drop(game.table, 0)
        assert await refused(second, command=drop) == "column_full"
        assert await refused(second, "rematch") == "round_running"
        await second.ask("act", table=game.table, command={"type": "resign"})
        assert await refused(first, command=drop) == "round_over"
        log = await fetch_log(hall.web_url, game.table)
    commands = [row["command"]["type"] for row in log.rows]
    assert commands == ["open", "sit", "sit", "drop", "drop", "drop", "resign"]


async def test_a_private_table_opens_to_its_key_alone(hall: HallProcess) -> None:
    async with (
        await Client.enter(hall.ws_url, name="gina") as gina,
        await Client.enter(hall.tcp_url, name="hans") as hans,
    ):
        opened = await gina.ask("open_table", game="connect-four", private=True)
        table, key = opened["table"], opened["key"]
        for action in ("sit", "watch"):
            for attempt in ({}, {"key": key[::-1]}):
                with pytest.raises(Refused, match="wrong_key"):
                    await hans.ask(action, table=table, **attempt)
        listed = await hans.ask("list_tables")
        assert table not in [info["id"] for info in listed["tables"]]
        address = journal_url(hall.web_url, table)
        assert [(await get(address))[0], (await get(f"{address}?key={key}"))[0]] == [403, 200]
        await hans.ask("watch", table=table, key=key)
        assert key not in json.dumps(hans.heard)


async def test_a_finished_game_is_verified_and_shown(hall: HallProcess, tmp_path: Path) -> None:
    async with (
        await Client.enter(hall.ws_url, name="ida") as ida,
        await Client.enter(hall.tcp_url, name="jan") as jan,
    ):
        game = await sit_down(ida, jan, LONG)
        await play(game, 9)
        await game.seats[1].ask("act", table=game.table, command={"type": "resign"})
        over = await ida.notice("table_over", game.table)
        _, content = await get(journal_url(hall.web_url, game.table))

    address = journal_url(hall.web_url, game.table)
    tampered = tmp_path / "tampered.jsonl"
    changed = content.replace(b'"column":8', b'"column":9')
    assert changed != content
    tampered.write_bytes(changed)
    with (
        Process("verify", address, "--hash", over["hash"]) as verify,
        Process("verify", str(tampered)) as doubt,
        Process("replay", address) as replay,
    ):
        assert verify.wait() == 0, verify.report()
        assert doubt.wait() == 1, doubt.report()
        assert replay.wait() == 0, replay.report()
    assert verify.stdout[-1].startswith("Verified")
    assert doubt.stdout[-1] == "Not verified."
    shown = "\n".join(replay.stdout)
    last = f"Row {over['seq']} of {over['seq']}"
    assert all(words in shown for words in ("ida", "jan", last, "resigned"))
