"""Journals over HTTP: whole, in pages, verified, and never more than a spectator may see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from gamehall.cli.source import read_lines
from gamehall.errors import Unavailable
from gamehall.games import GAMES
from gamehall.hall.records.reading import SeenRow
from gamehall.store.journals import Line
from gamehall.table_log import house
from gamehall.table_log.verify import verify_log
from gamehall.wire.http import api_messages as a
from tests.games.toys import Ante, HighCard
from tests.hall.halls import FakeLink
from tests.support.waiting import WAIT_SECONDS
from tests.wire.http.web_hall import WINS, WebHall

TOY = HighCard()
GAMES_BY_NAME = {game.name: game for game in GAMES}


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path, {**GAMES_BY_NAME, TOY.name: TOY, "highest-card": TOY})
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture
async def ann(hall: WebHall) -> FakeLink:
    return await hall.house.guest("Ann")


@pytest.fixture
async def bob(hall: WebHall) -> FakeLink:
    return await hall.house.guest("Bob")


async def _rows(hall: WebHall, path: str) -> list[Any]:
    response = await hall.ask(path)
    assert response.status == 200
    assert response.content_type == "application/x-ndjson"
    text = await response.text()
    assert text.endswith("\n")
    return [msgspec.json.decode(line) for line in text.splitlines()]


async def test_a_finished_journal_can_be_verified(
    hall: WebHall, ann: FakeLink, bob: FakeLink
) -> None:
    table = await hall.play(ann, bob)
    read = await asyncio.to_thread(read_lines, hall.url(f"/api/tables/{table}/journal"))
    lines = [line for line in read if line]
    verdict = verify_log(lines, GAMES_BY_NAME)
    assert verdict.ok, verdict
    info = await hall.get(f"/api/tables/{table}")
    assert msgspec.json.decode(lines[-1]) == {"head": info["head"], "hash": info["hash"]}
    assert len(lines) == info["head"] + 1


async def test_a_journal_comes_whole_or_in_pages(
    hall: WebHall, ann: FakeLink, bob: FakeLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/tables/{await hall.play(ann, bob)}/journal"
    response = await hall.ask(path)
    whole = await response.text()
    assert "X-Next" not in response.headers
    pages, after = "", "0"
    while after:
        response = await hall.ask(f"{path}?limit=3&after={after}")
        pages += await response.text()
        after = response.headers.get("X-Next", "")
    assert pages == whole
    assert whole.count("\n") == len(WINS) + 4
    monkeypatch.setattr(a, "JOURNAL_ROWS_MAX", 2)
    assert await (await hall.ask(path)).text() == whole


async def test_beyond_the_head_only_the_trailer_comes(
    hall: WebHall, ann: FakeLink, bob: FakeLink
) -> None:
    table = await hall.play(ann, bob)
    rows = await _rows(hall, f"/api/tables/{table}/journal?after=1000")
    assert [set(row) for row in rows] == [{"head", "hash"}]


async def test_of_a_running_round_only_what_a_spectator_sees(
    hall: WebHall, ann: FakeLink, bob: FakeLink
) -> None:
    table = await hall.play(ann, bob, (), game=TOY.name)
    await hall.do(ann, table, Ante(10))
    journal = f"/api/tables/{table}/journal"
    first, *rows = await _rows(hall, journal)
    assert first["seq"] == 1
    for row in rows:
        msgspec.convert(row, SeenRow)
        assert row["filtered"] is True
    dealt = rows[-1]["events"][0]
    assert dealt == {"type": "dealt", "seat": rows[-1]["seat"], "chips": 10}
    text = await (await hall.ask(journal)).text()
    assert "secret" not in text

    hall.house.clock.advance(1000)
    async with asyncio.timeout(WAIT_SECONDS):
        while (await hall.get(f"/api/tables/{table}"))["status"] != "over":
            await asyncio.sleep(0.01)
    *rows, trailer = await _rows(hall, journal)
    assert "head" in trailer
    assert not any("filtered" in row for row in rows)
    assert any("card" in event for row in rows for event in row["events"])
    assert "secret" in rows[-1]["events"][-1]


async def test_a_round_that_begins_meanwhile_is_not_shown(
    hall: WebHall, ann: FakeLink, bob: FakeLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await hall.play(ann, bob)
    path = f"/api/tables/{table}/journal"
    before = await (await hall.ask(path)).text()
    info = await hall.house.store.table(table)
    for link in (ann, bob):
        await hall.do(link, table, house.Rematch())
    await hall.drop((ann, bob), table, (0,))

    async def as_it_was(_: int) -> Any:
        return info

    monkeypatch.setattr(hall.house.store, "table", as_it_was)
    assert await (await hall.ask(path)).text() == before


async def test_a_journal_that_breaks_off_does_not_look_whole(
    hall: WebHall, ann: FakeLink, bob: FakeLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/tables/{await hall.play(ann, bob)}/journal"
    monkeypatch.setattr(a, "JOURNAL_ROWS_MAX", 2)
    read = hall.house.store.read

    async def read_a_little(table: int, after: int, limit: int) -> list[Line]:
        if after >= 4:
            raise Unavailable
        return await read(table, after, limit)

    monkeypatch.setattr(hall.house.store, "read", read_a_little)
    response = await hall.ask(path)
    assert response.status == 200
    with pytest.raises(aiohttp.ClientPayloadError):
        await response.read()
    assert (await hall.refusal(f"{path}?after=4", 503))[0] == "unavailable"
