"""The rooms of the house, and the law of their imports, read from the code itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "gamehall"
MODULES = sorted(SOURCE.rglob("*.py"))

IMPURE = {
    "asyncio", "datetime", "io", "os", "pathlib", "random", "secrets", "socket", "sqlite3",
    "subprocess", "sys", "threading", "time", "uuid",
}  # fmt: skip

RULES = "games table_log"
PORTS = (
    "bus.bus store.store store.appends store.audit store.facts store.journals store.lists"
    " store.nodes store.people"
)
BEAT = f"{RULES} {PORTS} faults hall.nodes"
ROOMS = f"{BEAT} hall.beat"
SEATS = f"{ROOMS} hall.tables hall.people"
HOUSE = f"{SEATS} hall.seats"
HALL = f"{RULES} {PORTS} faults hall solver.solver"
FOR_DOORS = {
    # The facade, and modules of nothing but values: all that is in them.
    "hall.hall": "",
    "hall.arena.as_portal.facts": "",
    "hall.beat.requests": "",
    "hall.nodes.awaited": "",
    "hall.people.link": "",
    "hall.people.notices": "",
    "hall.tournaments.events": "",
    "hall.visitors.duel_hello": "",
    "store.appends": "",
    # Values whose modules also do something.
    "hall.arena.as_portal.portal": "OPEN_MAX",
    "hall.arena.as_portal.servers": "Offer",
    "hall.arena.as_server.book": "Match",
    "hall.arena.as_server.matches": "Progress",
    "hall.beat.sent_again": "OTHER_CONTENT",
    "hall.nodes.clock": "TableTime",
    "hall.people.credentials": "read_name",
    "hall.people.guests": "GUEST",
    "hall.records.analysis": "Analysis",
    "hall.records.reading": "HistoryFilter Journal SeenRow",
    "hall.records.replays": "Frame Replay Retold",
    "hall.records.reports": "Report",
    "hall.seats.new_tables": "Opened",
    "hall.seats.sicbo_bets": "BetRound",
    "hall.tournaments.away": "Followed Status",
    "hall.tournaments.tournament": "View",
    "hall.tournaments.tournaments": "Shown",
    "hall.visitors.duel_matches": "Place",
    "hall.visitors.duel_rooms": "GAME Recent Room",
    "hall.visitors.entrance": "Welcome",
    "store.lists": "HistoryItem Rating TableInfo WinRecord",
    "store.people": "Player PlayerKind StatementItem",
}
"""What doors may import of the hall and its ports: of each module these names, or all."""
OF_BOTS = (
    "hall.beat.known_table.KnownTable hall.beat.requests hall.nodes.exchange.Spawn"
    " hall.people.audience.Audiences hall.people.link hall.people.notices"
    " hall.people.players.Players hall.records.reading.Reading hall.seats.seating.Seating"
    " hall.seats.stakes.Stakes"
)
GIVEN_TO_DOORS = (
    # No values, but what the facade's capabilities take and give: who is here, a table to look at,
    # a game server's connection.
    "hall.people.online.Online hall.beat.known_table.KnownTable hall.arena.as_portal.line.Line"
)
OF_THE_HALL = " ".join(
    [
        GIVEN_TO_DOORS,
        *(
            f"{module}.{name}" if name else module
            for module, names in FOR_DOORS.items()
            for name in names.split() or [""]
        ),
    ]
)
NET = f"{RULES} {OF_THE_HALL} faults limits"
DOOR = f"{NET} wire.net"
LAW = {
    # What each room may import besides itself and `errors`; a name stands for all below it.
    "__init__": "",
    "errors": "",
    "faults": "",
    "games": "",
    "table_log": "games",
    "store": "",
    "bus": "",
    "limits": "",
    "logs": "",
    "solver": "games",
    "testing": RULES,
    "checking": f"{RULES} testing",
    "hall.nodes": f"{PORTS} faults",
    "hall.beat": BEAT,
    "hall.tables": ROOMS,
    "hall.people": ROOMS,
    "hall.audit": ROOMS,
    "hall.seats": SEATS,
    "hall.records": f"{SEATS} solver.solver",
    "hall.lobby": HOUSE,
    "hall.tournaments": HOUSE,
    "hall.arena": HOUSE,
    "hall.visitors": f"{HOUSE} hall.arena",
    "hall": HALL,
    "wire": "",
    "wire.net": NET,
    "wire.native": DOOR,
    "wire.four": DOOR,
    "wire.practice": DOOR,
    "wire.bingo": DOOR,
    # Its link to a portal is given `hall.matches` alone, not the whole hall.
    "wire.arena": f"{DOOR} hall.arena.as_server.matches.Matches",
    "wire.sicbo": f"{DOOR} wire.native",
    "wire.http": f"{DOOR} wire.native",
    # What bots of the house are made from (`MakeBots` in wiring.py), and what these give.
    "bots": f"{RULES} {PORTS} {OF_BOTS} solver.solver testing",
    "client": f"{RULES} bots wire.bingo.duel_codec",
    "terminal": f"{RULES} client",
    "catalogue": f"{RULES} hall.tournaments",
    "config": "limits",
    "data_folder": "hall.beat.draws store.file_lock",
    "first_start": "data_folder hall.beat.draws store.store",
    "ports": f"{PORTS} bus config data_folder first_start hall.beat.draws store",
    "server": f"{HALL} bots bus catalogue config data_folder limits ports solver store wire",
    "simulation.checker": f"{RULES} catalogue",
    "simulation": f"{HALL} bots store wire",
    "cli": f"{RULES} bots catalogue checking client config data_folder hall logs ports server"
    " simulation solver store.lists store.store terminal wire",
    "__main__": "catalogue cli",
}
"""Read from top to bottom, imports go up."""
EVERYONE_MAY = {"errors", "__init__"}

ADAPTERS = {
    "store.sqlite", "store.postgres", "bus.local", "bus.redis_bus", "wire.net.one_port",
    "wire.net.tcp", "wire.native.dialect", "wire.sicbo.rfc", "wire.sicbo.mario",
    "wire.bingo.caller", "wire.bingo.duel", "wire.bingo.watch", "wire.four.dialect",
    "wire.practice.dialect", "wire.arena.dialect", "wire.http.web",
}  # fmt: skip


BEHIND = {"rooms", "store", "bus", "exchange", "arbiter", "tables"}
"""What a hall is made of; `hall.reading` and the other capabilities are what doors use."""


def _capabilities() -> Iterator[str]:
    """The names that `Hall` gives to what doors use."""
    for node in ast.walk(ast.parse((SOURCE / "hall" / "hall.py").read_text())):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                value=ast.Attribute(value=ast.Name(id="rooms")),
            ):
                yield name


CAPABILITIES = set(_capabilities())


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def _imports(tree: ast.AST) -> Iterator[str]:
    """Everything imported, under TYPE_CHECKING and inside of functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where a thing comes from"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _ours(text: str) -> tuple[str, ...]:
    names = (name.split(".", 1) for name in _imports(ast.parse(text)))
    rests = [".".join(rest) for first, *rest in names if first == "gamehall"]
    return tuple("__init__" if rest in ("", "__version__") else rest for rest in rests)


