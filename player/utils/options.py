"""What both programs can be told on the command line, or by the environment of a container."""

import argparse
import io
import math
import os
import signal
import socket
import sys
from collections.abc import Callable

from utils.connection import CannotJoin, Hall
from utils.protocol import ProtocolError

NAME_LENGTH_MAX = 32
PORT_MAX = 65535


def hall_parser(description: str, example: str) -> argparse.ArgumentParser:
    """A parser of the options that say where the hall is and who comes there."""
    parser = argparse.ArgumentParser(
        prog="player", description=description, epilog=f"Example: {example}", allow_abbrev=False
    )
    parser.add_argument(
        "--host",
        default=os.environ.get("GAMEHALL_HOST") or "127.0.0.1",
        help="where the hall is (GAMEHALL_HOST, or %(default)s)",
    )
    parser.add_argument(
        "--port",
        type=whole_number(1, PORT_MAX),
        default=os.environ.get("GAMEHALL_PORT") or "5555",
        help="the port of its door `four` (GAMEHALL_PORT, or %(default)s)",
    )
    parser.add_argument(
        "--name",
        default=(os.environ.get("PLAYER_NAME") or socket.gethostname())[:NAME_LENGTH_MAX],
        help="how the player is called (PLAYER_NAME, or %(default)s)",
    )
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=seconds,
        default=60.0,
        help="how long to wait for a hall that is away (%(default)g)",
    )
    return parser


def whole_number(least: int, most: float = math.inf) -> Callable[[str], int]:
    """Reads an option's value."""

    def whole_number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise ValueError
        return value

    return whole_number


def seconds(text: str) -> float:
    """Reads an option's value."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError
    return value


def chosen_hall(options: argparse.Namespace) -> Hall:
    """The hall that these options name."""
    return Hall(options.host, options.port, options.name, options.patience)


def run(play: Callable[[], None]) -> int:
    """The exit code: 0 if it ends by itself, by Ctrl-C, or by SIGTERM as when a container stops."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that this terminal has no signs for is no reason to fail.
        sys.stdout.reconfigure(errors="replace")
    try:
        play()
    except KeyboardInterrupt:
        if sys.stdout.isatty():
            # Whatever comes next does not stand behind a ^C.
            sys.stdout.write("\n")
        return 0
    except (CannotJoin, ProtocolError) as error:
        sys.stderr.write(f"player: {error}\n")
        return 1
    return 0
