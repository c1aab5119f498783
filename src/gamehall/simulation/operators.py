"""The operator, who uses the hall at any node, without a door."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any

from gamehall.errors import HallError
from gamehall.hall.hall import Hall
from gamehall.simulation.clients.cups import cup
from gamehall.simulation.clients.picks import Picks
from gamehall.simulation.node import Node

BOTS = ((), (), ("random",), ("random", "random"))


class Operator:
    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes
        self._cups: list[int] = []

    def do(self, deed: str, pick: float) -> None:
        """What a story has it do; a node that ends meanwhile has not done it."""
        rng = Picks(pick)
        node = rng.one_of([node for node in self._nodes.values() if node.ready])
        if node is None:
            return
        work = self._open(node.hall, rng) if deed == "open a tournament" else self._begin(node.hall)
        task = node.machine.do(lambda: node.machine.create_task(_tried(work)))
        # What nobody has caught is the hall's fault.
        task.add_done_callback(lambda done: done.result())

    async def _open(self, hall: Hall, rng: Picks) -> None:
        opened = await hall.tournaments.open(cup(rng))
        self._cups.append(opened)
        await hall.tournaments.enter_bots(opened, rng.one_of(BOTS))

    async def _begin(self, hall: Hall) -> None:
        for each in tuple(self._cups):
            await hall.tournaments.begin(each, None)


async def _tried(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except HallError:
        """The operator lets it be."""
