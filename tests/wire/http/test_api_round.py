"""One finished round over HTTP, while its table plays on: whole, in pages, verified."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.cli.source import read_lines
from gamehall.games import GAMES
from gamehall.games.game import Command
from gamehall.games.sicbo_events import Bet, BettingClosed
from gamehall.table_log import house
from gamehall.table_log.verify import Verdict, verify_log
from gamehall.wire.http import api_messages as a
from tests.games.toys import Ante, HighCard
from tests.hall.halls import FakeLink, answer_of, until
from tests.support.waiting import WAIT_SECONDS
from tests.wire.http.web_hall import WebHall

TOY = HighCard()
GAMES_BY_NAME = {**{game.name: game for game in GAMES}, TOY.name: TOY}


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path, GAMES_BY_NAME)
    await hall.start()
    yield hall
    await hall.stop()


class Bettor:
    """Someone who watches the hall's own table of Sic Bo, and bets."""

    def __init__(self, hall: WebHall, link: FakeLink, table: int) -> None:
        self.hall = hall
        self.link = link
        self.table = table

    async def bet(self, *bets: Bet) -> None:
        for bet in bets:
            await self.act(bet)

    async def act(self, command: Command) -> None:
        online, seating = self.link.online, self.hall.house.hall.seating
        assert online is not None
        answer = await answer_of(lambda r: seating.act(online, self.table, command, None, r))
        assert not isinstance(answer, Exception), answer

    def heard(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.link.events() if isinstance(event, kind)]

    async def after(self, ms: int, kind: type[Any]) -> Any:
        """The event of this kind that comes when time goes on."""
        before = len(self.heard(kind))
        self.hall.house.clock.advance(ms)
        await until(lambda: len(self.heard(kind)) > before)
        return self.heard(kind)[-1]

    async def finish(self) -> None:
        """Has the running round end, and the next one open."""
        await self.end()
        await self.after(5_000, house.Started)

    async def end(self) -> None:
        await self.after(30_000, BettingClosed)
        await self.after(3_000, house.RoundEnded)

    def told_hash(self) -> str:
        """The hash that came with the last end of a round."""
        return [ended.hash for told, _ in self.link.told for ended in told.ended][-1]


@pytest.fixture
async def ann(hall: WebHall) -> Bettor:
    link = await hall.house.guest("Ann")
    seating = hall.house.hall.seating
    table = await hall.house.hall.house_tables.table("sicbo")
    await seating.watch(link, table, None)
    return Bettor(hall, link, table)


async def fetched(hall: WebHall, path: str) -> list[bytes]:
    lines = await asyncio.to_thread(read_lines, hall.url(path))
    return [line for line in lines if line]


def judged(lines: list[bytes], hash: str | None = None) -> Verdict:
    return verify_log(lines, GAMES_BY_NAME, hash)


async def test_a_finished_round_verifies_while_the_next_is_played(
    hall: WebHall, ann: Bettor
) -> None:
    await ann.bet(Bet("BIG", 1000), Bet("SMALL", 20))
    await ann.finish()
    first_hash = ann.told_hash()
    await ann.bet(Bet("SMALL", 300))
    await ann.finish()
    await ann.bet(Bet("BIG", 5))
    journal = f"/api/tables/{ann.table}/journal"
    for round, hash in ((1, first_hash), (2, ann.told_hash())):
        lines = await fetched(hall, f"{journal}?round={round}")
        verdict = judged(lines, hash)
        assert verdict.ok, verdict.problems
        assert f"(round {round})" in "".join(verdict.checks)
        rows = [msgspec.json.decode(line) for line in lines]
        assert {row["round"] for row in rows[1:-1]} == {round}
        assert rows[-1] == {"head": rows[-2]["seq"], "hash": hash}
        assert b"".join(lines).count(b'"secret"') == 1
    assert not judged(await fetched(hall, journal)).ok


