"""A player that is a program: it looks for others, challenges them and plays, again and again."""

import sys
import time
from collections.abc import Sequence
from random import Random

from utils.connection import Connection, ConnectionLost, Hall
from utils.game import Game
from utils.options import chosen_hall, hall_parser, run, seconds, whole_number
from utils.partners import Partners
from utils.protocol import (
    Challenged,
    Error,
    FreePlayers,
    GameOver,
    GameStarted,
    GameUpdate,
    Message,
    Player,
    Refused,
    accept,
    challenge,
    list_players,
    play_move,
)
from utils.screen import say

ANSWER_SECONDS = 20.0
"""How long somebody has to answer our challenge before we look for somebody else."""
DOUBT_SECONDS = 1.0
"""How long the hall has to show what came of something: of an accepted challenge, of an error."""
IDLE_SECONDS = 60.0
"""How long we listen at a time when it is not for us to do anything."""
LONELY_SECONDS = 30.0


class AiPlayer:
    """Plays in a hall until it has played enough games, or is left alone."""

    def __init__(
        self, hall: Hall, partners: Partners, depth: int, games: int, chance: Random
    ) -> None:
        """`depth` is how many moves it looks ahead; 0 for `games`: it never has enough."""
        self._hall = hall
        self._partners = partners
        self._depth = depth
        self._games = games
        self._chance = chance
        self._connection: Connection
        self._wake_at = 0.0
        """When to do something even if nothing is heard."""
        self._game: Game | None = None
        self._interrupted: Game | None = None
        """The game in which the connection was lost."""
        self._played = 0
        self._done = False

    def play(self) -> None:
        """Returns when it is done. Raises CannotJoin or ProtocolError."""
        while not self._done:
            self._connection, id = self._hall.join(lambda why: say(f"waiting for the hall: {why}"))
            try:
                say(f"registered as {id}")
                # Whoever comes back asks at once whether the game still goes on.
                self._wake_in(0 if self._interrupted else self._partners.pause_seconds())
                while not self._done:
                    message = self._connection.receive(self._wake_at - time.monotonic())
                    if message is None:
                        self._wake()
                    else:
                        self._hear(message)
            except ConnectionLost as error:
                say(f"connection lost: {error}")
                self._interrupted, self._game = self._game or self._interrupted, None
                # Without a goodbye, so that the game waits for us.
                self._connection.close()
            finally:
                self._connection.leave()

    def _wake_in(self, seconds: float) -> None:
        self._wake_at = time.monotonic() + seconds

    def _hear(self, message: Message) -> None:
        match message:
            case GameStarted():
                self._start(message)
            case GameUpdate() if self._game:
                self._wake_in(IDLE_SECONDS)
                if self._game.see(message):
                    self._move(self._game)
            case GameOver() if self._game:
                self._finish(self._game, message)
            case FreePlayers(players) if not self._game:
                self._meet(players)
            case Challenged(challenger) if not self._game:
                self._accept(challenger)
            case Refused(reason) if not self._game:
                say(f"no game: {reason}")
                self._look_further()
            case Error(text):
                say(f"error: {text}")
                if not self._game:
                    self._look_further()
                else:
                    self._game.doubt()
                    self._wake_in(DOUBT_SECONDS)

    def _wake(self) -> None:
        """Nothing was heard for as long as we wanted to listen."""
        if not self._game:
            self._look_around()
        elif self._game.in_doubt:
            self._game.refused()
            self._move(self._game)
        else:
            self._wake_in(IDLE_SECONDS)

    # In the lobby

    def _look_around(self) -> None:
        now = time.monotonic()
        self._partners.give_up(now)
        if self._partners.lonely(now):
            say("nobody is left to play with")
            self._done = True
        else:
            self._connection.send(list_players())
            self._wake_in(self._partners.pause_seconds())

    def _meet(self, players: list[Player]) -> None:
        self._end_interrupted()
        partner = self._partners.choose(players, time.monotonic())
        if partner and not self._done:
            say(f"challenging {partner.name}")
            self._connection.send(challenge(partner.id))
            self._wake_in(ANSWER_SECONDS * self._chance.uniform(0.5, 1))

    def _accept(self, challenger: Player) -> None:
        """Also if we wait for somebody else's answer: if all did that, nobody would play."""
        say(f"accepting the challenge of {challenger.name}")
        self._partners.met(time.monotonic())
        self._connection.send(accept(challenger.id))
        self._wake_in(DOUBT_SECONDS)

    def _look_further(self) -> None:
        self._partners.give_up(time.monotonic())
        self._wake_in(self._partners.pause_seconds())

    # In a game

    def _start(self, start: GameStarted) -> None:
        if self._interrupted and self._interrupted.id == start.game_id:
            self._interrupted = None
            say(f"game {start.game_id}: goes on")
        else:
            self._end_interrupted()
            begins = "we begin" if start.number == 1 else "they begin"
            say(f"game {start.game_id}: started against {start.opponent}, {begins}")
        self._game = Game(start)
        self._partners.met(time.monotonic())
        self._wake_in(IDLE_SECONDS)

    def _move(self, game: Game) -> None:
        self._connection.send(play_move(game.choose(self._depth, self._chance)))
        self._wake_in(IDLE_SECONDS)

    def _finish(self, game: Game, over: GameOver) -> None:
        result = {True: "won against", False: "lost to", None: "no winner against"}[over.won]
        say(f"game {game.id}: {result} {game.opponent} ({over.reason.rstrip('.')})")
        self._game = None
        self._count_game()

    def _end_interrupted(self) -> None:
        """The hall tells of a game that goes on before it tells of anything else."""
        if self._interrupted:
            say(f"game {self._interrupted.id}: over while we were away")
            self._interrupted = None
            self._count_game()

    def _count_game(self) -> None:
        self._played += 1
        self._done = self._played == self._games
        self._partners.met(time.monotonic())
        self._wake_in(self._partners.pause_seconds())


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    parser = hall_parser(
        "Plays Connect Four in a game hall against whoever is there, until it is stopped. "
        "With --human, a person plays in its place.",
        "python3 player --host localhost --name Ada --depth 4 --games 10",
    )
    parser.add_argument(
        "--depth",
        metavar="MOVES",
        type=whole_number(1),
        default=6,
        help="how many moves it looks ahead (%(default)s)",
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=whole_number(0),
        default=0,
        help="leave after so many games; 0: never (%(default)s)",
    )
    parser.add_argument(
        "--lonely",
        metavar="SECONDS",
        type=seconds,
        help="leave when nobody else was there for so long; 0: never "
        f"({LONELY_SECONDS:g} with --games, else 0)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        help="makes all that it leaves to chance the same each time",
    )
    options = parser.parse_args(arguments)
    lonely_seconds = options.lonely
    if lonely_seconds is None:
        lonely_seconds = LONELY_SECONDS if options.games else 0
    chance = Random(options.seed)
    partners = Partners(chance, lonely_seconds)
    player = AiPlayer(chosen_hall(options), partners, options.depth, options.games, chance)
    return run(player.play)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
