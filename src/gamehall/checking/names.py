"""Names and tags: what a game calls itself and its messages."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from gamehall.checking.finding import Broken, Check
from gamehall.checking.sight import plain
from gamehall.games.game import Game
from gamehall.table_log.journal import RowCodec
from gamehall.testing import Playout

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
REASON = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def _names(game: Game[Any]) -> None:
    for name in (game.name, *game.aliases):
        if not NAME.fullmatch(name):
            raise Broken(f"{name!r} is no name: use lower case words joined by -.")
    if not game.title.strip():
        raise Broken("`title` is empty: it is what people read.")
    if not set(game.notes) <= set(game.commands):
        raise Broken("`notes` has a command that is not in `commands`.")
    try:
        RowCodec(game)
    except (TypeError, ValueError) as error:
        raise Broken(f"Its rows cannot be written: {error}") from None
    options = game.options()
    if msgspec.convert(plain(options), game.options) != options:
        raise Broken("The default options are others after they have been JSON.")


def _reasons(table: Playout) -> None:
    reason = table.ended[-1].outcome.reason
    if not REASON.fullmatch(reason):
        raise Broken(
            f"A round ends with the reason {reason!r}: use lower case words joined by _, so that"
            " programs can tell them apart."
        )


CHECK = Check(
    "Names",
    "Names, types and options are well formed, and nobody else's.",
    of_game=_names,
    at_end=_reasons,
)
