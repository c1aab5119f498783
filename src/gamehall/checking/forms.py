"""Forms: what a game calls itself and its messages, and that whatever is written survives JSON."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from random import Random
from typing import Any

import msgspec

from gamehall.checking.finding import Broken, Check
from gamehall.checking.sight import plain, shown
from gamehall.games.game import Game, Picture
from gamehall.table_log.journal import RowCodec
from gamehall.testing import Playout

REASON = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def _names(game: Game[Any]) -> None:
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


NAMES = Check(
    "Names",
    "Names, types and options are well formed, and nobody else's.",
    of_game=_names,
    at_end=_reasons,
)


def _views(table: Playout, _: Random) -> None:
    for seat in (None, *sorted(table.state.chairs)):
        view = table.game.view(table.state.game, seat)
        if not isinstance(plain(view), dict):
            raise Broken(
                f"`view` is no JSON object but {shown(view)}. Give a dictionary or Struct."
            )
        picture = table.game.picture(view)
        if picture is not None:
            _picture(table, picture)


def _picture(table: Playout, picture: Picture) -> None:
    if plain(msgspec.convert(plain(picture), Picture)) != plain(picture):
        raise Broken("`picture` is another after it has been JSON.")
    if len({len(row) for row in picture.rows}) > 1:
        raise Broken("The rows of `picture` are not equally long. Fill them with empty cells.")
    for cell in (cell for row in picture.rows for cell in row):
        if cell.command is not None and type(cell.command) not in table.game.commands:
            raise Broken(f"A cell of `picture` sends {cell.command!r}, which is no command.")


def _journal(table: Playout) -> None:
    kinds: Any = reduce(or_, table.game.events) | None
    for row, line in zip(table.rows, table.lines, strict=True):
        again = table.codec.decode(line)
        ours = [event for event in row.events if type(event) in table.game.events]
        read = [event for event in again.events if type(event) in table.game.events]
        if (again.command, read) != (row.command, ours) or table.codec.encode(again) != line:
            raise Broken(f"The row {line.decode()} reads back as {shown(again)}.")
        for event in ours:
            for seat in (None, *table.game.insiders(event)):
                seen = table.game.seen(event, seat)
                if msgspec.json.decode(msgspec.json.encode(seen), type=kinds) != seen:
                    raise Broken(f"`seen` gives {shown(seen)}, which reads back as another.")
    carry = table.game.carry(table.state.game)
    if plain(carry) != carry and msgspec.convert(plain(carry), type(carry)) != carry:
        raise Broken(f"What `carry` gives, {carry!r}, is another after it has been JSON.")


JSON = Check(
    "JSON",
    "Commands, events, views, pictures and what is carried over survive JSON.",
    at_moment=_views,
    at_end=_journal,
)
