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

from typing import ClassVar


class HallError(Exception):
    code: ClassVar[str]
    message: ClassVar[str]

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.message)


class Conflict(HallError):
    code = "conflict"
    message = "Another node has taken over this table."


class Unavailable(HallError):
    """Perhaps done: the same request id sent again gets the true answer."""

    code = "unavailable"
    message = "The hall cannot save right now. Send the same request again in a moment."


class Refused(HallError):
    code = "refused"
    message = "That is not possible."


# What was asked cannot be understood.


class BadRequest(Refused):
    code = "bad_request"
    message = "This message does not have the expected form."


class UnknownAction(Refused):
    code = "unknown_action"
    message = "There is no such action."


class TooLarge(Refused):
    code = "too_large"
    message = "This message is larger than the hall accepts."


class RateLimited(Refused):
    code = "rate_limited"
    message = "Too many messages at once. Wait a moment and send it again."


class Forgotten(Refused):
    """Nobody can tell whether it was done before: so it is not done."""

    code = "forgotten"
    message = "What happened there is not kept any more, so nobody can tell whether this was done."


class Internal(Refused):
    """Our fault. The details are in the log, under the table's number."""

    code = "internal"
    message = "Something went wrong here. It has been noted; nothing was changed."


# Who asks.


class NotLoggedIn(Refused):
    code = "not_logged_in"
    message = "Say hello first."


class LoginFailed(Refused):
    code = "login_failed"
    message = "Name and password do not match."


class BadToken(Refused):
    code = "bad_token"
    message = "This token is not valid any more. Say hello without it, or log in."


class BadName(Refused):
    code = "bad_name"
    message = "A name has 1 to 32 printable characters."


class BadPassword(Refused):
    code = "bad_password"
    message = "A password has 6 to 128 characters."


class NameTaken(Refused):
    code = "name_taken"
    message = "Someone else has this name. Choose another."


class NotOperator(Refused):
    code = "not_operator"
    message = "This is for the operator. Send the operator's token."


class NotOrganiser(Refused):
    code = "not_organiser"
    message = "This is for whoever opened the tournament."


class RegistrationClosed(Refused):
    code = "registration_closed"
    message = "This hall does not take new accounts. Ask its operator for one."


# What is asked for.


class NoSuchGame(Refused):
    code = "no_such_game"
    message = "This hall does not have that game. `list_games` names those it has."


class NoSuchTable(Refused):
    code = "no_such_table"
    message = "There is no such table. `list_tables` names those that are open."


class NoSuchRound(Refused):
    code = "no_such_round"
    message = "There is no such round at this table."


class NoSuchPlayer(Refused):
    code = "no_such_player"
    message = "There is no such player here."


class NoSuchTournament(Refused):
    code = "no_such_tournament"
    message = "There is no such tournament. `list_tournaments` names those there are."


class NoSuchChallenge(Refused):
    code = "no_such_challenge"
    message = "This challenge is over: answered, withdrawn or expired."


class NoSuchMatch(Refused):
    code = "no_such_match"
    message = "No match is waiting for this player with this key. Ask who has set it up."


class NoSuchBot(Refused):
    code = "no_such_bot"
    message = "There is no bot of that level for this game."


class NoSuchServer(Refused):
    code = "no_such_server"
    message = "No game server of that id has registered here."


class ServerUnreachable(Refused):
    code = "server_unreachable"
    message = "The game server is not connected."


class ServerRefused(Refused):
    code = "server_refused"
    message = "The game server does not want this match."


class HallUnreachable(Refused):
    code = "hall_unreachable"
    message = "The other hall does not answer. Look at its address, or try again later."


class WrongKey(Refused):
    code = "wrong_key"
    message = "This table is private. Ask whoever opened it for the key."


class BadOptions(Refused):
    code = "bad_options"
    message = "The game cannot be played with these options."


class TooMany(Refused):
    code = "too_many"
    message = "You have too many of these open. Close one first."


# What may be done at a table.


class TableFull(Refused):
    code = "table_full"
    message = "All seats are taken or reserved. You can watch."


class SeatTaken(Refused):
    code = "seat_taken"
    message = "Someone sits there. Choose another seat."


class SeatsDrawn(Refused):
    code = "seats_drawn"
    message = "At this table the draw assigns the seats. Sit without naming one."


class NotSeated(Refused):
    code = "not_seated"
    message = "You do not sit at this table."


class NotStarted(Refused):
    code = "not_started"
    message = "The game begins when all seats are taken."


class NotYourTurn(Refused):
    code = "not_your_turn"
    message = "It is not your turn."


class TimeNotUp(Refused):
    code = "time_not_up"
    message = "There is time left for this move."


class RoundOver(Refused):
    code = "round_over"
    message = "This game is over."


class RoundRunning(Refused):
    code = "round_running"
    message = "The game is still being played."


class NotAnalysed(Refused):
    code = "not_analysed"
    message = "Only games of Connect Four, on the standard board, can be analysed."


class TableClosed(Refused):
    code = "table_closed"
    message = "This table is closed."


class IllegalCommand(Refused):
    code = "illegal_command"
    message = "This game has no such command."


class NoFunds(Refused):
    code = "no_funds"
    message = "You do not have that many chips."


class NotAllowed(Refused):
    code = "not_allowed"
    message = "This is not allowed in this hall."


class NotBroke(Refused):
    code = "not_broke"
    message = "New chips are for those who have nearly none left."


class RefilledToday(Refused):
    code = "refilled_today"
    message = "You have had new chips within the last day. Come back tomorrow."


class NotFree(Refused):
    code = "not_free"
    message = "This player is in a game or not here."
