"""The command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from cyclopts import App, Parameter

from gamehall import __version__
from gamehall.catalogue import GameFileError
from gamehall.cli.bench import bench
from gamehall.cli.bot.bot import bot
from gamehall.cli.check import check
from gamehall.cli.doctor import doctor
from gamehall.cli.new import new
from gamehall.cli.output import fail
from gamehall.cli.play import play, watch
from gamehall.cli.replay.replay import replay
from gamehall.cli.serve import serve
from gamehall.cli.simulate import simulate
from gamehall.cli.source import SourceError
from gamehall.cli.tournament.tournament import tournament
from gamehall.cli.verify import verify

app = App(
    name="gamehall",
    help="An open game hall: play from a browser, a terminal or a bare socket.",
    version=__version__,
    default_parameter=Parameter(negative_iterable=()),
)
for command in (
    *(serve, play, watch, bot, verify, replay, doctor, check, simulate, new, tournament, bench),
):
    app.command(command)


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Runs the command of these words, or of the command line, and exits with its code."""
    try:
        sys.exit(app(words))
    except SourceError as error:
        sys.exit(fail(str(error), error.exit_code))
    except GameFileError as error:
        sys.exit(fail(str(error), 2))
    except BrokenPipeError:
        # The reader of the output has gone, as `head` does. Python writes what is left at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
