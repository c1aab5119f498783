"""Starting and stopping: planned stops are announced and clean, and what is wrong is said."""

from __future__ import annotations

import asyncio
import signal
import socket
import stat
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.processes import GAMEHALL, HallProcess, Process
from tests.system.e2e.clients import Client, Lost
from tests.system.e2e.logs import fetch_log
from tests.system.e2e.play import LONG, UNHURRIED, Game, column, sit_down
from tests.system.e2e.programs import faulty

MOVES = 4
HEAD = 3 + MOVES


# Stopping


async def begin_game(hall: HallProcess, stack: AsyncExitStack) -> Game:
    anna = await stack.enter_async_context(await Client.enter(hall.ws_url, name="anna"))
    bob = await stack.enter_async_context(await Client.enter(hall.tcp_url, name="bob"))
    game = await sit_down(anna, bob, LONG)
    for move in range(MOVES):
        await game.seats[move % 2].drop(game.table, column(move))
    return game


async def linger(hall: HallProcess, stack: AsyncExitStack) -> None:
    """Connections that never say anything whole, and do not close when the hall does."""
    for door in ("native-tcp", "native"):
        _, writer = await asyncio.open_connection("127.0.0.1", hall.ports[door])
        stack.callback(writer.close)
        writer.write(b"GET / HT")


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGINT]
)
async def test_a_planned_stop(tmp_path: Path, number: signal.Signals) -> None:
    with HallProcess(tmp_path, settings=UNHURRIED, program=GAMEHALL) as hall:
        async with AsyncExitStack() as stack:
            game = await begin_game(hall, stack)
            if number == signal.SIGTERM:
                await linger(hall, stack)
            stopped = asyncio.create_task(asyncio.to_thread(hall.stop, number))
            for client in game.seats:
                assert (await client.notice("going_away"))["seconds"] > 0
            # Who is quick can still finish a move, and it counts.
            last = await game.seats[0].drop(game.table, column(MOVES))
            assert await stopped == 0, hall.report()
            for client in game.seats:
                with pytest.raises(Lost) as lost:
                    await client.until(lambda message: False)
                assert lost.value.code in (1001, None)
            codes = {client.lost.code for client in game.seats if client.lost is not None}
            assert codes == {1001, None}, "1001 at the WebSocket, and TCP has no codes"
        assert not any("Traceback" in line for line in hall.stderr), hall.report()

        hall.start()
        for client in game.seats:
            async with await Client.enter(hall.tcp_url, token=client.token) as again:
                assert again.player == client.player
                resumed = await again.ask("resume", table=game.table, after=last["seq"])
                assert resumed == {"table": game.table, "missed": 0}
        async with await Client.enter(hall.ws_url, token=game.seats[1].token) as again:
            await again.drop(game.table, column(MOVES + 1))
            await again.ask("act", table=game.table, command={"type": "resign"})
        log = await fetch_log(hall.web_url, game.table)
        dropped = [(event["seat"], event["column"]) for event in log.of_type("dropped")]
        assert dropped == [(move % 2, column(move)) for move in range(MOVES + 2)]


# Starting


def fails(*arguments: str, code: int, folder: Path | None = None) -> str:
    """The sentence with which `gamehall` refuses to start."""
    with Process(*arguments, folder=folder) as process:
        assert process.wait() == code, process.report()
    said = "\n".join(process.stderr)
    assert "Traceback" not in said
    assert "ready" not in process.stderr
    return said


def test_a_taken_port_is_named_with_how_to_move_the_door(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        serve = ("serve", f"--data={tmp_path}")
        said = fails(*serve, "--port=0", f"--doors=native-tcp={port}", code=1)
        assert all(word in said for word in ("native-tcp", str(port), "--doors native-tcp=PORT"))
        said = fails(*serve, f"--port={port}", "--doors=none", code=1)
        assert all(word in said for word in ("native", str(port), "--port"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set=table.grace_secons=3"], ["table.grace_secons", "table.grace_seconds"]),
        (["--set=table.grace_seconds=soon"], ["table.grace_seconds", "number of seconds"]),
        (["--doors=back=1"], ["back", "native-tcp"]),
        (["--doors=native-tcp"], ["native-tcp", "port"]),
        (["--speed=9"], ["--speed"]),
    ],
)
def test_a_wrong_call_is_explained(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    said = fails("serve", *arguments, code=2, folder=tmp_path)
    assert all(word in said for word in words), said
    assert list(tmp_path.iterdir()) == [], "it has begun all the same"


def test_a_wrong_setting_in_the_environment_is_explained(tmp_path: Path) -> None:
    environment = {"GAMEHALL_TABLE_GRACE_SECONDS": "soon"}
    with Process("serve", folder=tmp_path, environment=environment) as process:
        assert process.wait() == 2, process.report()
    assert "GAMEHALL_TABLE_GRACE_SECONDS" in process.stderr[-1]


@pytest.mark.slow
def test_secrets_are_the_owners_alone_and_are_missed(tmp_path: Path) -> None:
    """Without the draw key no round that is open could be ended as it was promised."""
    data = tmp_path / "data"
    with HallProcess(data, program=GAMEHALL) as hall:
        secrets = {name: (data / name).read_text() for name in ("draw-key", "operator-token")}
        for name, secret in secrets.items():
            assert stat.S_IMODE((data / name).stat().st_mode) == 0o600
            assert len(secret.strip()) >= 32
        hall.restart()
        assert secrets == {name: (data / name).read_text() for name in secrets}
    serve = ("serve", f"--data={data}", "--port=0", "--doors=none")
    for wrong in (None, "", secrets["draw-key"][:40]):
        (data / "draw-key").unlink()
        if wrong is not None:
            (data / "draw-key").write_text(wrong)
        said = fails(*serve, code=1)
        assert "draw-key" in said
        assert "backup" in said
        assert wrong is not None or not (data / "draw-key").exists(), "a new one would not help"
        (data / "draw-key").write_text(secrets["draw-key"])


def test_a_database_that_is_none_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "draw-key").write_text("0" * 64)
    (tmp_path / "hall.db").write_text("My diary. " * 1000)
    said = fails("serve", f"--data={tmp_path}", "--port=0", "--doors=none", code=1)
    assert "hall.db" in said
    assert (tmp_path / "hall.db").read_text() == "My diary. " * 1000


# Help


def test_every_command_explains_itself_with_an_example() -> None:
    helps = {name: Process(*name, "--help") for name in COMMANDS}
    for process in helps.values():
        process.start()
    for name, process in helps.items():
        assert process.wait() == 0, process.report()
        said = "\n".join(process.stdout)
        assert not name or f"Example: gamehall {name[0]}" in said, said
    overview = "\n".join(helps[()].stdout)
    assert all(name[0] in overview for name in COMMANDS if name)


COMMANDS: tuple[tuple[str, ...], ...] = ((), ("serve",), ("bot",), ("replay",), ("verify",))


@pytest.mark.parametrize("reloads", [False, True])
def test_a_hall_whose_page_cannot_be_loaded_ends(tmp_path: Path, reloads: bool) -> None:
    """That shows after it is ready."""
    rules = Path(__file__).parents[3] / "examples" / "nim.py"
    more = (f"--game={rules}", "--reload") if reloads else ()
    with HallProcess(tmp_path, more=more, **faulty("pageless")) as hall:
        assert hall.wait() == 1
        assert "the page cannot be read" in hall.report()
