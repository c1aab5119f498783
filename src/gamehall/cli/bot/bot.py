"""`gamehall bot`: a player that is a program of its own, at any hall it can reach."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import App, Parameter

from gamehall.bots.program import MOVE_SECONDS, ProgramContender
from gamehall.cli.bot.at_hall import PROGRAM, chosen_bot, log, play_at_hall
from gamehall.cli.bot.duel import duel
from gamehall.cli.bot.match import match
from gamehall.cli.options import HERE, NativeDoor, RulesFiles
from gamehall.client.engagement import ANY_GAMES, Engagement
from gamehall.games.game import Game

bot = App(name="bot")
Engaged = Annotated[Engagement, Parameter(name="*", group="Its games")]


@bot.default
def play(
    game: str,
    /,
    *,
    level: str | None = None,
    seed: int | None = None,
    rules: RulesFiles = (),
    engagement: Engaged = ANY_GAMES,
    door: NativeDoor = HERE,
) -> int:
    """Have a bot play at a hall, over the network, as anyone else does.

    It seeks an opponent, accepts every challenge to its game, agrees to a rematch, and then seeks
    the next one; a game that waits for nobody, such as Sic Bo or Bingo, it plays at the hall's own
    table, and leaves it to others to start a round. When the hall goes away it comes back and plays
    on. Ctrl-C ends it; a running game is then given up.

    A game that is called as one of the commands below is meant by `gamehall bot -- match`.

    Example: gamehall bot connect-four --level random --games 10

    Example: gamehall bot connect-four --tournament 7 --club north

    Example: gamehall bot connect-four --url ws://south.example.org:8000/ws --away 1 --club south

    Parameters
    ----------
    game
        The game's name, as the hall lists it.
    level
        How well it plays: `random` for every game, and those made for it; the strongest if not
        given. `perfect` is for Connect Four, where the solver is installed, and has to be named.
    seed
        Makes a bot's choices the same each time, as far as its opponents' are.
    """
    return play_at_hall(game, rules, lambda game: chosen_bot(game, level), seed, engagement, door)


def program(
    game: str,
    command: str,
    /,
    *,
    move_seconds: float = MOVE_SECONDS,
    seed: int | None = None,
    rules: RulesFiles = (),
    engagement: Engaged = ANY_GAMES,
    door: NativeDoor = HERE,
) -> int:
    """Have your own program play at a hall, in whatever language it is written.

    docs/write-a-bot.md says what it reads and writes. All else is as with `gamehall bot`.

    Example: gamehall bot program connect-four "./mybot --fast" --games 10

    Parameters
    ----------
    game
        The game's name, as the hall lists it.
    command
        A command that is run for each game, and plays it.
    move_seconds
        How long the program may think about a move before it loses the game.
    seed
        The program is told a seed that follows from this one.
    """

    def choose(_: Game[Any]) -> tuple[str, ProgramContender]:
        return PROGRAM, ProgramContender(command, move_seconds=move_seconds, log=log)

    return play_at_hall(game, rules, choose, seed, engagement, door)


for command in (match, program, duel):
    bot.command(command)