async def test_a_round_comes_whole_or_in_pages(
    hall: WebHall, ann: Bettor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ann.finish()
    await ann.bet(*[Bet("BIG", n) for n in range(1, 8)])
    await ann.finish()
    path = f"/api/tables/{ann.table}/journal?round=2"
    whole = await (await hall.ask(path)).text()
    # The round opened, seven bets, betting closed, the dice; and the last line.
    assert whole.count("\n") == 11
    pages, after, count = "", "0", 0
    while after:
        response = await hall.ask(f"{path}&limit=3&after={after}")
        pages += await response.text()
        count += 1
        after = response.headers.get("X-Next", "")
    assert (pages, count) == (whole, 4)
    monkeypatch.setattr(a, "JOURNAL_ROWS_MAX", 2)
    assert await (await hall.ask(path)).text() == whole
    beyond = await (await hall.ask(f"{path}&after=1000")).text()
    assert beyond == whole.splitlines(keepends=True)[-1]


async def test_a_round_that_is_not_over_is_refused(hall: WebHall, ann: Bettor) -> None:
    journal = f"/api/tables/{ann.table}/journal"
    await ann.bet(Bet("BIG", 7))
    assert (await hall.refusal(f"{journal}?round=1", 409))[0] == "round_running"
    await ann.end()
    assert judged(await fetched(hall, f"{journal}?round=1")).ok, "in the pause already"
    for round in (2, 2**31 - 1):
        assert (await hall.refusal(f"{journal}?round={round}", 404))[0] == "no_such_round"
    for wrong in ("0", "-1", "x", "1.0", str(2**31)):
        assert (await hall.refusal(f"{journal}?round={wrong}", 400))[0] == "bad_request"
    assert (await hall.refusal("/api/tables/999/journal?round=1", 404))[0] == "no_such_table"


async def test_a_void_round_can_be_verified_too(hall: WebHall, ann: Bettor) -> None:
    await ann.bet(Bet("BIG", 7))
    await hall.house.hall.seating.void(ann.table, "a test")
    await ann.after(1_000, house.Started)
    await ann.bet(Bet("SMALL", 8))
    await ann.finish()
    for round, told in ((1, "round_voided"), (2, "round_ended")):
        lines = await fetched(hall, f"/api/tables/{ann.table}/journal?round={round}")
        verdict = judged(lines)
        assert verdict.ok, verdict.problems
        assert msgspec.json.decode(lines[-2])["events"][-1]["type"] == told
    assert [item["round"] for item in (await hall.get("/api/history"))["rounds"]] == [2]


async def test_rounds_can_be_had_after_a_restart(hall: WebHall, ann: Bettor) -> None:
    await ann.bet(Bet("BIG", 7))
    await ann.finish()
    await ann.bet(Bet("BIG", 7))
    span = await hall.house.store.round_span(ann.table, 1)
    await hall.house.restart()
    assert await hall.house.store.round_span(ann.table, 1) == span
    journal = await hall.house.hall.reading.journal(ann.table, None, 0, 100, 1)
    assert judged(journal.lines, journal.hash).ok


async def test_a_round_whose_last_row_opens_the_next(hall: WebHall) -> None:
    ann, bob = [await hall.house.guest(name) for name in ("Ann", "Bob")]
    table = await hall.play(ann, bob, (), game=TOY.name, again_ms=0)
    await hall.do(ann, table, Ante(10))
    hall.house.clock.advance(1000)
    async with asyncio.timeout(WAIT_SECONDS):
        while (await hall.get(f"/api/tables/{table}"))["round"] != 2:
            await asyncio.sleep(0.01)
    await hall.do(bob, table, Ante(10))
    lines = await fetched(hall, f"/api/tables/{table}/journal?round=1")
    verdict = judged(lines)
    assert verdict.ok, verdict.problems
    types = [event["type"] for event in msgspec.json.decode(lines[-2])["events"]]
    assert types == ["shown", "round_ended", "opened", "started"]
    hall.house.clock.advance(1000)
    async with asyncio.timeout(WAIT_SECONDS):
        while (await hall.get(f"/api/tables/{table}"))["round"] != 3:
            await asyncio.sleep(0.01)
    verdict = judged(await fetched(hall, f"/api/tables/{table}/journal?round=2"))
    assert verdict.ok, verdict.problems


async def test_a_private_tables_round_needs_the_key(hall: WebHall) -> None:
    ann, bob = [await hall.house.guest(name) for name in ("Ann", "Bob")]
    table = await hall.open(ann, private=True)
    await hall.sit(bob, table)
    await hall.do(ann, table, house.Leave())
    path = f"/api/tables/{table}/journal?round=1"
    assert (await hall.refusal(path, 403))[0] == "wrong_key"
    key = hall.house.hall.reading._draw_key.table_key(table)
    assert judged(await fetched(hall, f"{path}&key={key}")).ok
