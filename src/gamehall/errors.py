"""Every error raised on purpose.

* HallError
    * Refused      answer this player; state unchanged; the connection stays
    * Conflict     another writer won; reload and decide again
    * Unavailable  store or bus out of reach, or too much at once; send the same request again

Anything else is our bug: it ends one table, never the server.

A refusal's `code` is stable and goes out on every wire; its text is for people and may change.
docs/errors.md lists them all, and a test compares. Games add their own beside their rules.
"""

from __future__ import annotations

import re
from typing import ClassVar


def snake_case(name: str) -> str:
    """`NoSuchTable` is `no_such_table`: so classes are called on the wire."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class HallError(Exception):
    code: ClassVar[str]
    """The class's name, unless it says another; one without a `message` has its parent's."""
    message: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "message" in vars(cls) and "code" not in vars(cls):
            cls.code = snake_case(cls.__name__)

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.message)


class Conflict(HallError):
    message = "Another node has taken over this table."


class Unavailable(HallError):
    """Perhaps done: the same request id sent again gets the true answer."""

    message = "The hall cannot save right now. Send the same request again in a moment."


class Refused(HallError):
    message = "That is not possible."


# What was asked cannot be understood.


class BadRequest(Refused):
    message = "This message does not have the expected form."


class UnknownAction(Refused):
    message = "There is no such action."


class TooLarge(Refused):
    message = "This message is larger than the hall accepts."


class RateLimited(Refused):
    message = "Too many messages at once. Wait a moment and send it again."


class Forgotten(Refused):
    """Nobody can tell whether it was done before: so it is not done."""

    message = "What happened there is not kept any more, so nobody can tell whether this was done."


class Internal(Refused):
    """Our fault. The details are in the log, under the table's number."""

    message = "Something went wrong here. It has been noted; nothing was changed."


# Who asks.


class NotLoggedIn(Refused):
    message = "Say hello first."


class LoginFailed(Refused):
    message = "Name and password do not match."


class BadToken(Refused):
    message = "This token is not valid any more. Say hello without it, or log in."


class BadName(Refused):
    message = "A name has 1 to 32 printable characters."


class BadPassword(Refused):
    message = "A password has 6 to 128 characters."


class NameTaken(Refused):
    message = "Someone else has this name. Choose another."


class NotOperator(Refused):
    message = "This is for the operator. Send the operator's token."


class NotOrganiser(Refused):
    message = "This is for the player who opened the tournament."


class RegistrationClosed(Refused):
    message = "This hall does not take new accounts. Ask its operator for one."


# What is asked for.


class NoSuchGame(Refused):
    message = "This hall does not have that game. `list_games` names those it has."


class NoSuchTable(Refused):
    message = "There is no such table. `list_tables` names those that are open."


class NoSuchRound(Refused):
    message = "There is no such round at this table."


class NoSuchPlayer(Refused):
    message = "There is no such player here."


class NoSuchTournament(Refused):
    message = "There is no such tournament. `list_tournaments` names those there are."


class NoSuchChallenge(Refused):
    message = "This challenge is over: answered, withdrawn or expired."


class NoSuchMatch(Refused):
    message = "No match is waiting for this player with this key. Ask who has set it up."


class NoSuchBot(Refused):
    message = "There is no bot of that level for this game."


class NoSuchServer(Refused):
    message = "No game server of that id has registered here."


class ServerUnreachable(Refused):
    message = "The game server is not connected."


class ServerRefused(Refused):
    message = "The game server does not want this match."


class HallUnreachable(Refused):
    message = "The other hall does not answer. Look at its address, or try again later."


class WrongKey(Refused):
    message = "This table is private. Ask the player who opened it for the key."


class BadOptions(Refused):
    message = "The game cannot be played with these options."


class TooMany(Refused):
    message = "You have too many of these open. Close one first."


# What may be done at a table.


class TableFull(Refused):
    message = "All seats are taken or reserved. You can watch."


class SeatTaken(Refused):
    message = "Someone sits there. Choose another seat."


class SeatsDrawn(Refused):
    message = "At this table the draw assigns the seats. Sit without naming one."


class NotSeated(Refused):
    message = "You do not sit at this table."


class NotStarted(Refused):
    message = "The game begins when all seats are taken."


class NotYourTurn(Refused):
    message = "It is not your turn."


class TimeNotUp(Refused):
    message = "There is time left for this move."


class RoundOver(Refused):
    message = "This game is over."


class RoundRunning(Refused):
    message = "The game is still being played."


class NotAnalysed(Refused):
    message = "Only games of Connect Four, on the standard board, can be analysed."


class TableClosed(Refused):
    message = "This table is closed."


class IllegalCommand(Refused):
    message = "This game has no such command."


class NoFunds(Refused):
    message = "You do not have that many chips."


class NotAllowed(Refused):
    message = "This is not allowed in this hall."


class NotBroke(Refused):
    message = "New chips are for those who have nearly none left."


class RefilledToday(Refused):
    message = "You have had new chips within the last day. Come back tomorrow."


class NotFree(Refused):
    message = "This player is in a game or not here."
