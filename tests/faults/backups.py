"""Those who back up the database of several nodes while servers fail, with pg_dump, as
docs/operate.md has it."""

from __future__ import annotations

import asyncio
import re
import select
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from gamehall.table_log.journal import chained
from tests.many_nodes.processes.hall_nodes import HallNode
from tests.many_nodes.processes.records import Records, read_records
from tests.store.postgres_server import PROGRAMS
from tests.support.waiting import WAIT_SECONDS

PIPE_BYTES = 4096
"""What a backup may be ahead of its disk. The definitions of all tables come first, and are longer:
so it stands still, with its transaction open, when it has hardly copied a row."""
BEGIN_SECONDS = 1.0
"""How long a fault waits for it, whose way to the database may be cut already."""
AWAY = re.compile(
    "pg_dump: error: .*(connection|the database system is|could not receive data|could not send)",
    re.DOTALL,
)
COPY = re.compile(r"COPY \w+\.(\w+) \((.*)\) FROM stdin;")
Row = dict[str, str]
Moved = tuple[int, int, int, str, str, int]


class Backups:
    def __init__(self, url: str) -> None:
        """`url`: of the database, without any proxy."""
        self._url = url
        self._at_work: list[subprocess.Popen[str]] = []

    async def begin(self, node: HallNode) -> None:
        """One that reaches the database as that node does, and is held up by a slow disk until all
        is over. Returns when it has begun to read, unless it cannot."""
        url = node.store_setting.removeprefix("store.url=")
        self._at_work.append(await asyncio.to_thread(_begun, url))

    async def finish(self) -> Counter[str]:
        """How they went. Raises AssertionError unless each is as the database was at one moment, or
        says that the database went away."""
        ended = [await asyncio.to_thread(_ended, backup) for backup in self._at_work]
        written = await read_records(self._url)
        for dump in filter(None, ended):
            Copied.read(dump).check(written)
        return Counter(
            "a backup was sound" if dump else "a backup lost the database" for dump in ended
        )

    def end(self) -> None:
        for backup in self._at_work:
            backup.kill()
            backup.communicate()


def _begun(url: str) -> subprocess.Popen[str]:
    """As `Backups.begin`."""
    address = urlsplit(url)
    (schema,) = parse_qs(address.query)["search_path"]
    backup = subprocess.Popen(
        [PROGRAMS / "pg_dump", f"--schema={schema}", address._replace(query="").geturl()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=PIPE_BYTES,
        text=True,
    )
    assert backup.stdout is not None
    select.select([backup.stdout], [], [], BEGIN_SECONDS)
    return backup


def _ended(backup: subprocess.Popen[str]) -> str | None:
    """What it has copied; None: it says that the database went away."""
    copied, said = backup.communicate(timeout=WAIT_SECONDS)
    if backup.returncode == 0:
        assert not said, said
        return copied
    assert AWAY.search(said), said
    return None


@dataclass(frozen=True)
class Copied:
    """What a backup has of tables and money."""

    heads: dict[int, tuple[int, str]]
    """By table: the number of its last row, and its hash."""
    lines: dict[int, list[bytes]]
    moved: set[Moved]
    balances: dict[int, int]

    @classmethod
    def read(cls, dump: str) -> Copied:
        found: dict[str, list[Row]] = {}
        for name, row in _rows(dump):
            found.setdefault(name, []).append(row)
        lines: dict[int, dict[int, bytes]] = {}
        for row in found.get("journal", ()):
            # Bytes are hexadecimal, behind \x, of which the backslash is doubled.
            line = bytes.fromhex(row["line"].removeprefix(r"\\x"))
            lines.setdefault(int(row["table_id"]), {})[int(row["seq"])] = line
        for table, journal in lines.items():
            assert sorted(journal) == list(range(1, len(journal) + 1)), f"table {table} has gaps"
        return cls(
            {int(row["id"]): (int(row["head"]), row["hash"]) for row in found.get("tables", ())},
            {table: [line for _, line in sorted(rows.items())] for table, rows in lines.items()},
            {_moved(row) for row in found.get("transfers", ())},
            {int(row["player"]): int(row["chips"]) for row in found.get("balances", ())},
        )

    def check(self, written: Records) -> None:
        """Raises AssertionError unless it is whole, and the beginning of what was `written`."""
        kept = {record.table: [row.line for row in record.written] for record in written.records}
        assert self.lines.keys() <= self.heads.keys(), "rows of no table"
        for table, (head, hash) in self.heads.items():
            lines, found = self.lines.get(table, []), ""
            assert len(lines) == head, f"table {table} has {len(lines)} rows, and not {head}"
            for line in lines:
                found = chained(found, line)
            assert found == hash, f"table {table}: the chain breaks"
            assert lines == kept[table][:head], f"table {table} has other rows by now"
        self._check_money(written)

    def _check_money(self, written: Records) -> None:
        moved: set[Moved] = {
            (each.table, each.seq, each.n, each.source, each.target, each.chips)
            for each in written.ledger.transfers
        }
        assert self.moved <= moved, f"moved no more: {self.moved - moved}"
        due = {each for each in moved if 0 < each[1] <= self.heads.get(each[0], (0, ""))[0]}
        assert due <= self.moved, f"rows without what they moved: {due - self.moved}"
        held: Counter[str] = Counter()
        for *_, source, target, chips in self.moved:
            held[source] -= chips
            held[target] += chips
        for player, chips in self.balances.items():
            there = held.pop(f"player:{player}", 0)
            assert chips == there, f"player {player} has {chips} chips, and {there} were moved"
        assert not any(account.startswith("player:") for account in held), held


def _rows(dump: str) -> Iterator[tuple[str, Row]]:
    """Each with the name of its table, in the text format of COPY."""
    lines = iter(dump.splitlines())
    for line in lines:
        if (begun := COPY.fullmatch(line)) is not None:
            name, columns = begun[1], begun[2].split(", ")
            for row in iter(lines.__next__, r"\."):
                yield name, dict(zip(columns, row.split("\t"), strict=True))


def _moved(row: Row) -> Moved:
    table, seq, n = int(row["table_id"]), int(row["seq"]), int(row["n"])
    return table, seq, n, row["source"], row["target"], int(row["chips"])
