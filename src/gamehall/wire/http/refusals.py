"""How the hall's errors look over HTTP, and those that only HTTP has."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

from gamehall import errors
from gamehall.errors import HallError, Refused


class NoSuchPath(Refused):
    code = "no_such_path"
    message = "There is nothing here. `/api/openapi.json` lists every path."


class MethodNotAllowed(Refused):
    code = "method_not_allowed"
    message = "This path does not take that method."


_STATUS: dict[type[HallError], HTTPStatus] = {
    errors.Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.BadRequest: HTTPStatus.BAD_REQUEST,
    errors.BadName: HTTPStatus.BAD_REQUEST,
    errors.BadPassword: HTTPStatus.BAD_REQUEST,
    errors.BadOptions: HTTPStatus.BAD_REQUEST,
    errors.IllegalCommand: HTTPStatus.BAD_REQUEST,
    errors.NotLoggedIn: HTTPStatus.UNAUTHORIZED,
    errors.LoginFailed: HTTPStatus.UNAUTHORIZED,
    errors.BadToken: HTTPStatus.UNAUTHORIZED,
    errors.NotOperator: HTTPStatus.UNAUTHORIZED,
    errors.WrongKey: HTTPStatus.FORBIDDEN,
    errors.RegistrationClosed: HTTPStatus.FORBIDDEN,
    errors.NotSeated: HTTPStatus.FORBIDDEN,
    errors.NotOrganiser: HTTPStatus.FORBIDDEN,
    errors.UnknownAction: HTTPStatus.NOT_FOUND,
    errors.NoSuchGame: HTTPStatus.NOT_FOUND,
    errors.NoSuchTable: HTTPStatus.NOT_FOUND,
    errors.NoSuchRound: HTTPStatus.NOT_FOUND,
    errors.NoSuchPlayer: HTTPStatus.NOT_FOUND,
    errors.NoSuchChallenge: HTTPStatus.NOT_FOUND,
    errors.NoSuchMatch: HTTPStatus.NOT_FOUND,
    errors.NoSuchTournament: HTTPStatus.NOT_FOUND,
    errors.NoSuchBot: HTTPStatus.NOT_FOUND,
    errors.NoSuchServer: HTTPStatus.NOT_FOUND,
    NoSuchPath: HTTPStatus.NOT_FOUND,
    MethodNotAllowed: HTTPStatus.METHOD_NOT_ALLOWED,
    errors.Forgotten: HTTPStatus.GONE,
    errors.TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    errors.Internal: HTTPStatus.INTERNAL_SERVER_ERROR,
    # All others: it was understood, but as things stand it is not possible.
    HallError: HTTPStatus.CONFLICT,
}


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
