"""The layers, read from the imports: what must not be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "gamehall"
MODULES = sorted(SOURCE.rglob("*.py"))

IMPURE = {
    "asyncio", "datetime", "io", "os", "pathlib", "random", "secrets", "socket", "sqlite3",
    "subprocess", "sys", "threading", "time", "uuid",
}  # fmt: skip
MAY_IMPORT = {
    "games": {"errors", "games"},
    "store": {"errors", "store"},
    "bus": {"bus", "errors"},
    "solver": {"errors", "games", "solver"},
    "checking": {"checking", "errors", "games", "testing"},
    "hall": {
        "bus.bus", "errors", "games", "hall", "solver.judging", "solver.solver", "store.audit",
        "store.store",
    },
    "wire": {"__init__", "errors", "games", "hall", "store.store", "wire"},
    "bots": {"bots", "errors", "games", "hall", "solver.solver", "store.store"},
    "terminal": {"client", "errors", "games", "terminal"},
}  # fmt: skip
ADAPTERS = {
    "store.sqlite", "store.postgres", "bus.local", "bus.redis_bus", "wire.one_port", "wire.tcp",
    "wire.native", "wire.rfc", "wire.mario", "wire.caller", "wire.duel", "wire.arena", "wire.watch",
    "wire.web",
}  # fmt: skip


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _ours(path: Path) -> Iterator[str]:
    """Names of our modules that this one imports, without the package's own."""
    for name in _imports(path):
        if name == "gamehall" or name.startswith("gamehall."):
            yield name.removeprefix("gamehall").removeprefix(".") or "__init__"


def _within(name: str, allowed: set[str]) -> bool:
    return any(name == a or name.startswith(a + ".") for a in allowed)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_layer_imports_only_what_it_may(path: Path) -> None:
    layer = path.relative_to(SOURCE).parts[0]
    allowed = MAY_IMPORT.get(layer)
    if allowed is None:
        return
    foreign = {name for name in _ours(path) if not _within(name, allowed | {"__version__"})}
    assert not foreign


@pytest.mark.parametrize("path", sorted((SOURCE / "games").glob("*.py")), ids=lambda p: p.name)
def test_rules_have_no_clock_no_chance_and_no_io(path: Path) -> None:
    assert not {name.split(".")[0] for name in _imports(path)} & IMPURE
    calls = {
        node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)
    }
    assert not calls & {"open", "print", "input"}


def test_only_the_composition_root_imports_adapters() -> None:
    for path in MODULES:
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        if module == "server":
            continue
        for name in _ours(path):
            for adapter in ADAPTERS:
                same_layer = module.split(".")[0] == adapter.split(".")[0]
                assert same_layer or not _within(name, {adapter}), f"{module} imports {name}"


def test_only_the_table_appends_to_a_log() -> None:
    for path in (SOURCE / "hall").glob("*.py"):
        text = path.read_text()
        assert ("store.append(" in text) == (path.name == "table.py"), path.name
