"""ARCHITECTURE.md and its companions: short enough to be read, and true of the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gamehall.config import Settings

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "gamehall"
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
PAGES = {
    # With the folders at which their paths begin.
    ARCHITECTURE: (ROOT, SOURCE),
    ROOT / "docs" / "many-nodes.md": (ROOT, SOURCE),
    ROOT / "docs" / "tables.md": (ROOT, SOURCE),
    ROOT / "web" / "README.md": (ROOT, ROOT / "web" / "src"),
}
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / folder / "README.md" for folder in ("bench", "player", "web")),
]
WORDS_MAX = 2500

QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w-][\w.-]*(/[\w.-]+)*/?")
SUFFIXES = (".py", ".ts", ".md", ".yaml")
DOTTED = re.compile(r"[a-z_]+(\.[a-z_]+)+(\.[A-Z]\w*)?|[a-z_]+\.[A-Z]\w*")
MEMBER = re.compile(r"([A-Z]\w+)\.([a-z_]+)")


def _prose(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def _quoted(page: Path) -> Iterator[tuple[str, list[Path]]]:
    """What stands in backticks, with the rooms of its row where it stands in a table."""
    for line in _prose(page).splitlines():
        cells = line.split("|")
        rooms = QUOTED.findall(cells[1]) if line.startswith("|") else []
        folders = [SOURCE / room for room in rooms]
        for text in QUOTED.findall(line):
            yield text, [*folders, *(folder.parent for folder in folders)]


def _is_path(text: str) -> bool:
    return bool(PATH.fullmatch(text)) and ("/" in text or text.endswith(SUFFIXES))


def _missing_paths(page: Path) -> set[str]:
    bases = PAGES[page]
    return {
        text
        for text, rooms in _quoted(page)
        if _is_path(text) and not any((base / text).exists() for base in (*bases, *rooms))
    }


@cache
def _sources() -> dict[str, str]:
    """By module, without `gamehall`; packages have no text."""
    modules = {}
    for path in SOURCE.rglob("*.py"):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        modules[name.removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return modules


def _is_module(name: str) -> bool:
    return any(module == name or module.endswith("." + name) for module in _sources())


def _is_setting(name: str) -> bool:
    section, _, key = name.partition(".")
    return hasattr(getattr(Settings(), section, None), key)


def _is_capability(name: str) -> bool:
    return f"self.{name.removeprefix('hall.')} = " in _sources()["hall.hall"]


def _has_member(name: str, member: str) -> bool:
    """Whether a module defines this class, and names that member."""
    return any(
        re.search(rf"^class {name}\b", text, re.MULTILINE) and re.search(rf"\b{member}\b", text)
        for text in _sources().values()
    )


def _missing_names(page: Path) -> set[str]:
    missing = set()
    for text, _ in _quoted(page):
        member = MEMBER.fullmatch(text)
        if member is not None:
            known = _has_member(*member.groups())
        elif DOTTED.fullmatch(text) and not text.endswith(SUFFIXES):
            module, _, last = text.rpartition(".")
            in_module = last[0].isupper() and any(
                each.endswith(module) and re.search(rf"^class {last}\b", source, re.MULTILINE)
                for each, source in _sources().items()
            )
            known = in_module or _is_module(text) or _is_setting(text) or _is_capability(text)
        else:
            continue
        if not known:
            missing.add(text)
    return missing


def test_the_architecture_can_be_read_at_one_sitting() -> None:
    assert len(ARCHITECTURE.read_text(encoding="utf-8").split()) <= WORDS_MAX


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_and_name_exists(page: Path) -> None:
    assert any(_is_path(text) for text, _ in _quoted(page))
    assert _missing_paths(page) == set()
    assert _missing_names(page) == set()


def test_every_room_of_the_house_is_on_the_map() -> None:
    named = {text.rstrip("/") for text, _ in _quoted(ARCHITECTURE)}
    packages = (*SOURCE.glob("*/"), *SOURCE.glob("hall/*/"), *SOURCE.glob("wire/*/"))
    rooms = {str(p.relative_to(SOURCE)) for p in packages if (p / "__init__.py").exists()}
    assert rooms - named == set()


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", _prose(page)):
        if "://" in target:
            continue
        found = page.parent / target if target else page
        if not found.exists() or (anchor and anchor not in _anchors(found)):
            broken.append(f"{target}#{anchor}")
    assert broken == []