def _within(name: str, rooms: set[str]) -> bool:
    return any(name == room or name.startswith(room + ".") for room in rooms)


def _room(module: str) -> str:
    """The innermost room of the law that this module is in."""
    inside = [room for room in LAW if _within(module, {room})]
    return max(inside, key=len, default="")


def _against_the_law(module: str, text: str) -> set[str]:
    room = _room(module)
    allowed = {*LAW[room].split(), *EVERYONE_MAY, room}
    return {
        name
        for name in _ours(text)
        # A room's own sub-rooms are theirs to open: `hall` may import `hall.seats`, not reversed.
        if not _within(name, allowed)
    }


def _defined(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_imports_obey_the_law(path: Path) -> None:
    module = _name(path)
    assert _room(module), f"{module} is in no room of the law"
    assert not _against_the_law(module, path.read_text())


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("games.chess", "from gamehall.table_log import rules"),
        ("hall.beat.table", "from gamehall.hall.tables.tables import Tables"),
        ("hall.people.players", "import gamehall.hall.tables.tables"),
        ("hall.lobby.lobby", "from gamehall.hall.tournaments.away import Away"),
        ("hall.arena.as_server.matches", "if TYPE_CHECKING:\n from gamehall.hall.hall import Hall"),
        ("hall.nodes.nodes", "def f():\n from gamehall.hall.beat import table"),
        ("wire.four.dialect", "from gamehall.wire.native import messages"),
        ("wire.four.dialect", "from gamehall.hall.tables.tables import Tables"),
        ("wire.four.dialect", "from gamehall.hall.wiring import Rooms"),
        ("wire.four.dialect", "from gamehall.store.store import Store"),
        ("wire.four.dialect", "from gamehall.store.people import People"),
        ("wire.four.dialect", "from gamehall.hall.nodes.exchange import Exchange"),
        ("wire.four.dialect", "import gamehall.hall.people.guests"),
        ("wire.four.dialect", "from gamehall.hall.arena.as_server.matches import Matches"),
        ("bots.house_bots", "from gamehall.hall.wiring import Rooms"),
        ("wire.net.shell", "from gamehall.wire.http.api import Api"),
        ("wire.net.serial", "from gamehall.hall.seats.seating import Seating"),
        ("games.chess", "from gamehall.faults import as_refusal"),
        ("config", "from gamehall.server import run"),
        ("terminal.app", "from gamehall.hall.hall import Hall"),
        ("client.asking", "from gamehall.hall.people import notices"),
    ],
)
def test_an_import_to_the_right_breaks_the_law(module: str, text: str) -> None:
    assert _against_the_law(module, text)


