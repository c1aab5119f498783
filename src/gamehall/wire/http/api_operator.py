"""What only the operator may do and read over HTTP, with the token from the data folder."""

from __future__ import annotations

import structlog

from gamehall.errors import NoSuchTable, NotStarted, RoundOver, TableClosed, Unavailable
from gamehall.hall.hall import Hall
from gamehall.wire.http import api_messages as a
from gamehall.wire.http.route import Route

log = structlog.get_logger(__name__)


async def void(hall: Hall, params: a.ById, asked: a.VoidRound) -> a.VoidedRound:
    table = await hall.reading.load(params.id)
    await hall.seating.void(params.id, asked.reason)
    # The next round opens after a pause at the earliest.
    round = table.state.opened.round
    log.info("round_voided", table=params.id, round=round)
    return a.VoidedRound(params.id, round)


async def reports(hall: Hall, params: a.ReportsParams) -> a.ReportsPage:
    found = await hall.reports.page(params.after, params.limit)
    return a.ReportsPage(found, found[-1].id if len(found) == params.limit else None)


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
