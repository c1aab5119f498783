"""What only the operator may do and read over HTTP, with the token from the data folder."""

from __future__ import annotations

import structlog

from gamehall.errors import NoSuchTable, NotStarted, RoundOver, TableClosed, Unavailable
from gamehall.hall.hall import Hall
from gamehall.wire.http import api_messages as a
from gamehall.wire.http.route import Route
from gamehall.wire.native.messages import Limit, TableId

log = structlog.get_logger(__name__)


async def void(hall: Hall, id: TableId, asked: a.VoidRound) -> a.VoidedRound:
    table = await hall.reading.load(id)
    await hall.seating.void(id, asked.reason)
    # The next round opens after a pause at the earliest.
    round = table.state.opened.round
    log.info("round_voided", table=id, round=round)
    return a.VoidedRound(id, round)


async def reports(hall: Hall, after: a.Before | None = None, limit: Limit = 50) -> a.ReportsPage:
    found = await hall.reports.page(after, limit)
    return a.ReportsPage(found, found[-1].id if len(found) == limit else None)


OPERATOR_ROUTES = (
    Route(
        "voidRound",
        "/api/tables/{id}/void",
        "Calls the running round off: every stake goes back, and the secret is told",
        void,
        (NoSuchTable, RoundOver, NotStarted, TableClosed, Unavailable),
        method="POST",
        operator=True,
    ),
    Route(
        "listReports",
        "/api/reports",
        "What players have reported of others, the newest first",
        reports,
        (Unavailable,),
        operator=True,
    ),
)
