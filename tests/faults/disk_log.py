"""What a disk holds for sure, and what it may lose: worked out from the log of faulty_disk.c."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random

ENTRY = struct.Struct("qqqq")
SECTOR_BYTES = 512


class Kind(IntEnum):
    """As in faulty_disk.c."""

    WRITE = 1
    TRUNCATE = 2
    SYNC = 3
    SYNC_FAILED = 4
    CREATE = 5
    LINK = 6
    UNLINK = 7
    SYNC_FOLDER = 8
    OPEN = 9


@dataclass(eq=False)
class File:
    synced: bytearray


@dataclass(frozen=True)
class Change:
    """Of a file's content, not synced yet. Without bytes it sets the file's length."""

    logged_at: int
    file: File
    place: int
    bytes: bytes | None

    def torn(self, rng: Random) -> Change:
        """The part of it that a disk has written before its power went."""
        if not self.bytes:
            return self
        sectors = len(self.bytes) // SECTOR_BYTES
        length = rng.randrange(sectors) * SECTOR_BYTES if sectors else len(self.bytes) // 2
        return Change(self.logged_at, self.file, self.place, self.bytes[:length])

    def apply(self, content: bytearray) -> None:
        if self.bytes is None:
            del content[self.place :]
            content.extend(bytes(self.place - len(content)))
        else:
            content.extend(bytes(max(0, self.place - len(content))))
            content[self.place : self.place + len(self.bytes)] = self.bytes


@dataclass(frozen=True)
class Naming:
    """A file has got a name in the folder, or, without a file, a name is gone."""

    logged_at: int
    name: str
    file: File | None


@dataclass
class Disk:
    base: Mapping[str, tuple[int, bytes]]
    """Inode and content of each file before the log begins, all of it synced."""
    changes: list[Change] = field(default_factory=list)
    namings: list[Naming] = field(default_factory=list)
    """Not synced yet, in order. A folder keeps its changes in order, files do not."""

    def __post_init__(self) -> None:
        self._names = {name: File(bytearray(content)) for name, (_, content) in self.base.items()}
        self._inodes = {inode: self._names[name] for name, (inode, _) in self.base.items()}

    def take(self, logged_at: int, kind: int, inode: int, place: int, data: bytes) -> None:
        """An entry of the log."""
        match Kind(kind):
            case Kind.WRITE:
                self.changes.append(Change(logged_at, self._inodes[inode], place, data))
            case Kind.TRUNCATE:
                self.changes.append(Change(logged_at, self._inodes[inode], place, None))
            case Kind.SYNC:
                self._synced(self._inodes[inode], place)
            case Kind.SYNC_FAILED:
                self._end(self._inodes[inode], place)
            case Kind.CREATE:
                self._create(logged_at, data.decode(), inode)
            case Kind.OPEN:
                # A reader that nobody logs may have made it.
                named = self._named().get(data.decode())
                if named is None or named is not self._inodes.get(inode):
                    self._create(logged_at, data.decode(), inode)
            case Kind.LINK:
                self.namings.append(Naming(logged_at, data.decode(), self._inodes[inode]))
            case Kind.UNLINK:
                self.namings.append(Naming(logged_at, data.decode(), None))
            case Kind.SYNC_FOLDER:
                self._keep_names(sum(naming.logged_at < place for naming in self.namings))

    def _create(self, logged_at: int, name: str, inode: int) -> None:
        # The number may have been that of a file that is gone.
        self._inodes[inode] = File(bytearray())
        self.namings.append(Naming(logged_at, name, self._inodes[inode]))

    def _named(self) -> dict[str, File]:
        """The files as whoever looks into the folder sees them, by name."""
        names = dict(self._names)
        for naming in self.namings:
            _rename(names, naming)
        return names

    def _end(self, file: File, upto: int) -> list[Change]:
        """The file's changes up to there, which are pending no more."""
        ended = [c for c in self.changes if c.file is file and c.logged_at < upto]
        self.changes = [c for c in self.changes if c.file is not file or c.logged_at >= upto]
        return ended

    def _synced(self, file: File, upto: int) -> None:
        for change in self._end(file, upto):
            change.apply(file.synced)
        # With a new file, its name is kept.
        last = [n for n, naming in enumerate(self.namings) if naming.file is file]
        if last:
            self._keep_names(last[-1] + 1)

    def _keep_names(self, number: int) -> None:
        for naming in self.namings[:number]:
            _rename(self._names, naming)
        del self.namings[:number]

    def after_power_cut(self, left: str, rng: Random) -> dict[str, bytes]:
        """The content of each file that is there, by name."""
        names = dict(self._names)
        for naming in self.namings[: _some(left, len(self.namings), rng)]:
            _rename(names, naming)
        contents = {id(file): bytearray(file.synced) for file in names.values()}
        for change in self._left(left, rng):
            if id(change.file) in contents:
                change.apply(contents[id(change.file)])
        return {name: bytes(contents[id(file)]) for name, file in names.items()}

    def _left(self, left: str, rng: Random) -> list[Change]:
        if left == "subset":
            kept = [change for change in self.changes if rng.random() < 0.5]
            return [c.torn(rng) if rng.random() < 0.2 else c for c in kept]
        number = _some(left, len(self.changes), rng)
        kept = self.changes[:number]
        if left == "torn":
            kept += [change.torn(rng) for change in self.changes[number : number + 1]]
        return kept


def _some(left: str, number: int, rng: Random) -> int:
    """How many of so many are left, from the first on."""
    match left:
        case "all":
            return number
        case "none":
            return 0
        case "torn":
            # Of the last change, most often.
            return max(0, number - 1) if rng.random() < 0.5 else rng.randint(0, number)
        case _:
            return rng.randint(0, number)


def _rename(names: dict[str, File], naming: Naming) -> None:
    if naming.file is None:
        names.pop(naming.name, None)
    else:
        names[naming.name] = naming.file


def entries(log: bytes) -> Iterator[tuple[int, int, int, int, bytes]]:
    """Where each entry begins, its kind, inode and place, and its data. The last may be cut short:
    its change was never made."""
    start = 0
    while start + ENTRY.size <= len(log):
        kind, inode, place, length = ENTRY.unpack_from(log, start)
        data = log[start + ENTRY.size : start + ENTRY.size + length]
        if len(data) < length:
            return
        yield start, kind, inode, place, data
        start += ENTRY.size + length
