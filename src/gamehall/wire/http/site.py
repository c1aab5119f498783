"""The paths beside the API: the page, health, metrics and the documents about the interfaces."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import Any

from aiohttp import web

from gamehall.errors import HallError, Unavailable
from gamehall.hall.hall import Hall
from gamehall.wire.http.api import ROUTES
from gamehall.wire.http.api_arena import ARENA_ROUTES
from gamehall.wire.http.api_messages import Health
from gamehall.wire.http.api_operator import OPERATOR_ROUTES
from gamehall.wire.http.api_tournaments import TOURNAMENT_ROUTES
from gamehall.wire.http.asyncapi import asyncapi, servers
from gamehall.wire.http.metrics import Metrics
from gamehall.wire.http.openapi import openapi
from gamehall.wire.http.page import Page
from gamehall.wire.http.route import Route
from gamehall.wire.net.addresses import Doors, reachable

API_ROUTES = (*ROUTES, *OPERATOR_ROUTES, *ARENA_ROUTES, *TOURNAMENT_ROUTES)

HEALTH_SECONDS = 2.0
"""How long store and bus have to answer."""


class Site:
    def __init__(self, hall: Hall, doors: Doors, metrics: Metrics, page: Page) -> None:
        self._hall = hall
        self._doors = doors
        self._metrics = metrics
        self._page = page
        self._ping: asyncio.Task[bool] | None = None

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route("getPage", "/", "The page", self.page, media_type="text/html"),
            Route(
                "getHealth",
                "/healthz",
                "Whether the hall can serve: store and bus answer",
                self.health,
                (Unavailable,),
            ),
            Route(
                "getMetrics",
                "/metrics",
                "Metrics for Prometheus",
                self.metrics,
                media_type="text/plain",
            ),
            *API_ROUTES,
            Route("getOpenApi", "/api/openapi.json", "This document", self.openapi),
            Route(
                "getAsyncApi",
                "/api/asyncapi.json",
                "The messages of the native door, as AsyncAPI",
                self.asyncapi,
            ),
        )

    async def page(self, request: web.Request) -> web.Response:
        return self._page.index(request)

    async def health(self, _: web.Request) -> Health:
        # Those who ask at the same time share the answer: finding out writes, and may take long.
        if self._ping is None or self._ping.done():
            self._ping = asyncio.create_task(self._answers())
        if not await asyncio.shield(self._ping):
            raise Unavailable("The hall cannot serve right now: its store or bus does not answer.")
        return Health()

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(HEALTH_SECONDS):
                await self._hall.reading.ping()
        except (HallError, TimeoutError):
            return False
        return True

    async def metrics(self, request: web.Request) -> web.Response:
        body, media_type = self._metrics.render(request.headers.get("Accept", ""))
        return web.Response(body=body, headers={"Content-Type": media_type})

    async def openapi(self, _: web.Request) -> dict[str, Any]:
        return self._openapi

    @cached_property
    def _openapi(self) -> dict[str, Any]:
        return openapi(self.routes, self._hall.games.values())

    async def asyncapi(self, request: web.Request) -> dict[str, Any]:
        doors = reachable(self._doors(), request.host)
        return {**self._asyncapi, "servers": servers(doors)}

    @cached_property
    def _asyncapi(self) -> dict[str, Any]:
        return asyncapi(self._hall.games.values())
