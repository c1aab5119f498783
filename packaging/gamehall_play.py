"""The client as a program of its own: what `gamehall play` is."""

import sys

from cyclopts import App, Parameter

from gamehall import __version__
from gamehall.cli.play import play

app = App(
    name="gamehall-play",
    version=__version__,
    default_command=play,
    default_parameter=Parameter(negative_iterable=()),
)

sys.exit(app())
