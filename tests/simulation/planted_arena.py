"""Bugs of a portal that the hall does not have, or has no more."""

from __future__ import annotations

from copy import copy
from typing import Any
from unittest.mock import patch

from gamehall.hall.arena.as_portal.line import Line, ServerLink
from gamehall.hall.arena.as_portal.matches import PortalMatches
from gamehall.hall.arena.as_portal.portal import Portal
from gamehall.hall.arena.as_portal.servers import Offer, Servers
from tests.simulation.planting import planted


@planted(r"match \d+ ended .*, and \w+ has told")
def arena_takes_the_results_of_others() -> Any:
    result = Portal.result

    async def of_anyone(self: Portal, line: Line, match: int, *scores: int) -> None:
        found = await self._matches.facts.get(match)
        told = copy(line)
        told.server = line.server if found is None else found.server
        await result(self, told, match, *scores)

    return patch.object(Portal, "result", of_anyone)


@planted("shown was .*, and kept is")
def arena_takes_the_last_result() -> Any:
    result = Portal.result

    async def the_last(self: Portal, line: Line, match: int, score1: int, score2: int) -> None:
        await result(self, line, match, score1, score2)
        found = await self._matches.facts.get(match)
        if found is not None and found.server == line.server:
            await self._matches.write(match, ("over",), score1=score1, score2=score2)

    return patch.object(Portal, "result", the_last)


@planted("counts more than there is")
def arena_counts_a_result_each_time() -> Any:
    def always(self: PortalMatches, match: Any) -> bool:
        self._forget(match)
        self._count(match)
        return True

    return patch.object(PortalMatches, "over", always)


@planted("all matches end")
def arena_never_asks_how_a_match_stands() -> Any:
    return patch.object(Line, "poll", lambda self, *args, **how: None)


@planted("was asked before it was registered")
def arena_asks_before_it_has_registered_a_server() -> Any:
    """As the hall did: meanwhile it read what became of the server's matches elsewhere."""
    register, connect = Servers.register, Servers.connect

    async def at_once(self: Servers, offer: Offer, link: ServerLink) -> Line:
        line = await register(self, offer, link)
        connect(self, line)
        return line

    return patch.multiple(Servers, register=at_once, connect=lambda self, line: None)
