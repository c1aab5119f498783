"""What only the operator may do and read over HTTP, with the token from the data folder."""

from __future__ import annotations

import hmac

import structlog
from aiohttp import web

from gamehall.errors import (
    BadRequest,
    NoSuchTable,
    NotOperator,
    NotStarted,
    RoundOver,
    TableClosed,
    TooLarge,
    Unavailable,
)
from gamehall.wire.http import api_messages as a
from gamehall.wire.http.api import HALL, Route

log = structlog.get_logger(__name__)

OPERATOR_TOKEN = web.AppKey("operator_token", str)
"""What a request has to show that changes something, or reads what is not for everyone."""


async def void(request: web.Request, params: a.TableIdParams, asked: a.VoidRound) -> a.VoidedRound:
    hall = request.app[HALL]
    table = await hall.reading.load(params.id)
    await hall.seating.void(params.id, asked.reason)
    # The next round opens after a pause at the earliest.
    round = table.state.opened.round
    log.info("round_voided", table=params.id, round=round)
    return a.VoidedRound(params.id, round)


async def reports(request: web.Request, params: a.ReportsParams) -> a.ReportsPage:
    found = await request.app[HALL].reports.page(params.after, params.limit)
    return a.ReportsPage(found, found[-1].id if len(found) == params.limit else None)


def check_operator(request: web.Request) -> None:
    """Raises NotOperator."""
    shown = request.headers.get("Authorization", "").encode(errors="surrogateescape")
    expected = f"Bearer {request.app[OPERATOR_TOKEN]}".encode()
    if not hmac.compare_digest(shown, expected):
        raise NotOperator


OPERATOR_ROUTES = (
    Route(
        "voidRound",
        "/api/tables/{id}/void",
        "Calls the running round off: every stake goes back, and the secret is told",
        void,
        a.TableIdParams,
        a.VoidedRound,
        (
            BadRequest, NotOperator, NoSuchTable, RoundOver, NotStarted, TableClosed, TooLarge,
            Unavailable,
        ),
        method="POST",
        body=a.VoidRound,
    ),
    Route(
        "listReports",
        "/api/reports",
        "What players have reported of others, the newest first",
        reports,
        a.ReportsParams,
        a.ReportsPage,
        (BadRequest, NotOperator, Unavailable),
    ),
)  # fmt: skip
