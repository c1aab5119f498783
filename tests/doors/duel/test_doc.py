"""docs/protocols/duel.md: its packets are those that are sent, and its match is played."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from gamehall.wire.bingo import duel_codec as c
from tests.doors.duel import packets as p
from tests.doors.duel.clients import open_hall
from tests.support.waiting import WAIT_SECONDS

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocols" / "duel.md").read_text()
BOARD = [[9, 1, 5], [2, 8, 4], [7, 3, 6]]
TOKEN = re.compile(r"'(.*)'|…(\d+)|((?:[0-9a-f]{2})+)")

SENT: dict[str, bytes] = {
    "203": p.pick(7),
    "204": p.ints(204),
    "200": c.packet(c.Said.ACCEPTED, "7"),
    "100": c.packet(c.Said.MESSAGE, "Hello"),
    "201": c.board_packet(BOARD),
    "205": c.packet(c.Said.PICKED, 9),
    "222": c.other_board_packet(BOARD, c.marks_on(BOARD, [9, 6])),
}
for said in c.Said:
    SENT.setdefault(str(said.value), c.packet(said))


def block(kind: str) -> list[str]:
    (lines,) = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return str(lines).splitlines()


def pattern(written: str) -> list[bytes | int]:
    """Bytes, and how many there are of those that may be anything."""
    parts: list[bytes | int] = []
    for token in written.split():
        found = TOKEN.fullmatch(token)
        assert found is not None, token
        text, anything, digits = found.groups()
        if anything:
            parts.append(int(anything))
        else:
            parts.append(bytes.fromhex(digits) if text is None else text.encode())
    return parts


@pytest.mark.parametrize("line", block("packets"), ids=lambda line: line.partition(":")[0])
def test_packets_are_as_they_are_written(line: str) -> None:
    head, _, written = line.partition(": ")
    assert b"".join(pattern(written)) == SENT[head.partition(" ")[0]]  # type: ignore[arg-type]


def test_all_packets_are_there() -> None:
    assert sorted(line.partition(" ")[0] for line in block("packets")) == sorted(SENT)
    named = {int(kind) for kind in re.findall(r"\b\d{1,4}\b", table_types())}
    assert named == {*c.Said, *c.Heard}


def table_types() -> str:
    rows = [line for line in DOCUMENT.splitlines() if line.startswith(("| client", "| hall"))]
    return " ".join(row.split("|")[2] for row in rows)


def test_the_match_is_played_as_it_is_written(tmp_path: Path) -> None:
    sockets: dict[str, socket.socket] = {}
    with open_hall(tmp_path, "duel.size=3") as hall:
        for line in block("session"):
            name, direction, written = re.match(r"(\w+)([<>]) (.*)", line).groups()  # type: ignore[union-attr]
            if name not in sockets:
                address = ("127.0.0.1", hall.ports["duel"])
                sockets[name] = socket.create_connection(address, WAIT_SECONDS)
            for part in pattern(written):
                if direction == ">":
                    assert isinstance(part, bytes)
                    sockets[name].sendall(part)
                else:
                    hears(sockets[name], part, line)
        for name in ("carol", "dave", "bob"):
            assert sockets[name].recv(1) == b"", f"{name} is not closed"
        for each in sockets.values():
            each.close()


def hears(client: socket.socket, part: bytes | int, line: str) -> None:
    length = part if isinstance(part, int) else len(part)
    heard = client.recv(length, socket.MSG_WAITALL)
    assert len(heard) == length, line
    assert isinstance(part, int) or heard == part, f"{heard!r} in place of {line}"
