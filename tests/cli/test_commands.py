"""Every command: how many parameters it takes, and that its help has an example."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import pytest
from cyclopts import App

from gamehall.__main__ import COMMANDS as PLACES
from gamehall.__main__ import command_line
from tests.cli.calling import exit_code

PARAMETERS_MAX = 10
FLAGS = ("--help", "-h", "--version")


def commands(app: App, *words: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command from this one on, by the words that call it."""
    if app.default_command is not None:
        yield " ".join(words), app.default_command
    for name in app:
        if name not in FLAGS:
            yield from commands(app[name], *words, name)


NAMES = [place.rpartition(":")[2] for place in PLACES]
COMMANDS = dict(commands(command_line(NAMES)))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_has_at_most_ten_parameters(words: str) -> None:
    """A group of options counts as one: it has one name, is explained in one place and is the same
    for every command that takes it. So that it is no way around, a group has at most ten too."""
    function = COMMANDS[words]
    parameters = inspect.signature(function).parameters
    assert len(parameters) <= PARAMETERS_MAX
    for name in parameters:
        kind = get_type_hints(function)[name]
        assert not is_dataclass(kind) or len(fields(kind)) <= PARAMETERS_MAX


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_explains_itself_with_an_example(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*words.split(), "--help") == 0
    assert f"Example: gamehall {words} " in capsys.readouterr().out


def test_all_commands_are_looked_at() -> None:
    assert COMMANDS.keys() >= {"serve", "play", "bot", "bot match", "bot program", "watch", "bench"}
    assert COMMANDS.keys() >= {"replay", "verify", "tournament open", "new", "check", "doctor"}


def test_a_game_that_is_called_as_a_command_can_be_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code("bot", "--", "match") == 2
    assert "There is no game 'match'" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "sentence"), [*zip(NAMES, PLACES.values(), strict=True)])
def test_the_list_of_commands_says_what_each_says_of_itself(name: str, sentence: str) -> None:
    described = command_line(NAMES)[name].help.partition("\n\n")[0]
    assert " ".join(described.split()) == sentence


def test_a_command_whose_name_comes_later_speaks_for_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code("--help", "serve") == 0
    assert "Example: gamehall serve " in capsys.readouterr().out
