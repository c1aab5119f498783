"""Nobody sees more than its seat may, by any way: notices, views, resumes, journals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors.native.clients import Client, Json
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

RULES = Path(__file__).parent / "whispers.py"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall"), more=(f"--game={RULES}",)) as hall:
        yield hall


async def match(at: Visitors) -> tuple[Client, Client, Client, int]:
    """Anna on seat 0, Bob on seat 1, a spectator, and the table."""
    anna, bob = await at.pair()
    carol = await at.guest()
    await anna.ask("challenge", player=bob.id, game="whispers")
    challenge = (await bob.notice("challenged"))["challenge"]
    table: int = (await bob.ask("accept", challenge=challenge))["table"]
    for client in (anna, bob):
        await client.notice("seated", table=table)
        await client.notice("table_view", table=table, status="playing")
    await carol.ask("watch", table=table)
    await carol.notice("table_view")
    return anna, bob, carol, table


async def say(client: Client, table: int, kind: str, text: str) -> int:
    command = {"type": kind, "text": text}
    seq: int = (await client.ask("act", table=table, command=command))["seq"]
    return seq


def texts(client: Client) -> list[tuple[int, int, str]]:
    """What was said in the game, as this client was told: after, seq and text."""
    return [
        (told["after"], told["seq"], event["text"])
        for told in client.heard("table_events")
        for event in told["events"]
        if event["type"] in ("whispered", "shouted")
    ]


async def test_each_audience_is_told_what_it_may_see_and_its_rows_fit(at: Visitors) -> None:
    anna, bob, carol, table = await match(at)
    other = await at.back(anna, "tcp")
    script = [
        (anna, "whisper", "a1"), (bob, "shout", "b2"), (bob, "whisper", "b3"),
        (anna, "whisper", "a4"), (anna, "whisper", "a5"), (anna, "shout", "a6"),
        (bob, "whisper", "b7"), (anna, "shout", "stop"),
    ]  # fmt: skip
    start = 3
    for number, (client, kind, text) in enumerate(script):
        assert await say(client, table, kind, text) == start + 1 + number
    for client in (anna, other, bob, carol):
        await client.notice("table_over", table=table)
    assert texts(anna) == texts(other) == [
        (3, 4, "a1"), (4, 5, "b2"), (5, 7, "a4"), (7, 8, "a5"), (8, 9, "a6"), (9, 11, "stop"),
    ]  # fmt: skip
    assert texts(bob) == [
        (3, 5, "b2"), (5, 6, "b3"), (6, 9, "a6"), (9, 10, "b7"), (10, 11, "stop"),
    ]  # fmt: skip
    assert texts(carol) == [(3, 5, "b2"), (5, 9, "a6"), (9, 11, "stop")]


async def test_views_and_resumes_hide_the_same(at: Visitors) -> None:
    anna, bob, carol, table = await match(at)
    for client, kind, text in (
        (anna, "shout", "a4"), (anna, "whisper", "a5"), (bob, "whisper", "b6"),
        (bob, "whisper", "b7"), (anna, "whisper", "a8"),
    ):  # fmt: skip
        await say(client, table, kind, text)
    for client, heard in ((anna, ["a4", "a5", "a8"]), (bob, ["a4", "b6", "b7"]), (carol, ["a4"])):
        client.log.clear()
        client.notices.clear()
        assert (await client.ask("resume", table=table))["missed"] is None
        view = await client.notice("table_view")
        assert [event["text"] for event in view["view"]["heard"]] == heard
        # As many notices follow as the answer says, whatever else is in the journal.
        assert (await client.ask("resume", table=table, after=3))["missed"] == len(heard)
        await client.ask("ping")
        assert [text for _, _, text in texts(client)] == heard


async def test_a_journal_hides_until_the_end(at: Visitors) -> None:
    anna, bob, carol, table = await match(at)
    await say(anna, table, "whisper", "a secret of Anna's")
    await say(bob, table, "shout", "b5")
    for client in (carol, bob, anna):
        rows: list[Json] = (await client.ask("journal", table=table))["rows"]
        assert [row["seq"] for row in rows] == [1, 2, 3, 5]
        assert "a secret of Anna's" not in str(rows)
    await say(bob, table, "shout", "stop")
    rows = (await carol.ask("journal", table=table))["rows"]
    assert rows[3]["command"] == {"type": "whisper", "text": "a secret of Anna's"}
