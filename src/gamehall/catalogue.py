"""Which games this hall has: those of the house, those installed, and files named at the start."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.games.journal import RowCodec

GROUP = "gamehall.games"


class GameFileError(ValueError):
    """A sentence for whoever named the file."""


def catalogue(files: Sequence[Path] = ()) -> dict[str, Game[Any]]:
    """Games by name and by their other names. Raises GameFileError."""
    games = [*GAMES, *(_installed()), *(game for file in files for game in _in_file(file))]
    found: dict[str, Game[Any]] = {}
    for game in games:
        try:
            RowCodec(game)
        except ValueError as error:
            raise GameFileError(str(error)) from None
        for name in (game.name, *game.aliases):
            if name in found:
                raise GameFileError(f"Two games are called {name!r}. Rename one of them.")
            found[name] = game
    return found


def _installed() -> list[Game[Any]]:
    return [entry.load()() for entry in entry_points(group=GROUP)]


def _in_file(file: Path) -> list[Game[Any]]:
    name = f"gamehall_game_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise GameFileError(f"{file} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise GameFileError(f"{file} cannot be loaded: {error!r}") from error
    rules = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == name
    ]
    if not rules:
        raise GameFileError(f"{file} has no class derived from gamehall.games.game.Game.")
    return [rule() for rule in rules]
