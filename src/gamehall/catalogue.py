"""Which games this hall has: those of the house, those installed, and files named at the start."""

from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from importlib.machinery import SourceFileLoader
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec

from gamehall.games import GAMES
from gamehall.games.game import Command, Event, Game, Options, Seats
from gamehall.hall.tournaments.tournament import Tournament
from gamehall.table_log.journal import RowCodec

GROUP = "gamehall.games"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
ALIAS = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
RESERVED = frozenset({"room", "action"})
"""Names of fields that a message has of its own, at a door where a game's lie beside them."""
METHODS = ("seats", "start", "decide", "apply", "fork", "legal", "view", "outcome", "leave")
"""What every game has to say for itself; the others have something that most games leave."""


class GameFileError(ValueError):
    """A sentence for whoever named the file, or installed the game."""


def catalogue(files: Sequence[Path] = ()) -> dict[str, Game[Any]]:
    """Games by name and by their other names. Raises GameFileError."""
    found = {name: game for game in GAMES for name in (game.name, *game.aliases)}
    for source, game in (*_installed(), *(each for file in files for each in _in_file(file))):
        for name in (game.name, *game.aliases):
            if name in found or name == Tournament.name:
                raise GameFileError(
                    f"{source}: a game called {name!r} is there already. Rename it."
                )
            found[name] = game
    return found


def journaled(files: Sequence[Path] = ()) -> dict[str, Game[Any]]:
    """All games that a journal can be of: those, and tournaments. Raises GameFileError."""
    return {**catalogue(files), Tournament.name: Tournament()}


def _installed() -> Iterator[tuple[str, Game[Any]]]:
    for entry in entry_points(group=GROUP):
        source = f"The entry point {entry.name!r} ({entry.value}) of {GROUP}"
        try:
            kind = entry.load()
        except Exception as error:
            raise GameFileError(f"{source} cannot be loaded: {error!r}") from error
        if not _derived(kind, Game):
            raise GameFileError(f"{source} is no class derived from gamehall.games.game.Game.")
        yield source, _made(source, kind)


def module_name(file: Path) -> str:
    """As what the module of a game's file is known."""
    return f"gamehall_game_{file.stem}"


def _in_file(file: Path) -> Iterator[tuple[str, Game[Any]]]:
    name = module_name(file)
    spec = importlib.util.spec_from_file_location(name, file)
    if not file.is_file():
        raise GameFileError(f"There is no file {file}.")
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise GameFileError(f"{file} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        # Not by `exec_module`: compiled files are told apart by whole seconds, too long for edits.
        exec(spec.loader.source_to_code(file.read_bytes(), str(file)), module.__dict__)
    except (Exception, SystemExit) as error:
        raise GameFileError(f"{file} cannot be loaded: {_where(file, error)}{error!r}") from error
    kinds = [
        value
        for value in vars(module).values()
        if _derived(value, Game) and value.__module__ == name
    ]
    if not kinds:
        raise GameFileError(f"{file} has no class derived from gamehall.games.game.Game.")
    for kind in kinds:
        yield str(file), _made(f"{file}: {kind.__name__}", kind)


def _where(file: Path, error: BaseException) -> str:
    """The line of the file at which it went wrong, if it is known."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: "
    lines = [
        line
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == str(file)
    ]
    return f"line {lines[-1]}: " if lines else ""


# What can be wrong with a game, each as a sentence


def _made(source: str, kind: type[Game[Any]]) -> Game[Any]:
    try:
        game = kind()
    except Exception as error:
        raise GameFileError(f"{source} cannot be made without arguments: {error!r}") from error
    _check_names(source, game)
    _check_kinds(source, game, "commands", Command, least=1)
    _check_kinds(source, game, "events", Event, least=1)
    _check_kinds(source, game, "timers", Command)
    _check_kinds(source, game, "notes", Command)
    _check_fields(source, game)
    missing = [each for each in METHODS if getattr(kind, each) is getattr(Game, each)]
    if missing:
        raise GameFileError(f"{source} has no {', '.join(f'`{each}`' for each in missing)}.")
    _check_seats(source, game, _default_options(source, game))
    try:
        RowCodec(game)
    except Exception as error:
        raise GameFileError(f"{source}: its rows cannot be written: {error}") from error
    return game


def _check_names(source: str, game: Game[Any]) -> None:
    name, title = getattr(game, "name", None), getattr(game, "title", None)
    if not (isinstance(name, str) and NAME.fullmatch(name)):
        raise GameFileError(
            f"{source} needs a `name` of lower case words joined by -, as 'connect-four';"
            f" it has {name!r}."
        )
    if not (isinstance(title, str) and title.strip()):
        raise GameFileError(f"{source} needs a `title`, a text for people; it has {title!r}.")
    aliases: Any = game.aliases
    if not (
        isinstance(aliases, tuple)
        and all(isinstance(alias, str) and ALIAS.fullmatch(alias) for alias in aliases)
    ):
        raise GameFileError(f"{source} needs `aliases` that are a tuple of names, not {aliases!r}.")


def _check_kinds(source: str, game: Game[Any], field: str, base: type, least: int = 0) -> None:
    kinds = getattr(game, field, None)
    if not (
        isinstance(kinds, tuple)
        and len(kinds) >= least
        and all(_derived(kind, base) for kind in kinds)
    ):
        raise GameFileError(
            f"{source} needs `{field}`, a tuple of classes derived from {base.__name__}, as"
            f" (First, Second) or (Only,); it has {kinds!r}."
        )


def _check_fields(source: str, game: Game[Any]) -> None:
    for kind in (*game.commands, *game.events):
        for field in RESERVED & {field.encode_name for field in msgspec.structs.fields(kind)}:
            raise GameFileError(
                f"{source}: {kind.__name__} has a field {field!r}, which doors use beside those of"
                " the game. Rename it."
            )


def _default_options(source: str, game: Game[Any]) -> Options:
    kind: Any = game.options
    if not _derived(kind, Options):
        raise GameFileError(
            f"{source} needs `options`, a class derived from Options, not {kind!r}."
        )
    try:
        # There and back, since only reading checks that the defaults are within their bounds.
        return msgspec.convert(msgspec.to_builtins(kind()), kind)  # type: ignore[no-any-return]
    except Exception as error:
        raise GameFileError(f"{source}: its options have no good defaults: {error}") from error


def _check_seats(source: str, game: Game[Any], options: Options) -> None:
    try:
        seats: Any = game.seats(options)
    except Exception as error:
        raise GameFileError(
            f"{source}: `seats` fails for the default options: {error!r}"
        ) from error
    if not (isinstance(seats, Seats) and 0 <= seats.least <= seats.most and seats.most >= 1):
        raise GameFileError(
            f"{source}: `seats` must give Seats(least, most), with least from 0 to most and most"
            f" at least 1; for the default options it gives {seats!r}."
        )


def _derived(value: object, base: type) -> bool:
    return isinstance(value, type) and issubclass(value, base)
