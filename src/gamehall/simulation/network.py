"""The bus between nodes: it keeps each sender's order, and loses or delays what the world wants. It
brings nothing twice, as no bus may."""

from __future__ import annotations

from collections.abc import Callable

from gamehall.errors import Unavailable
from gamehall.simulation.world import Machine, World

DELAY_SECONDS = (0.0002, 0.004)


class Network:
    """Which node reaches which."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loss = 0.0
        """How much is lost, from 0 to 1."""
        self.slow_seconds = 0.0
        """How much longer a message may take."""
        self.buses: dict[str, SimulatedBus] = {}
        self.cut: set[tuple[str, str]] = set()
        """From whom nothing comes to whom."""
        self._arrivals: dict[tuple[str, str], float] = {}

    def carry(self, sender: str, to: str, message: bytes) -> None:
        world = self.world
        if (sender, to) in self.cut or world.rng.random() < self.loss:
            return
        arrival = world.seconds + self._delay()
        arrival = self._arrivals[sender, to] = max(arrival, self._arrivals.get((sender, to), 0.0))

        def arrive() -> None:
            bus = self.buses.get(to)
            if bus is not None and (sender, to) not in self.cut:
                bus.machine.soon(lambda: bus.receive(sender, message))

        world.after(arrival - world.seconds, arrive)

    def _delay(self) -> float:
        rng = self.world.rng
        return rng.uniform(*DELAY_SECONDS) + rng.random() * self.slow_seconds

    def isolate(self, node: str, *, inward: bool = True, outward: bool = True) -> None:
        for other in self.buses:
            if other != node:
                self.cut |= {(other, node)} if inward else set()
                self.cut |= {(node, other)} if outward else set()

    def heal(self) -> None:
        self.cut.clear()
        for bus in tuple(self.buses.values()):
            bus.machine.soon(bus.back)


class SimulatedBus:
    def __init__(self, network: Network, machine: Machine, node: str) -> None:
        """`node`: "" for the one process of a hall that never has another."""
        self.node = node
        self.alone = not node
        self.machine = machine
        self._network = network

    @property
    def is_up(self) -> bool:
        others = [node for node in self._network.buses if node != self.node]
        return not others or any((self.node, other) not in self._network.cut for other in others)

    async def start(self, receive: Callable[[str, bytes], None], back: Callable[[], None]) -> None:
        self.receive = receive
        self.back = back
        self._network.buses[self.node] = self
        back()

    def send(self, to: str, message: bytes) -> None:
        if to in self._network.buses and not self.machine.dead:
            self._network.carry(self.node, to, message)

    def tell_all(self, message: bytes) -> None:
        for to in self._network.buses:
            if to != self.node:
                self.send(to, message)

    async def ping(self) -> None:
        if not self.is_up:
            raise Unavailable

    async def close(self) -> None:
        self._network.buses.pop(self.node, None)
