"""A node of the simulated hall: the real one, on simulated store, bus and clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from gamehall.bots.house_bots import HouseBots
from gamehall.errors import HallUnreachable, Unavailable
from gamehall.games.game import Game
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.clock import Alarm
from gamehall.hall.settings import HallSettings
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.hall.wiring import Rooms
from gamehall.simulation.network import Network, SimulatedBus
from gamehall.simulation.store import SimulatedStore
from gamehall.simulation.vault import Vault
from gamehall.simulation.world import Machine, World
from gamehall.wire.arena.dialect import ArenaLink
from gamehall.wire.bingo.caller import CallerLink
from gamehall.wire.bingo.duel import DuelLink
from gamehall.wire.bingo.watch import WatchDoor, WatchLink
from gamehall.wire.four.dialect import FourLink
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.net.shell import Converse
from gamehall.wire.practice.dialect import PracticeLink
from gamehall.wire.sicbo.dialect import Croupier
from gamehall.wire.sicbo.mario import MarioLink
from gamehall.wire.sicbo.rfc import RfcLink
from gamehall.wire.sicbo.zone_link import RoomCroupier

SHORT_SECONDS = 0.4
"""Where doors wait for clients that are slow."""
CREATE_SECONDS, STATUS_SECONDS, POLL_SECONDS = 3.0, 0.8, 1.0
"""How long game servers have to take a match, and to say how one stands, and how often they are
asked."""


class SimulatedClock:
    """The machine's clock, which may be wrong."""

    def __init__(self, machine: Machine, wrong_by_ms: int) -> None:
        self._machine = machine
        self.wrong_by_ms = wrong_by_ms

    def now_ms(self) -> int:
        return self._machine.world.now_ms + self.wrong_by_ms

    def call_at(self, due_ms: int, callback: Callable[[], None]) -> Alarm:
        left_seconds = (due_ms - self.now_ms()) / 1000
        return self._machine.call_later(max(0.0, left_seconds), callback)

    def correct(self, behind_ms: int) -> None:
        self.wrong_by_ms += behind_ms

    def seconds(self) -> float:
        return self._machine.time()


class NoOtherHalls:
    async def tournament(self, url: str, id: int) -> Shown:
        raise HallUnreachable


class Node:
    """One process of the hall, from its start to its end."""

    def __init__(
        self,
        world: World,
        vault: Vault,
        network: Network,
        name: str,
        games: Mapping[str, Game[Any]],
        settings: HallSettings,
        *,
        failed: Callable[[], None],
        wrong_by_ms: int = 0,
    ) -> None:
        """`failed` is called when it cannot start."""
        self.name = name
        self.failed = failed
        self.machine = Machine(world)
        self.store = SimulatedStore(vault, self.machine)
        self.bus = SimulatedBus(network, self.machine, name)
        self.clock = SimulatedClock(self.machine, wrong_by_ms)
        self._network = network
        self.ready = False

        def make() -> Hall:
            rooms = Rooms(
                games,
                store=self.store,
                bus=self.bus,
                clock=self.clock,
                draw_key=DrawKey(bytes(32)),
                make_bots=partial(HouseBots, solver=None, rng=Random(world.rng.getrandbits(64))),
                other_halls=NoOtherHalls(),
                solver=None,
                settings=settings,
            )
            return Hall(rooms)

        self.hall = hall = self.machine.do(make)
        # A story is short.
        hall.portal.create_seconds = CREATE_SECONDS
        hall.portal.status_seconds = STATUS_SECONDS
        hall.portal.poll_seconds = POLL_SECONDS
        croupier, rooms = Croupier(hall), RoomCroupier(hall)
        watch = WatchDoor(hall)
        self.doors: dict[str, Converse] = {
            "native": lambda channel: NativeLink(hall, channel),
            "rfc": lambda channel: RfcLink(croupier, channel),
            "mario": lambda channel: MarioLink(rooms, channel),
            "caller": lambda channel: CallerLink(hall, channel),
            "four": lambda channel: FourLink(hall, channel),
            "duel": lambda channel: DuelLink(hall, channel, close_seconds=SHORT_SECONDS),
            "watch": lambda channel: WatchLink(watch, channel),
            "arena": lambda channel: ArenaLink(hall, channel),
            "practice": lambda channel: PracticeLink(hall, channel, begin_ms=SHORT_SECONDS * 1000),
        }
        self.machine.do(lambda: self.machine.create_task(self._start()))
        self.on_end: list[Callable[[], None]] = []

    async def _start(self) -> None:
        try:
            await self.hall.start()
        except Unavailable:
            self.failed()  # A hall of one process ends then, and is started again.
        else:
            self.ready = True

    def kill(self) -> None:
        self.ready = False
        self.machine.kill()
        self._network.buses.pop(self.name, None)
        for end in self.on_end:
            end()

    async def stop(self) -> None:
        """As planned."""
        self.hall.retire()
        await self.hall.stop()
        await self.bus.close()
