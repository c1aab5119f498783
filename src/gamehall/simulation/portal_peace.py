"""What is demanded of a hall as a portal when all is well again: a match can be had from every game
server at every node, each match comes to its end, and every node counts it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from gamehall.simulation.checker.arena import Arena, Asked
from gamehall.simulation.checker.transcripts import Json
from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.game_server import GameServer
from gamehall.simulation.node import Node
from gamehall.simulation.operators import Operator
from gamehall.simulation.peace import Peace
from gamehall.simulation.vault import Vault

HEARD_SECONDS = 2.5
"""By then a node has said where its game servers are, and looked for what it was not told."""


class PortalPeace:
    def __init__(
        self,
        visitors: Sequence[Client],
        operator: Operator,
        nodes: Mapping[str, Node],
        vault: Vault,
    ) -> None:
        self._servers = [each for each in visitors if isinstance(each, GameServer)]
        self._operator = operator
        self._nodes = nodes
        self._vault = vault

    async def demand(self, peace: Peace) -> None:
        """Raises Violation."""
        if not self._servers:
            return
        for server in self._servers:
            server.settle()
        await peace.all_let_in()
        await asyncio.sleep(HEARD_SECONDS)
        await self._all_made(peace)
        await peace.until(
            lambda: not self._going_on(), "all matches end", lambda: str(self._going_on())
        )
        await asyncio.sleep(HEARD_SECONDS)
        maker = self._operator.matches
        looks = len(maker.looks) + len(self._nodes)
        for node in self._nodes.values():
            self._operator.work(node, maker.look(node.hall, node.name, last=True))
        await peace.until(lambda: len(maker.looks) == looks, "all matches are shown")

    async def _all_made(self, peace: Peace) -> None:
        maker = self._operator.matches
        first = len(maker.asked)
        servers = [server["id"] for server in _facts(self._vault, "portal-server:")]
        for node in self._nodes.values():
            for server in servers:
                self._operator.work(node, maker.ask(node.hall, server))

        def not_made() -> list[Asked]:
            return [asked for asked in maker.asked[first:] if asked.made is None]

        await asyncio.sleep(HEARD_SECONDS)  # By then each has been asked for.
        await peace.until(lambda: not not_made(), "all matches are made", lambda: str(not_made()))

    def _going_on(self) -> list[Json]:
        matches = _facts(self._vault, "portal-match:")
        return [match for match in matches if match["status"] in ("waiting", "running")]

    def arena(self) -> Arena | None:
        """What is kept and was shown, if there are game servers."""
        if not self._servers:
            return None
        maker = self._operator.matches
        servers, matches = (_facts(self._vault, f"portal-{kind}:") for kind in ("server", "match"))
        return Arena(servers, matches, maker.asked, maker.looks)


def _facts(vault: Vault, prefix: str) -> list[Json]:
    """All of them whose keys begin so, as they are kept."""
    found = vault.connection.execute("SELECT key, value FROM facts ORDER BY key").fetchall()
    return [msgspec.json.decode(value) for key, value in found if _text(key).startswith(prefix)]


def _text(key: str | bytes) -> str:
    return key.decode() if isinstance(key, bytes) else key
