"""`gamehall new`: a game of one's own to begin with, and its test, which run at once."""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from gamehall.catalogue import NAME, catalogue
from gamehall.cli.output import fail


def new(name: str) -> int:
    """Write a small game and its test into this folder, to be changed into yours.

    Example: gamehall new last-stone

    Parameters
    ----------
    name
        What the game is called: lower case words joined by -.
    """
    known = catalogue()
    if not NAME.fullmatch(name) or len(name) > 40:
        return fail(
            f"{name!r} is no name: use up to 40 lower case letters and -, as last-stone.", 2
        )
    if name in known:
        return fail(f"This hall has a game called {name!r} already. Choose another name.", 2)
    words = name.split("-")
    module, kind = "_".join(words), "".join(word.capitalize() for word in words)
    game, test = Path(f"{module}.py"), Path(f"test_{module}.py")
    there = [str(path) for path in (game, test) if path.exists()]
    if there:
        return fail(f"There is a {' and a '.join(there)} already, and nothing was written.", 2)
    texts = {path: _template(file) for path, file in ((game, "game.txt"), (test, "test.txt"))}
    if (
        iskeyword(module)
        or find_spec(module) is not None
        or any(re.search(rf"\b{kind}\b", text) for text in texts.values())
    ):
        return fail(f"{name!r} means something to Python, or in the file. Choose another name.", 2)
    names = {
        "NAME": name,
        "TITLE": " ".join(words).capitalize(),
        "MODULE": module,
        "CLASS": kind,
    }
    for path, text in texts.items():
        for word, value in names.items():
            text = text.replace(f"${word}$", value)
        path.write_text(text, encoding="utf-8")
    sys.stdout.write(
        f"{game} is a game that can be played, {test} its test. Now:\n"
        f"  gamehall check {game}                   is it sound?\n"
        f"  gamehall serve --game {game} --reload   play it at http://127.0.0.1:8000\n"
        f"  pytest {test}\n"
        "docs/write-a-game.md says what each part is for.\n"
    )
    return 0


def _template(name: str) -> str:
    return (files("gamehall.cli") / "templates" / name).read_text(encoding="utf-8")
