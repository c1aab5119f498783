"""The command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from cyclopts import App, Parameter

from gamehall import __version__
from gamehall.cli.output import fail

COMMANDS = {
    "gamehall.cli.serve:serve": "Open the hall. The page is at http://HOST:PORT.",
    "gamehall.cli.play:play": "Play in a terminal: the hall, its tables, challenges and all games.",
    "gamehall.cli.play:watch": "Watch a table in a terminal, and talk to those who are there.",
    "gamehall.cli.bot.bot:bot": "Have a bot play at a hall, over the network, as anyone else does.",
    "gamehall.cli.verify:verify": (
        "Judge a finished log again: its numbers, its hashes, its secrets and every single command."
    ),
    "gamehall.cli.replay.replay:replay": (
        "Show a game from its log, step by step. Enter leads on, q quits."
    ),
    "gamehall.cli.doctor:doctor": (
        "Prove that what a hall has kept fits together: every balance, transfer, pot and journal."
    ),
    "gamehall.cli.check:check": (
        "Judge a game: determinism, replay, legal commands, secrets, JSON, ends, money, speed."
    ),
    "gamehall.cli.simulate:simulate": (
        "Play out random stories of people, nodes and faults, and judge what the hall did."
    ),
    "gamehall.cli.new:new": (
        "Write a small game and its test into this folder, to be changed into yours."
    ),
    "gamehall.cli.tournament.tournament:tournament": (
        "Tournaments at a hall: open, begin and see them. To play in one: gamehall bot --help"
    ),
    "gamehall.cli.bench:bench": (
        "Measure how fast a running hall takes moves, beside a bare echo in the same run."
    ),
}
"""Where each command is, and its first sentence: so that a list of all of them loads none, and a
command no other. A test compares the sentences."""


def command_line(words: Sequence[str] = ()) -> App:
    """All commands; those that are among these words speak for themselves, with all they say."""
    app = App(
        name="gamehall",
        help="An open game hall: play from a browser, a terminal or a bare socket.",
        version=__version__,
        default_parameter=Parameter(negative_iterable=()),
    )
    for place, sentence in COMMANDS.items():
        is_called = place.rpartition(":")[2] in words
        app.command(place, help=None if is_called else sentence)
    return app


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Runs the command of these words, or of the command line, and exits with its code."""
    called = sys.argv[1:] if words is None else words
    try:
        sys.exit(command_line(called)(called))
    except BrokenPipeError:
        # The reader of the output has gone, as `head` does. Python writes what is left at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        code = _exit_code(error)
        if code is None:
            raise
        sys.exit(fail(str(error), code))


def _exit_code(error: Exception) -> int | None:
    """Of an error that has a sentence for whoever called; None for any other."""
    # Here, because a command that goes well, or needs neither, should not wait for them.
    from gamehall.catalogue import GameFileError
    from gamehall.cli.source import SourceError

    match error:
        case SourceError():
            return error.exit_code
        case GameFileError():
            return 2
    return None


if __name__ == "__main__":
    main()
