"""The composition root: the only place that knows every adapter and puts the hall together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from gamehall.bots.house_bots import HouseBots
from gamehall.bus.bus import Bus, CannotJoin
from gamehall.catalogue import catalogue
from gamehall.config import ArenaSettings, DevSettings, Settings
from gamehall.data_folder import DataFolder, StartError
from gamehall.games.bingo import Bingo
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.game import Game
from gamehall.games.sicbo import SicBo
from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.clock import SystemClock
from gamehall.hall.settings import HallSettings
from gamehall.hall.wiring import Rooms
from gamehall.ports import LOCAL, bus_at, draw_key_at, open_store
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import Solver, installed
from gamehall.store.store import Store
from gamehall.wire.arena.codec import FromServer
from gamehall.wire.arena.dialect import ArenaLink
from gamehall.wire.bingo.caller import CallerLink
from gamehall.wire.bingo.duel import DuelLink
from gamehall.wire.bingo.duel_codec import DuelCodec
from gamehall.wire.bingo.watch import WatchDoor, WatchLink
from gamehall.wire.four.dialect import FourLink
from gamehall.wire.http.other_halls import WebHalls
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.net.bad_line import on_a_bad_line
from gamehall.wire.net.codec import Codec, LineCodec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.listening import Listening
from gamehall.wire.net.one_port import ANY_PATH, Http, serve_web
from gamehall.wire.net.shell import Converse
from gamehall.wire.net.tcp import serve_tcp
from gamehall.wire.net.websocket import WebSocketDoor, same_origin
from gamehall.wire.practice.dialect import PracticeLink
from gamehall.wire.sicbo.dialect import Croupier
from gamehall.wire.sicbo.mario import MarioLink
from gamehall.wire.sicbo.rfc import RfcLink
from gamehall.wire.sicbo.zone_link import RoomCroupier

if TYPE_CHECKING:
    from aiohttp import web

log = structlog.get_logger(__name__)

DOORS: Mapping[str, int] = {
    "native-tcp": 8001,
    "rfc": 8889,
    "mario": 8892,
    "caller": 12345,
    "duel": 27004,
    "arena": 8881,
    "arena-tcp": 8882,
    "watch": 8081,
    "four": 5555,
    "practice": 8801,
}
"""Doors with a port of their own, beside the web port, and where they open by default."""
STOP_SECONDS = 3.0
"""How long clients have, from being told, until a planned stop closes them."""


@dataclass(eq=False)
class Server:
    """A running hall with its doors."""

    hall: Hall
    _store: Store
    _keeper: Doorkeeper
    _folder: DataFolder
    _solver: Solver | None
    _listening: list[Listening] = field(default_factory=list)
    _loading: asyncio.Task[None] | None = None
    _http: Http = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    _web: web.AppRunner | None = None

    @property
    def doors(self) -> list[tuple[str, str]]:
        """Name and `HOST:PORT` of each open door."""
        return [(door.name, f"{door.host}:{door.port}") for door in self._listening]

    async def open_doors(
        self,
        settings: Settings,
        host: str,
        port: int,
        doors: Mapping[str, int],
        *,
        shared: bool,
    ) -> None:
        hall = self.hall
        native, arena = self._native(settings.dev), partial(ArenaLink, hall)
        practice = partial(PracticeLink, hall, begin_ms=settings.practice.begin_ms)
        duel = partial(
            DuelLink,
            hall,
            casual=settings.duel.casual,
            gap_ms=settings.duel.gap_ms,
            close_seconds=settings.duel.close_seconds,
        )
        # Pages of clients of these are served from anywhere.
        sockets = {
            "rfc": WebSocketDoor(partial(RfcLink, Croupier(hall))),
            "mario": WebSocketDoor(partial(MarioLink, RoomCroupier(hall))),
            "watch": WebSocketDoor(partial(WatchLink, WatchDoor(hall))),
            "practice": WebSocketDoor(practice),
            "arena": WebSocketDoor(arena, binary=True),
        }
        streams: dict[str, tuple[Converse, Callable[[int], Codec]]] = {
            "native-tcp": (native, LineCodec),
            "caller": (partial(CallerLink, hall), LineCodec),
            "duel": (duel, DuelCodec),
            "four": (partial(FourLink, hall), LineCodec),
            "arena-tcp": (arena, FromServer),
        }
        paths = {
            "/ws": WebSocketDoor(native, same_origin(settings.web.origins)),
            "/rfc": sockets["rfc"],
            "/websocket": sockets["mario"],
            "/watch": sockets["watch"],
            "/practice": sockets["practice"],
        }
        open_web = partial(
            serve_web, self._keeper, trusted_proxies=settings.web.trusted_proxies, shared=shared
        )
        opened = await open_web("native", host, port, paths, self._http)
        self._listening.append(opened)
        for name, door_port in doors.items():
            if name in sockets:
                opening = open_web(name, host, door_port, {ANY_PATH: sockets[name]})
            else:
                converse, make_codec = streams[name]
                codec = partial(make_codec, settings.limits.message_bytes)
                opening = serve_tcp(
                    self._keeper, name, host, door_port, converse, codec, shared=shared
                )
            self._listening.append(await opening)

    async def _load_http(self, operator_token: str, started_ms: int) -> None:
        """It takes nearly as long as all the rest of a start. Whoever asks meanwhile waits."""

        def load() -> Callable[[], Awaitable[web.AppRunner]]:
            from gamehall.wire.http.web import make_app, start_app

            app = make_app(
                self.hall,
                doors=lambda: self.doors,
                operator_token=operator_token,
                started_ms=started_ms,
            )
            return partial(start_app, app)

        try:
            start = await asyncio.to_thread(load)
            self._web = await start()
            assert self._web.server is not None
        except BaseException:
            self._http.cancel()
            raise
        self._http.set_result(self._web.server)

    def load_http(self, operator_token: str, started_ms: int) -> None:
        """Begins to. If it fails, `loading` says so."""
        loading = self._load_http(operator_token, started_ms)
        self._loading = asyncio.get_running_loop().create_task(loading)

    @property
    def loading(self) -> asyncio.Task[None]:
        """What answers HTTP is loaded beside those who play already."""
        assert self._loading is not None, "its doors are not open yet"
        return self._loading

    def _native(self, dev: DevSettings) -> Converse:
        converse = partial(NativeLink, self.hall)
        if not dev.has_bad_line:
            return converse
        log.warning("native_doors_are_bad_on_request", **msgspec.to_builtins(dev))
        return on_a_bad_line(converse, dev, Random())

    def register_games(self, settings: Settings, host: str) -> None:
        """Offers games to the portal that the settings name, for as long as the hall runs."""
        arena = settings.arena
        if not arena.portal:
            return
        # Here, because most halls offer none, and its client takes long to load.
        from gamehall.wire.arena.portal_link import PortalLink, rule_of

        ports = {door.name: door.port for door in self._listening}
        anywhere = host in ("", "0.0.0.0", "::")
        for game in two_player_games(arena, self.hall.games):
            at_duel_door = game.name == BingoDuel.name and "duel" in ports
            offer = Offer(
                arena.address or ("" if anywhere else host),
                ports["duel" if at_duel_door else "native"],
                game.name,
                rule_of(game, at_duel_door),
                arena.author,
            )
            link = PortalLink(self.hall.matches, arena.portal, offer, settings.limits)
            self.hall.spawn(link.run())

    async def stop(self, notice_seconds: float = STOP_SECONDS) -> None:
        """Tells clients, closes the doors, and leaves every table safe in the store. What was taken
        is given back, the last first, also if something before that fails."""
        async with AsyncExitStack() as taken:
            taken.callback(self._folder.close)
            taken.push_async_callback(self.hall.rooms.bus.close)
            taken.push_async_callback(self._store.stop)
            if self._solver is not None:
                taken.push_async_callback(self._solver.close)
            taken.push_async_callback(self.hall.stop)
            self.hall.retire()
            for door in self._listening:
                await door.close()
            self._keeper.announce(notice_seconds)
            if set(self.hall.people.kinds_here()) - {"bot"}:
                await asyncio.sleep(notice_seconds)
            await self._keeper.close()
            if self._loading is not None:
                self._loading.cancel()
                await asyncio.wait([self._loading])
            if self._web is not None:
                await self._web.cleanup()


async def start_server(
    settings: Settings,
    *,
    data: Path,
    host: str,
    port: int,
    doors: Mapping[str, int],
    games: Mapping[str, Game[Any]] | None = None,
    worker: int = 0,
) -> Server:
    """A hall that serves. `worker` is its number among processes that share its ports; 0: it has
    them to itself. Raises StartError or PortTaken."""
    games = games or catalogue()
    two_player_games(settings.arena, games)
    async with AsyncExitStack() as taken:
        # Nodes may share a folder: what they write lies elsewhere.
        folder = DataFolder(data, alone=settings.bus.url == LOCAL)
        taken.callback(folder.close)
        place, store = await open_store(settings, data, folder)
        taken.push_async_callback(store.stop)
        draw_key = await draw_key_at(place, folder, store)
        bus = bus_at(settings, draw_key)
        solver = SolverProcess() if installed() else None
        hall = make_hall(settings, games, store, bus, draw_key, solver)
        server = Server(hall, store, Doorkeeper(settings.limits), folder, solver)
        # From here on it is the server that gives them back.
        taken.pop_all()
    try:
        await hall.join()
        token, started_ms = folder.operator_token(), hall.clock.now_ms()
        await server.open_doors(settings, host, port, doors, shared=worker > 0)
        await hall.start()
        server.register_games(settings, host)
        server.load_http(token, started_ms)
    except CannotJoin as error:
        await server.stop(0)
        raise StartError(str(error)) from None
    except BaseException:
        await server.stop(0)
        raise
    return server


def two_player_games(settings: ArenaSettings, games: Mapping[str, Game[Any]]) -> list[Game[Any]]:
    """Those that a portal is offered. Raises StartError for one that is not for two."""
    offered: dict[str, Game[Any]] = {}
    for name in settings.games:
        game = games.get(name)
        seats = None if game is None or not game.public else game.seats(game.options())
        if game is None or seats is None or (seats.least, seats.most) != (2, 2):
            raise StartError(f"`arena.games` has {name!r}, which is no game for two of this hall.")
        offered[game.name] = game
    return list(offered.values())


def make_hall(
    settings: Settings,
    games: Mapping[str, Game[Any]],
    store: Store,
    bus: Bus,
    draw_key: DrawKey,
    solver: Solver | None,
) -> Hall:
    rooms = Rooms(
        games,
        store=store,
        bus=bus,
        clock=SystemClock(int(settings.dev.clock_offset_seconds * 1000)),
        draw_key=draw_key,
        make_bots=partial(HouseBots, solver=solver),
        other_halls=WebHalls(),
        solver=solver,
        settings=HallSettings(
            **msgspec.structs.asdict(settings.table),
            **msgspec.structs.asdict(settings.lobby),
            **msgspec.structs.asdict(settings.players),
            no_show_seconds=settings.arena.no_show_seconds,
            keep_days=settings.store.keep_days,
            lease_seconds=settings.store.lease_seconds,
            options={
                Bingo.name: msgspec.to_builtins(settings.bingo),
                BingoDuel.name: {"size": settings.duel.size},
                SicBo.name: msgspec.to_builtins(settings.sicbo),
            },
        ),
    )
    return Hall(rooms)
