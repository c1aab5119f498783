"""The bus between nodes: it keeps each sender's order, and loses or delays what the world wants. It
brings nothing twice, as no bus may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from gamehall.errors import Unavailable
from gamehall.simulation.degree import Degree
from gamehall.simulation.world import Machine, World

DELAY_SECONDS = (0.0002, 0.004)


class Network:
    """Which node reaches which."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loss = Degree()
        """How much is lost, from 0 to 1."""
        self.slow_seconds = Degree()
        """How much longer a message may take."""
        self.buses: dict[str, SimulatedBus] = {}
        self._cuts: Counter[tuple[str, str]] = Counter()
        """From whom nothing comes to whom, and for how many reasons."""
        self._arrivals: dict[tuple[str, str], float] = {}

    def carry(self, sender: str, to: str, message: bytes) -> None:
        world = self.world
        if self.is_cut(sender, to) or world.rng.random() < self.loss.worst:
            return
        arrival = world.seconds + self._delay()
        arrival = self._arrivals[sender, to] = max(arrival, self._arrivals.get((sender, to), 0.0))

        def arrive() -> None:
            bus = self.buses.get(to)
            if bus is not None and not self.is_cut(sender, to):
                bus.machine.soon(lambda: bus.receive(sender, message))

        world.after(arrival - world.seconds, arrive)

    def _delay(self) -> float:
        rng = self.world.rng
        return rng.uniform(*DELAY_SECONDS) + rng.random() * self.slow_seconds.worst

    def is_cut(self, sender: str, to: str) -> bool:
        return self._cuts[sender, to] > 0

    def isolate(
        self, node: str, *, inward: bool = True, outward: bool = True
    ) -> Callable[[], None]:
        """Returns what ends it."""
        others = [other for other in self.buses if other != node]
        cut = [(other, node) for other in others if inward]
        cut += [(node, other) for other in others if outward]
        self._cuts.update(cut)

        def heal() -> None:
            self._cuts.subtract(cut)
            for bus in tuple(self.buses.values()):
                bus.machine.soon(bus.back)

        return heal


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
        return not others or not all(self._network.is_cut(self.node, other) for other in others)

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
