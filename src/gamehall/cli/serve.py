"""`gamehall serve`: opens the hall."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from gamehall import logs
from gamehall.catalogue import GameFileError, catalogue
from gamehall.cli.options import bracketed
from gamehall.cli.output import fail
from gamehall.cli.reloading import Games, Start, keep_up
from gamehall.cli.workers import Parent, check_workers, run_workers, unless
from gamehall.config import SettingError, load
from gamehall.data_folder import StartError
from gamehall.errors import HallError
from gamehall.wire.net.listening import PortTaken

if TYPE_CHECKING:
    from gamehall.server import Server

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses to listen on, and where they are reached from this machine."""


def serve(
    *,
    data: Path = Path("gamehall-data"),
    host: str = "127.0.0.1",
    port: int = 8000,
    doors: str | None = None,
    set_: Annotated[tuple[str, ...], Parameter(name="--set")] = (),
    config: Path | None = None,
    game: tuple[Path, ...] = (),
    reload: Annotated[bool, Parameter(negative="")] = False,
    workers: int = 1,
    worker: Annotated[int, Parameter(show=False)] = 0,
) -> int:
    """Open the hall. The page is at http://HOST:PORT.

    Example: gamehall serve --port 8000 --doors native-tcp=8001 --set table.grace_seconds=30

    Parameters
    ----------
    data
        The folder of everything that is kept.
    host
        The address to listen on; 0.0.0.0 for the whole network.
    port
        The web port: page, API and native WebSocket. 0 is any free one. The other doors have ports
        of their own: see --doors.
    doors
        `none`, or NAME=PORT,… for just those; without it all doors open on their default ports.
    set_
        A setting, as section.key=value. May be repeated.
    config
        A TOML file of settings.
    game
        A Python file with a game of your own. May be repeated.
    reload
        Whenever such a file changes, go on with the new rules. Open tables stay, and clients come
        back by themselves. For those who write games.
    workers
        Run so many processes behind the same ports. They need PostgreSQL and Redis. SIGHUP starts
        them anew, one after the other.
    worker
        The number of such a process, which none but its parent gives it.
    """
    # Here, so that its help does not wait for the whole server.
    from gamehall.server import DOORS, start_server

    try:
        settings = load(config, os.environ, set_)
        chosen = _read_doors(doors, DOORS)
        if reload and not game:
            raise SettingError("--reload is for games of your own: name a file with --game.")
        check_workers(workers, settings, reload=reload)
        parent = Parent() if worker else None
    except (SettingError, OSError) as error:
        return fail(str(error), 2)
    logs.configure(sys.stderr)
    if worker:
        logs.name_worker(worker)

    async def start(games: Games, ports: Mapping[str, int]) -> Server:
        door_ports = {name: ports.get(name, port) for name, port in chosen.items()}
        server = await start_server(
            settings,
            data=data,
            host=host,
            port=ports.get("native", port),
            doors=door_ports,
            games=games,
            worker=worker,
        )
        server.loading.add_done_callback(lambda _: _calm_the_collector())
        return server

    try:
        if workers > 1 and not worker:
            # It serves nobody, so it needs no faster loop.
            return asyncio.run(_lead(host, {"native": port, **chosen}, workers))
        return _run(_serve(start, game, parent, reload=reload))
    except PortTaken as error:
        how = "--port" if error.name == "native" else f"--doors {error.name}=PORT"
        return fail(f"{error} Another hall may be running; choose another port with {how}.", 1)
    except (StartError, GameFileError, HallError) as error:
        return fail(str(error), 1)


async def _serve(
    start: Start, files: Sequence[Path], parent: Parent | None, *, reload: bool
) -> int:
    """Runs the hall until it is told to stop."""
    stopping = asyncio.Event()
    _on_signals(stopping)
    if parent is not None:
        parent.watch(stopping.set)
    ports = {} if parent is None else parent.ports

    async def start_watched(games: Games, ports: Mapping[str, int]) -> Server:
        server = await start(games, ports)
        server.loading.add_done_callback(loaded)
        return server

    def loaded(loading: asyncio.Task[None]) -> None:
        if _failed(loading):
            stopping.set()

    # It may wait for its servers for long.
    server = await unless(stopping, start_watched(catalogue(files), ports))
    if server is None:
        return 0
    if parent is None:
        _say_open(server.doors)
    else:
        parent.say_ready()
    if reload:
        server = await keep_up(server, files, stopping, start_watched, _say)
    await stopping.wait()
    await server.stop()
    if _failed(server.loading):
        server.loading.result()
    return 0


def _failed(work: asyncio.Task[None]) -> bool:
    return work.done() and not work.cancelled() and work.exception() is not None


async def _lead(host: str, doors: Mapping[str, int], workers: int) -> int:
    """Runs workers until it is told to stop."""
    stopping = asyncio.Event()
    _on_signals(stopping)
    return await run_workers(host, doors, workers, stopping, _say_open)


def _read_doors(doors: str | None, known: Mapping[str, int]) -> dict[str, int]:
    if doors is None:
        return dict(known)
    chosen: dict[str, int] = {}
    for door in doors.split(",") if doors != "none" else ():
        name, _, port = door.partition("=")
        if name not in known:
            raise SettingError(f"There is no door {name!r}; this hall has {', '.join(known)}.")
        if not port.isdigit() or int(port) > 65535:
            raise SettingError(f"--doors {name} needs a port, as in {name}={known[name]}.")
        chosen[name] = int(port)
    return chosen


def _calm_the_collector() -> None:
    """What is there by now stays; and a thousand moves should not mean a thousand collections."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _run(work: Coroutine[Any, Any, int]) -> int:
    """Runs it on uvloop where that exists, else on asyncio's own loop."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)


def _on_signals(stopping: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopping.set)
        except NotImplementedError:  # Windows has no such handlers.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))


def _say_open(doors: Sequence[tuple[str, str]]) -> None:
    """Says which doors are open, that all is ready, and to people where the page is."""
    for name, address in doors:
        _say(f"door {name} {address}")
    _say("ready")
    host, _, port = dict(doors)["native"].rpartition(":")
    _say(f"The page is at http://{bracketed(ANYWHERE.get(host, host))}:{port}")


def _say(line: str) -> None:
    """Writes a bare line that scripts wait for, whatever the form of the log."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
