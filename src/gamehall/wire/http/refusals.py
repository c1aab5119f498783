"""How the hall's errors look over HTTP, and those that only HTTP has."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

import msgspec

from gamehall import errors
from gamehall.errors import HallError, Refused


class ErrorInfo(msgspec.Struct, frozen=True):
    code: str
    message: str


class ErrorAnswer(msgspec.Struct, frozen=True):
    error: ErrorInfo


class NoSuchPath(Refused):
    message = "There is nothing here. `/api/openapi.json` lists every path."


class MethodNotAllowed(Refused):
    message = "This path does not take that method."


_BY_STATUS: dict[HTTPStatus, tuple[type[HallError], ...]] = {
    HTTPStatus.SERVICE_UNAVAILABLE: (errors.Unavailable,),
    HTTPStatus.BAD_REQUEST: (
        errors.BadRequest, errors.BadName, errors.BadPassword, errors.BadOptions,
        errors.IllegalCommand,
    ),
    HTTPStatus.UNAUTHORIZED: (
        errors.NotLoggedIn, errors.LoginFailed, errors.BadToken, errors.NotOperator,
    ),
    HTTPStatus.FORBIDDEN: (
        errors.WrongKey, errors.RegistrationClosed, errors.NotSeated, errors.NotOrganiser,
    ),
    HTTPStatus.NOT_FOUND: (
        errors.UnknownAction, errors.NoSuchGame, errors.NoSuchTable, errors.NoSuchRound,
        errors.NoSuchPlayer, errors.NoSuchChallenge, errors.NoSuchMatch, errors.NoSuchTournament,
        errors.NoSuchBot, errors.NoSuchServer, NoSuchPath,
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: (MethodNotAllowed,),
    HTTPStatus.GONE: (errors.Forgotten,),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (errors.TooLarge,),
    HTTPStatus.TOO_MANY_REQUESTS: (errors.RateLimited,),
    HTTPStatus.INTERNAL_SERVER_ERROR: (errors.Internal,),
    # All others: it was understood, but as things stand it is not possible.
    HTTPStatus.CONFLICT: (HallError,),
}  # fmt: skip
_STATUS = {error: status for status, group in _BY_STATUS.items() for error in group}


def status_of(error: type[HallError]) -> HTTPStatus:
    """The HTTP status that goes with an error."""
    return next(_STATUS[base] for base in error.__mro__ if base in _STATUS)


def all_errors(modules: Iterable[str] = ()) -> list[type[HallError]]:
    """Every error of the house, and of the named modules, in the order of their codes."""
    named = set(modules)
    found: list[type[HallError]] = []
    waiting = [HallError]
    while waiting:
        error = waiting.pop()
        waiting += error.__subclasses__()
        ours = error.__module__.startswith("gamehall.") or error.__module__ in named
        if ours and "code" in vars(error):
            found.append(error)
    return sorted(found, key=lambda error: error.code)
