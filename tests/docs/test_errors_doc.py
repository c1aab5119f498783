"""docs/errors.md, compared with the code: every code is there, with its sentence and a way out."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import gamehall
from gamehall.wire.http.refusals import all_errors, status_of

SOURCE = Path(gamehall.__file__).parent
DOCUMENT = Path(__file__).parents[2] / "docs" / "errors.md"
ROW = re.compile(r"\| `(?P<code>\w+)` \| (?P<status>\d+) \| (?P<says>.+?) \| (?P<way_out>.+?) \|")
UNREAD = "## Before a request is read"
CODE = re.compile(r"[a-z]+(_[a-z]+)+")


# An error is known once the module that defines it is loaded.
for module in pkgutil.walk_packages(gamehall.__path__, "gamehall."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)


class Documented(NamedTuple):
    code: str
    status: int
    says: str


def _documented(text: str) -> list[Documented]:
    return [Documented(m["code"], int(m["status"]), m["says"]) for m in ROW.finditer(text)]


def _codes_of_connections() -> Iterator[str]:
    """Codes that the doors answer before there is a request: arguments of the calls that do."""
    for path in (SOURCE / "wire").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _name(node.func) in {
                "Garbled", "error_body", "response", "_answer", "_refuse",
            }:  # fmt: skip
                for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_every_error_is_documented_as_it_is() -> None:
    known, _, _ = DOCUMENT.read_text().partition(UNREAD)
    right = {Documented(e.code, status_of(e), e.message) for e in all_errors()}
    assert set(_documented(known)) == right


def test_codes_of_connections_are_documented() -> None:
    answered = {code for code in _codes_of_connections() if CODE.fullmatch(code)}
    known = {error.code for error in all_errors()}
    _, _, unread = DOCUMENT.read_text().partition(UNREAD)
    assert answered & known, "the calls that answer connections have other names now"
    assert {row.code for row in _documented(unread)} == answered - known


def test_no_code_means_two_things() -> None:
    assert [c for c, n in Counter(e.code for e in all_errors()).items() if n > 1] == []
    codes = [row.code for row in _documented(DOCUMENT.read_text())]
    assert [code for code, times in Counter(codes).items() if times > 1] == []


def test_sentences_are_sentences() -> None:
    for error in all_errors():
        assert re.fullmatch(r"[A-Z].*\.", error.message), error.code
