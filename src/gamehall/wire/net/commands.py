"""A game's commands, as clients of every door send them: by their native names."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from gamehall.errors import IllegalCommand
from gamehall.games.game import Command, Game


def read_command(game: Game[Any], raw: bytes | msgspec.Raw) -> Command:
    """The command that an object with its `type` and its fields is. Raises IllegalCommand."""
    try:
        command: Command = _decoder(game).decode(raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise IllegalCommand(f"This game takes no such command: {error}") from None
    return command


@cache
def _decoder(game: Game[Any]) -> msgspec.json.Decoder[Any]:
    union: Any = game.commands[0]
    for command in game.commands[1:]:
        union = union | command
    return msgspec.json.Decoder(union)
