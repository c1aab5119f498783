"""A person at a terminal: sees who is there, challenges, accepts or refuses, and plays."""

import os
import select
import sys
from collections.abc import Callable, Sequence

from utils.board import places_in_fours
from utils.connection import Connection, ConnectionLost, Hall
from utils.options import chosen_hall, hall_parser, run
from utils.protocol import (
    COLUMNS,
    Challenged,
    Error,
    FreePlayers,
    GameOver,
    GameStarted,
    GameUpdate,
    Message,
    Player,
    Refused,
    Rows,
    accept,
    challenge,
    list_players,
    play_move,
    refuse,
)
from utils.screen import Screen

LISTED_MAX = 15
"""More players do not fit on a small screen together with the rest."""
TYPED_BYTES_MAX = 4096

LOBBY_HELP = (
    "  list             see who is free",
    "  challenge NAME   ask for a game; the number in the list will do as well",
    "  accept           play with whoever challenges you; of several, accept NAME",
    "  refuse           or do not",
    "  quit             leave the hall",
)
GAME_HELP = (
    f"  1 to {COLUMNS}   drop a stone into this column",
    "  quit     give up the game, and leave the hall",
)


class Person:
    """Does what somebody types, and shows what the hall says."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._screen = Screen()
        self._connection: Connection
        self._typed = b""
        """The beginning of a line."""
        self._free: list[Player] = []
        """Those who were listed last."""
        self._challengers: list[Player] = []
        self._game: GameStarted | None = None
        self._interrupted: GameStarted | None = None
        """The game in which the connection was lost."""
        self._board: Rows = []
        self._our_turn = False
        self._leaving = False

    def play(self) -> None:
        """Returns when the person leaves. Raises CannotJoin or ProtocolError."""
        while not self._leaving:
            self._connection, _ = self._hall.join(
                lambda why: self._screen.show([f"Waiting for the hall ({why}). Ctrl-C gives up."])
            )
            try:
                self._show("You are in the hall. Type help to see what you can do.")
                self._connection.send(list_players())
                while not self._leaving:
                    self._hear_and_obey()
            except ConnectionLost as error:
                self._interrupted, self._game = self._game or self._interrupted, None
                self._challengers.clear()
                self._screen.show(["", f"The connection is lost: {error}."])
                # Without a goodbye, so that the game waits for us.
                self._connection.close()
            finally:
                self._connection.leave()

    def _hear_and_obey(self) -> None:
        """Waits for the hall or the person, whoever comes first."""
        while message := self._connection.receive(0):
            self._hear(message)
        ready, _, _ = select.select([self._connection, sys.stdin], [], [])
        if sys.stdin in ready:
            # Not `readline`: it may keep further lines to itself, where select does not see them.
            data = os.read(sys.stdin.fileno(), TYPED_BYTES_MAX)
            *lines, self._typed = (self._typed[-TYPED_BYTES_MAX:] + data).split(b"\n")
            for line in lines:
                self._obey(line.decode(errors="replace"))
            if not data:
                self._leave()

    def _show(self, *lines: str) -> None:
        if not self._game:
            prompt = "lobby> "
        elif self._our_turn:
            prompt = f"your column, 1 to {COLUMNS}> "
        else:
            prompt = f"{self._game.opponent} thinks> "
        self._screen.show(lines, prompt)

    # What the person types

    def _obey(self, line: str) -> None:
        command, *words = line.split() or [""]
        name = " ".join(words)
        match command.lower():
            case "":
                self._show()
            case "quit" | "q":
                self._leave()
            case "help" | "h":
                self._show(*(GAME_HELP if self._game else LOBBY_HELP))
            case column if self._game:
                self._drop(column)
            case "list" | "l":
                self._connection.send(list_players())
            case "challenge" | "c" if name:
                self._challenge(name)
            case "accept" | "a":
                self._answer(name, accept)
            case "refuse" | "r":
                self._answer(name, refuse)
            case _:
                self._show("You can type:", *LOBBY_HELP)

    def _leave(self) -> None:
        self._leaving = True
        self._screen.show(["You leave the hall."])

    def _drop(self, column: str) -> None:
        if column in map(str, range(1, COLUMNS + 1)):
            self._connection.send(play_move(int(column) - 1))
        else:
            self._show("You can type:", *GAME_HELP)

    def _challenge(self, name: str) -> None:
        match _called(name, self._free):
            case [player]:
                self._connection.send(challenge(player.id))
                self._show(f"You challenge {player.name}, and wait for an answer.")
            case []:
                self._show(f"There is no {name} in the list. Type list for a new one.")
            case _:
                self._show(f"There are several: type the number that {name} has in the list.")

    def _answer(self, name: str, answer: Callable[[str], bytes]) -> None:
        match _called(name, self._challengers) if name else self._challengers:
            case [challenger]:
                self._challengers.remove(challenger)
                self._connection.send(answer(challenger.id))
                self._show()
            case []:
                self._show(f"There is no challenge by {name or 'anybody'}.")
            case _:
                self._show("Several challenge you. Add a name:", *_numbered(self._challengers))

    # What the hall says

    def _hear(self, message: Message) -> None:
        match message:
            case FreePlayers(players) if not self._game:
                self._list(players)
            case Challenged(challenger):
                if challenger not in self._challengers:
                    self._challengers.append(challenger)
                self._show("", f"{challenger.name} challenges you: accept, or refuse?")
            case Refused(reason):
                self._show("", f"No game: {reason}")
            case GameStarted():
                self._start(message)
            case GameUpdate() if self._game:
                self._update(self._game, message)
            case GameOver(won, reason):
                self._game = None
                result = {True: "You have won.", False: "You have lost.", None: "Nobody has won."}
                self._show("", f"{result[won]} {reason}", "")
                self._connection.send(list_players())
            case Error(text):
                self._show(text)

    def _list(self, players: list[Player]) -> None:
        if self._interrupted:
            # The hall would have told us first.
            self._show("Your game was over before you came back.")
            self._interrupted = None
        self._free = players
        # Nobody tells us when a challenge is over, but who plays no longer waits for our answer.
        self._challengers = [player for player in self._challengers if player in players]
        if not players:
            self._show("Nobody else is free. Type list to look again.")
            return
        more = len(players) - LISTED_MAX
        self._show(
            "These are free; type challenge and a name or number:",
            *_numbered(players[:LISTED_MAX]),
            *([f"  and {more} more"] if more > 0 else []),
        )

    def _start(self, start: GameStarted) -> None:
        goes_on = self._interrupted is not None and self._interrupted.game_id == start.game_id
        self._game, self._interrupted = start, None
        self._challengers.clear()
        self._board, self._our_turn = [], False
        if goes_on:
            news = f"Your game against {start.opponent} goes on."
        else:
            news = f"You play against {start.opponent}."
        beginner = "You begin." if start.number == 1 else f"{start.opponent} begins."
        self._show("", news, f"Your stones are {self._screen.stone(start.number)}. {beginner}")

    def _update(self, game: GameStarted, update: GameUpdate) -> None:
        new = {
            (row, column)
            for row, before in enumerate(self._board)
            for column, number in enumerate(before)
            if number != update.board[row][column]
        }
        self._board = update.board
        self._our_turn = update.current_player == game.number and not update.game_over
        self._show("", *self._screen.board(update.board, places_in_fours(update.board) or new))


def _called(name: str, players: Sequence[Player]) -> list[Player]:
    """Those with this name, or the one with this number in the list."""
    if name.isdecimal() and 1 <= int(name) <= len(players):
        return [players[int(name) - 1]]
    return [player for player in players if player.name.casefold() == name.casefold()]


def _numbered(players: Sequence[Player]) -> list[str]:
    return [f"{number:4}  {player.name}" for number, player in enumerate(players, 1)]


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    parser = hall_parser(
        "Lets you play Connect Four in a game hall, at a terminal.",
        "python3 player --human --host localhost --name Ada",
    )
    return run(Person(chosen_hall(parser.parse_args(arguments))).play)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
