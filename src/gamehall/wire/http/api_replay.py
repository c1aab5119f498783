"""Finished rounds over HTTP: as they can be shown again, and what each move was worth."""

from __future__ import annotations

from aiohttp import web

from gamehall.errors import (
    BadRequest,
    NoSuchGame,
    NoSuchRound,
    NoSuchTable,
    NotAnalysed,
    RoundRunning,
    Unavailable,
    WrongKey,
)
from gamehall.hall.records.analysis import Analysis
from gamehall.hall.records.replays import Replay
from gamehall.wire.http import api_messages as a
from gamehall.wire.http.api import HALL, Route


async def replay(request: web.Request, params: a.ReplayParams) -> Replay:
    return await request.app[HALL].replays.page(
        params.id, params.key, params.round, params.seat, params.after, params.limit
    )


async def analysis(request: web.Request, params: a.AnalysisParams) -> Analysis:
    return await request.app[HALL].analyses.of(params.id, params.key, params.round)


REPLAY_ROUTES = (
    Route(
        "getReplay",
        "/api/tables/{id}/replay",
        "A round that is over, step by step: what happened, and how the table stood then",
        replay,
        a.ReplayParams,
        Replay,
        (BadRequest, NoSuchTable, NoSuchRound, NoSuchGame, RoundRunning, WrongKey, Unavailable),
    ),
    Route(
        "getAnalysis",
        "/api/tables/{id}/analysis",
        "What every move of a finished game of Connect Four was worth",
        analysis,
        a.AnalysisParams,
        Analysis,
        (BadRequest, NoSuchTable, NoSuchRound, NotAnalysed, RoundRunning, WrongKey, Unavailable),
    ),
)
