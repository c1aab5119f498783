"""Who does not read is skipped over, brought up to date later or dropped: it costs others nothing,
and the hall no more memory than the limit says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.doors.native.bystanders import undisturbed
from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import check_story, drop, match
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

UNSENT_BYTES = 200_000
# Nobody here is to be dropped for being silent: on a busy machine it takes seconds to fall behind.
SETTINGS = (f"limits.unsent_bytes={UNSENT_BYTES}", "limits.messages_per_second=0")
doors = pytest.mark.parametrize("door", ["ws", "tcp"])
LARGEST = {"columns": 12, "rows": 12}
VIEW_BYTES = 7000
"""A view of the largest board has more."""
KERNEL_BYTES = 4_194_304
"""What the kernel keeps at most of what was sent and not read, by Linux's defaults."""


async def spectator(at: Visitors, table: int, door: Door) -> Client:
    client = await at.guest(door=door, buffer_bytes=4096)
    await client.ask("watch", table=table)
    await client.notice("table_view")
    return client


async def fall_behind(client: Client, table: int, witness: Client) -> int:
    """It asks for one large view after the other and reads none of them; how often it asked."""
    asked = ask_for_views(client, table)
    client.send("say", {"table": table, "text": "That was the last one."})
    await witness.notice("said", player=client.id)
    return asked + 1


def ask_for_views(client: Client, table: int) -> int:
    """Of more bytes than the kernel keeps, without reading any."""
    client.stop_reading()
    asked = KERNEL_BYTES // VIEW_BYTES + 100
    resume = f'{{"action": "resume", "payload": {{"table": {table}}}}}'
    client.write(client.framed(resume) * asked)
    return asked


async def add_rows(anna: Client, bob: Client, table: int) -> int:
    """The last of some rows that change nothing in the game."""
    for _ in range(5):
        await anna.ask("offer_draw", table=table)
        answered = await bob.ask("answer_draw", table=table, accept=False)
    seq: int = answered["seq"]
    return seq


def resident_bytes(hall: HallProcess) -> int:
    status = Path(f"/proc/{hall.pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024


@doors
async def test_it_is_skipped_over_and_gets_a_fresh_view(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob, **LARGEST)
    slow, quick = await spectator(at, table, door), await spectator(at, table, door)
    async with undisturbed(at.hall):
        asked = await fall_behind(slow, table, quick)
        seq = await add_rows(anna, bob, table)
        await quick.notice("table_events", seq=seq)
        slow.go_on_reading()
        for _ in range(asked):
            await slow.answer()
        await slow.until(lambda: told_of(slow, seq), "the last row")
    views = slow.heard("table_view")
    assert len(views) < asked, "nothing was skipped: it is not slow enough"
    assert views[-1]["seq"] == seq
    # The gap can be seen: rows were left out, and the view is what closed it.
    assert views[-2]["seq"] < seq - 1
    assert not any(told["seq"] == seq for told in slow.heard("table_events"))
    assert check_story(quick, table) == seq
    # From here on it hears everything again.
    seq = await drop(anna, table, 3)
    assert (await slow.notice("table_events", seq=seq))["after"] == seq - 1


def told_of(client: Client, seq: int) -> bool | None:
    return any(view["seq"] == seq for view in client.heard("table_view")) or None


@doors
async def test_a_view_that_was_skipped_is_made_up_for(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob, **LARGEST)
    slow = await spectator(at, table, door)
    asked = await fall_behind(slow, table, anna)
    slow.go_on_reading()
    for _ in range(asked):
        await slow.answer()
    since = len(slow.log) - [m["action"] for m in reversed(slow.log)].index("resume")

    def fresh() -> bool | None:
        return any(message["action"] == "table_view" for message in slow.log[since:]) or None

    await slow.until(fresh, "a view after the last answer")
    assert len(slow.heard("table_view")) < asked, "nothing was skipped: it is not slow enough"


@doors
async def test_what_is_owed_cannot_be_skipped_so_it_is_dropped(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob, **LARGEST)
    slow = await spectator(at, table, door)
    async with undisturbed(at.hall):
        await fall_behind(slow, table, anna)
        logged = len(at.hall.stderr)
        # Each answer takes a few bytes, and none of them may be left out.
        slow.write(slow.framed('{"action": "list_games"}') * (UNSENT_BYTES // 200))
        await asyncio.to_thread(
            at.hall.wait_until,
            lambda: any("slow_reader_dropped" in line for line in at.hall.stderr[logged:]),
        )
    slow.go_on_reading()
    await slow.closed()
    slow.answers.clear()


async def test_memory_stays_bounded(at: Visitors, hall: HallProcess) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob, **LARGEST)
    slow = [await spectator(at, table, "ws" if n % 2 else "tcp") for n in range(24)]
    before = resident_bytes(hall)
    async with undisturbed(hall):
        for client in slow:
            await fall_behind(client, table, anna)
        await add_rows(anna, bob, table)
    grown = resident_bytes(hall) - before
    for client in slow:
        client.answers.clear()
    assert grown < len(slow) * UNSENT_BYTES + 20_000_000