def test_the_law_itself_has_no_cycle() -> None:
    seen: list[str] = []
    for room, allowed in LAW.items():
        for name in allowed.split():
            assert _within(name, set(seen)) or any(_within(s, {name}) for s in seen), (room, name)
        seen.append(room)


def test_doors_may_import_no_more_than_they_do() -> None:
    used = {name for path in (SOURCE / "wire").rglob("*.py") for name in _ours(path.read_text())}
    allowed = OF_THE_HALL.split()
    assert [name for name in allowed if not any(_within(one, {name}) for one in used)] == []


def test_the_law_names_no_room_that_is_gone() -> None:
    known = {_name(path) for path in MODULES}
    known |= {f"{_name(path)}.{name}" for path in MODULES for name in _defined(path)}
    named = {name for allowed in LAW.values() for name in allowed.split()} | LAW.keys() | ADAPTERS
    assert {room for room in named if not any(_within(m, {room}) for m in known)} == set()


@pytest.mark.parametrize(
    "path",
    [path for room in RULES.split() for path in sorted((SOURCE / room).rglob("*.py"))],
    ids=_name,
)
def test_rules_have_no_clock_no_chance_and_no_io(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert not {name.split(".")[0] for name in _imports(tree)} & IMPURE
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"open", "print", "input"}


ROOTS = {"ports", "server", "simulation.node", "simulation.store", "simulation.vault"}
"""Where a hall is put together: the one that people run, and those of simulated worlds."""


def test_only_the_composition_root_imports_adapters() -> None:
    for path in MODULES:
        module = _name(path)
        for name in _ours(path.read_text()) if module not in ROOTS else ():
            for adapter in ADAPTERS:
                same_layer = module.split(".")[0] == adapter.split(".")[0]
                assert same_layer or not _within(name, {adapter}), f"{module} imports {name}"


def _named(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.removeprefix("_")
        case ast.Subscript(slice=ast.Name(id="HALL")):
            return "hall"
    return ""


def _behind_the_facade(text: str) -> set[str]:
    """What is used of a hall that its capabilities are made of, or of what one of them is."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=whole, attr=part) if part in BEHIND:
                if _named(whole) == "hall":
                    found.add(part)
            case ast.Attribute(value=ast.Attribute(value=whole, attr=part)):
                if _named(whole) in CAPABILITIES | {"rooms"}:
                    found.add(part)
    return found


def test_doors_and_bots_use_only_the_facade() -> None:
    for room in ("wire", "bots"):
        for path in (SOURCE / room).rglob("*.py"):
            assert not _behind_the_facade(path.read_text()), path


@pytest.mark.parametrize(
    "text",
    [
        "hall.store.ping()",
        "self._hall.tables.load(1)",
        "request.app[HALL].rooms.exchange",
        "self._rooms.audiences.watch(self, table)",
        "rooms.reading.loaded(table)",
        "hall.matches.course.leads",
        "self._matches.course.listeners.append(self._changed)",
        "self.hall.portal.known.unlink(line)",
        "portal.known.unlink(line)",
    ],
)
def test_a_door_that_reaches_behind_the_facade_is_found(text: str) -> None:
    assert _behind_the_facade(text)


def test_only_the_table_appends_to_a_log() -> None:
    for path in (SOURCE / "hall").rglob("*.py"):
        assert ("store.append(" in path.read_text()) == (_name(path) == "hall.beat.beat"), path


def test_rooms_are_small() -> None:
    """A file that is longer is two; a folder that is fuller has rooms of its own."""
    lengths = sorted(len(path.read_text().splitlines()) for path in MODULES)
    too_long = [_name(path) for path in MODULES if len(path.read_text().splitlines()) > 400]
    folders = {path.parent for path in MODULES}
    too_full = [str(f) for f in folders if len(list(f.glob("[!_]*.py"))) > 20]
    assert (too_long, too_full) == ([], [])
    assert lengths[len(lengths) // 2] <= 130
