"""`gamehall bot sicbo` and `gamehall verify` of a round, at a real hall that plays on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from gamehall.cli.source import read_lines
from tests.cli.calling import exit_code
from tests.client.player import Player
from tests.support.processes import HallProcess, Process

SETTINGS = (
    "sicbo.betting_seconds=0.5",
    "sicbo.reveal_seconds=0.1",
    "sicbo.pause_seconds=0.2",
)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall"), settings=SETTINGS) as hall:
        yield hall


@pytest.fixture
async def ann(hall: HallProcess) -> AsyncIterator[Player]:
    async with Player(hall.ws_url, name="Ann") as player:
        yield player


def a_bot(hall: HallProcess, *arguments: str, door: str = "ws") -> Process:
    url = hall.ws_url if door == "ws" else hall.tcp_url
    return Process("bot", "sicbo", f"--url={url}", *arguments)


async def ended(process: Process) -> int:
    return await asyncio.to_thread(process.wait, 60)


async def walk_in(player: Player) -> int:
    await player.ask("seek", game="sicbo")
    view = await player.next("table_view")
    table: int = view["table"]
    return table


# The bot


@pytest.mark.parametrize(("level", "door"), [("random", "ws"), ("sensible", "tcp")])
async def test_it_bets_in_as_many_rounds_as_it_is_told(
    hall: HallProcess, ann: Player, level: str, door: str
) -> None:
    table = await walk_in(ann)
    with a_bot(hall, f"--level={level}", "--games=3", f"--name={level}", door=door) as process:
        assert await ended(process) == 0, process.report()
    plays = [line for line in process.stdout if ": plays" in line]
    overs = [line for line in process.stdout if ": over (" in line]
    assert len(plays) == len(overs) == 3, process.report()
    assert all(line.startswith(f"Table {table}, round ") for line in plays)
    rounds = [int(line.split("round ")[1].split(":")[0]) for line in plays]
    assert rounds == sorted(set(rounds))
    for round in rounds:
        page = await ann.ask("journal", table=table, round=round)
        events = [event for row in page["rows"] for event in row["events"]]
        seats = {e["seat"] for e in events if e.get("person", {}).get("name") == level}
        bets = [e for e in events if e["type"] == "bet_placed" and e["seat"] in seats]
        assert len(bets) == 1, "once a round"
        if level == "sensible":
            assert bets[0]["amount"] == 10_000


@pytest.mark.slow
async def test_it_plays_on_after_the_hall_was_killed(tmp_path: Path) -> None:
    with (
        HallProcess(tmp_path, settings=SETTINGS) as hall,
        a_bot(hall, "--games=3") as process,
    ):
        await asyncio.to_thread(
            process.wait_until, lambda: any(": over (" in line for line in process.stdout)
        )
        await asyncio.to_thread(hall.restart)
        assert await ended(process) == 0, process.report()
    assert "Connected again." in process.stdout


async def test_it_plays_at_a_table_that_it_is_given(hall: HallProcess, ann: Player) -> None:
    options = {"betting_seconds": 0.3, "reveal_seconds": 0, "pause_seconds": 0, "bet_max": 500}
    opened = await ann.ask("open_table", game="sicbo", options=options, private=True)
    table = opened["table"]
    await ann.ask("watch", table=table, key=opened["key"])
    with a_bot(hall, f"--table={table}", f"--key={opened['key']}", "--games=2") as process:
        assert await ended(process) == 0, process.report()
    assert (
        sum(f"Table {table}, round" in line and ": plays" in line for line in process.stdout) == 2
    )


def test_nobody_is_challenged_to_sic_bo(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bot", "sicbo", seek=False) == 2
    assert "Nobody is challenged" in capsys.readouterr().err


# Verifying


async def test_a_round_verifies_while_the_table_plays_on(
    hall: HallProcess, ann: Player, tmp_path: Path
) -> None:
    table = await walk_in(ann)
    opened = len(ann.events(table, "opened"))
    await ann.until(lambda: len(ann.events(table, "opened")) > opened)
    round = ann.events(table, "opened")[-1]["round"]
    for side, amount in (("BIG", 1000), ("SMALL", 70)):
        command = {"type": "bet", "side": side, "amount": amount, "round": round}
        await ann.ask("act", table=table, command=command)
    await ann.until(lambda: any(over["round"] == round for over in ann.all("table_over")))
    over = next(over for over in ann.all("table_over") if over["round"] == round)
    address = f"{hall.web_url}/api/tables/{table}/journal"
    with Process("verify", f"{address}?round={round}", f"--hash={over['hash']}") as process:
        assert await ended(process) == 0, process.report()
    assert any(f"(round {round})" in line for line in process.stdout)
    assert process.stdout[-1].startswith("Verified")

    lines = await asyncio.to_thread(read_lines, f"{address}?round={round}")
    file = tmp_path / "round.jsonl"
    file.write_bytes(b"\n".join(lines))
    with Process("verify", str(file), f"--hash={over['hash']}") as process:
        assert await ended(process) == 0, process.report()
    file.write_bytes(b"\n".join(lines).replace(b'"amount":70', b'"amount":71'))
    with Process("verify", str(file)) as process:
        assert await ended(process) == 1
    assert process.stdout[-1] == "Not verified."

    with Process("verify", f"{address}?round=1000000") as process:
        assert await ended(process) == 1
    assert "There is no such round at this table." in process.stderr[-1]
