"""A simulated run with two game servers, which goes well."""

from __future__ import annotations

from functools import cache
from typing import Any

from gamehall.simulation.checker.evidence import Evidence
from gamehall.simulation.clients.game_server import GameServer
from gamehall.simulation.run import Run
from gamehall.simulation.story import Story


class HonestArena(Run):
    """vera plays a match to its end, wim refuses one and has another that goes on for a while, and
    the operator looks at them now and then."""

    def __init__(self) -> None:
        super().__init__(Story(7, 2, ("anna", "vera", "wim"), ()))
        self.matches: dict[str, int] = {}
        """Their numbers, by what becomes of them."""

    async def _peace(self) -> None:
        self.matches["played"] = await self._ask("vera")
        self._server("wim").do("refuse", 0.5)
        self.matches["refused"] = await self._ask("wim")
        self.matches["running"] = await self._ask("wim")
        for name in ("vera", "wim"):
            self._server(name).do("begin a match", 0.3)
            await self._asked_about(name)
        await self._look()
        await self._look()
        self._server("vera").do("end a match", 0.3)
        self._server("wim").do("meddle", 0.0)
        await super()._peace()

    def _server(self, name: str) -> GameServer:
        (found,) = (each for each in self.visitors if each.name == name)
        assert isinstance(found, GameServer)
        return found

    async def _ask(self, name: str) -> int:
        """The number of the match, whatever comes of it."""
        node = self.nodes["node-1"]
        ids = {info.name: info.id for info, _ in await self._servers()}
        maker = self.operator.matches
        before = len(maker.asked)
        self.operator.work(node, maker.ask(node.hall, ids[name]))

        def is_answered() -> bool:
            return any(each.made or each.code for each in maker.asked[before:])

        await self.peace.until(is_answered, f"{name} answers")
        heard = self._server(name).transcript.heard()
        creates = [each for each in heard if each["action"] == "create"]
        return int(creates[-1]["payload"]["match"])

    async def _servers(self) -> list[Any]:
        found: list[Any] = []
        node = self.nodes["node-1"]

        async def find() -> None:
            found.extend(await node.hall.portal.servers())

        self.operator.work(node, find())
        await self.peace.until(lambda: bool(found), "servers are known")
        return found

    async def _asked_about(self, name: str) -> None:
        """Until it has told the points of a match."""
        transcript = self._server(name).transcript
        await self.peace.until(
            lambda: any('"status": 1' in text for text in transcript.texts("sent")), "it is asked"
        )

    async def _look(self) -> None:
        maker, node = self.operator.matches, self.nodes["node-2"]
        looks = len(maker.looks)
        self.operator.work(node, maker.look(node.hall, node.name))
        await self.peace.until(lambda: len(maker.looks) > looks, "matches are shown")


@cache
def honest_arena() -> tuple[Evidence, dict[str, int]]:
    """What it leaves behind, and its matches."""
    run = HonestArena()
    run.play()
    return run.evidence(), run.matches
