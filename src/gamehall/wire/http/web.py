"""Everything HTTP on the web port, as one aiohttp application: the API, and beside it the page,
health, metrics and the documents about the interfaces."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from gamehall.errors import HallError, Internal, NotOperator, Unavailable
from gamehall.hall.hall import Hall
from gamehall.wire.http.api import ROUTES
from gamehall.wire.http.api_arena import ARENA_ROUTES
from gamehall.wire.http.api_messages import Health
from gamehall.wire.http.api_tournaments import TOURNAMENT_ROUTES
from gamehall.wire.http.asyncapi import Doors, asyncapi, reachable, servers
from gamehall.wire.http.metrics import Metrics
from gamehall.wire.http.openapi import openapi
from gamehall.wire.http.page import (
    BUILT_PAGE,
    CONTENT_SECURITY_POLICY,
    ERROR_PAGE_POLICY,
    Page,
    error_page,
)
from gamehall.wire.http.refusals import (
    ErrorAnswer,
    ErrorInfo,
    MethodNotAllowed,
    NoSuchPath,
    status_of,
)
from gamehall.wire.http.route import HALL, OPERATOR_TOKEN, Route, json_response

log = structlog.get_logger(__name__)

API_ROUTES = (*ROUTES, *ARENA_ROUTES, *TOURNAMENT_ROUTES)

HEALTH_SECONDS = 2.0
"""How long store and bus have to answer."""
BODY_BYTES_MAX = 16_384
"""Of what a request sends along."""
RETRY_SECONDS = 1
KEEP_ALIVE_SECONDS = 30.0
"""How long a connection may wait between requests: it counts against the limits meanwhile."""
SHUTDOWN_SECONDS = 3.0
"""How long requests that are being answered may hold up a planned stop."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_FOR_PROGRAMS = re.compile(r"/(api|healthz|metrics)(/.*)?")
_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Server": "gamehall",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# Where the answer has none of its own.
_USUAL_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
}


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


def make_app(
    hall: Hall,
    *,
    doors: Doors,
    operator_token: str,
    started_ms: int,
    page: Path = BUILT_PAGE,
) -> web.Application:
    """The application of the web port. `doors` gives name and `HOST:PORT` of each open door;
    `page` is the folder of the built page."""
    metrics = Metrics(hall, started_ms)
    files = Page(page)
    site = Site(hall, doors, metrics, files)
    app = web.Application(middlewares=[_answer_errors], client_max_size=BODY_BYTES_MAX)
    app[HALL] = hall
    app[OPERATOR_TOKEN] = operator_token
    for route in site.routes:
        add = app.router.add_get if route.method == "GET" else app.router.add_post
        add(route.path, route.serve, name=route.name)
    # Not one of the routes that OpenAPI tells of: only the page knows what is there.
    app.router.add_get("/assets/{name}", files.asset)

    async def finish(_: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(_HEADERS)
        for name, value in _USUAL_HEADERS.items():
            response.headers.setdefault(name, value)
        metrics.http_responses.labels(str(response.status)).inc()

    app.on_response_prepare.append(finish)
    return app


async def start_app(app: web.Application) -> web.AppRunner:
    """The application, ready to serve: `runner.server` makes a protocol for each connection, and
    `runner.cleanup()` ends it."""
    logger = logging.getLogger("gamehall.wire.http")
    logger.addFilter(_without_request)
    # No access log: addresses hold the keys of private tables.
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=logger,
        keepalive_timeout=KEEP_ALIVE_SECONDS,
        shutdown_timeout=SHUTDOWN_SECONDS,
    )
    await runner.setup()
    return runner


def _without_request(record: logging.LogRecord) -> bool:
    """Lets aiohttp note a request that is none, but not repeat it at length."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        record.exc_info = None
    return True


@web.middleware
async def _answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except HallError as error:
        return _refuse(request, error)
    except web.HTTPNotFound:
        return _refuse(request, NoSuchPath())
    except web.HTTPMethodNotAllowed as error:
        response = _refuse(request, MethodNotAllowed())
        response.headers["Allow"] = error.headers["Allow"]
        return response
    except web.HTTPException:
        raise
    except Exception as error:
        if isinstance(error, ConnectionError) and _has_gone(request):
            return web.Response()  # To nobody: it is not sent.
        # Without the query: it may hold a table's key.
        log.exception("web_fault", path=request.path)
        return _refuse(request, Internal())


def _has_gone(request: web.Request) -> bool:
    """Whether the client has hung up while it was being answered."""
    return request.transport is None or request.transport.is_closing()


def _refuse(request: web.Request, error: HallError) -> web.Response:
    status = status_of(type(error))
    if _FOR_PROGRAMS.fullmatch(request.path):
        response = json_response(ErrorAnswer(ErrorInfo(error.code, str(error))), status)
    else:
        html = error_page(status.phrase, str(error))
        response = web.Response(text=html, status=status, content_type="text/html")
        response.headers["Content-Security-Policy"] = ERROR_PAGE_POLICY
    if isinstance(error, NotOperator):
        response.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, Unavailable):
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response
