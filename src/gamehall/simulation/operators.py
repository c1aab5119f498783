"""The operator, who uses the hall at any node, without a door."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any

from gamehall.errors import HallError
from gamehall.hall.hall import Hall
from gamehall.simulation import plots
from gamehall.simulation.clients.cups import cup
from gamehall.simulation.clients.picks import Picks
from gamehall.simulation.match_maker import MatchMaker
from gamehall.simulation.node import Node

BOTS = ((), (), ("random",), ("random", "random"))


class Operator:
    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes
        self._cups: list[int] = []
        self.matches = MatchMaker()

    def do(self, deed: str, pick: float) -> None:
        """What a story has it do; a node that ends meanwhile has not done it."""
        rng = Picks(pick)
        node = rng.one_of([node for node in self._nodes.values() if node.ready])
        if node is None:
            return
        self.work(node, self._deed(deed, node, rng))

    def work(self, node: Node, work: Coroutine[Any, Any, Any]) -> None:
        """Has it done there, sooner or later or never."""
        task = node.machine.do(lambda: node.machine.create_task(_tried(work)))
        # What nobody has caught is the hall's fault.
        task.add_done_callback(lambda done: done.result())

    def _deed(self, deed: str, node: Node, rng: Picks) -> Coroutine[Any, Any, Any]:
        match deed:
            case "open a tournament":
                return self._open(node.hall, rng)
            case plots.ASK:
                return self.matches.ask_any(node.hall, rng)
            case plots.LOOK:
                return self.matches.look(node.hall, node.name)
            case _:
                return self._begin(node.hall)

    async def _open(self, hall: Hall, rng: Picks) -> None:
        opened = await hall.tournaments.open(cup(rng))
        self._cups.append(opened)
        await hall.tournaments.enter_bots(opened, rng.one_of(BOTS))

    async def _begin(self, hall: Hall) -> None:
        for each in tuple(self._cups):
            await hall.tournaments.begin(each, None)


async def _tried(work: Coroutine[Any, Any, Any]) -> None:
    try:
        await work
    except HallError:
        """The operator lets it be."""
