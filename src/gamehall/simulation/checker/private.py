"""Whether private tables are: nobody hears of one who has not shown its key, and no list has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.secrets import check_without_secrets
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house

LISTS = {
    "list_tables": ("tables", "id"),
    "lobby": ("tables", "id"),
    "history": ("rounds", "table"),
}
"""Where each has its tables, and what their number is called there."""


def is_private(journal: Journal) -> bool:
    opened = journal.rows[0].command if journal.rows else None
    return isinstance(opened, house.Open) and opened.private


def parted(books: Books) -> tuple[Books, Books]:
    """The public tables, and the private ones."""
    private = {table: each for table, each in books.journals.items() if is_private(each)}
    public = {table: each for table, each in books.journals.items() if table not in private}
    return Books(public), Books(private)


def check_private(transcripts: Sequence[Transcript], books: Books) -> None:
    """What was said at the native door. Raises AssertionError."""
    tables = {table for table, journal in books.journals.items() if is_private(journal)}
    keys = _keys(transcripts)
    if not tables and not keys:
        return
    told = set(keys) - tables
    assert not told, f"tables {told} have keys, and are public"
    for transcript in transcripts:
        known: set[int] = set()
        """Those that it has opened, or whose key it has shown."""
        for line in transcript.lines:
            if line.what == "sent":
                known |= _shown(line, keys)
            elif line.what == "heard":
                known |= _opened(line)
                _check_heard(transcript.name, line, tables - known, keys)
                _check_list(transcript.name, line, tables)


def check_private_elsewhere(
    visitors: Mapping[str, Sequence[Transcript]], people: Sequence[Transcript], books: Books
) -> None:
    """What was said at the other doors, by their names: they have no keys, so that nobody there
    hears of any private table. Raises AssertionError."""
    private, keys = parted(books)[1], _keys(people)
    for door, transcripts in visitors.items() if private.journals else ():
        for transcript in transcripts:
            check_without_secrets(transcript.name, transcript.texts("heard"), private)
            for line in transcript.lines:
                if line.what != "heard":
                    continue
                found = [table for table, key in keys.items() if key in line.text]
                assert not found, f"{transcript.name} heard the key of {found}: {line.text}"
                found = [table for table in _named(door, line) if table in private.journals]
                assert not found, f"{transcript.name} heard of a private table: {line.text}"


def _named(door: str, line: Line) -> Iterator[int]:
    """The tables that this names, at doors that name any."""
    match door:
        case "four" if "game_id" in line.text:
            yield line.message["data"].get("game_id", 0)
        case "practice" if '"room"' in line.text:
            yield line.message.get("info", {}).get("room", 0)
        case "watch":
            yield from map(int, line.message.get("game_state", ()))
            for item in line.message.get("game_history", ()):
                yield int(item["data"]["room_id"])


def _keys(transcripts: Sequence[Transcript]) -> dict[int, str]:
    """As those who opened the tables were told."""
    return {
        table: line.message["payload"]["key"]
        for transcript in transcripts
        for line in transcript.lines
        if line.what == "heard"
        for table in _opened(line)
        if "key" in line.message["payload"]
    }


def _opened(line: Line) -> set[int]:
    """The table that this answer says was opened."""
    if '"open_table"' not in line.text or line.message["action"] != "open_table":
        return set()
    return {line.message["payload"]["table"]}


def _shown(line: Line, keys: dict[int, str]) -> set[int]:
    """The table whose key this request has."""
    if '"key"' not in line.text:
        return set()
    payload = line.message["payload"]
    table = payload.get("table", 0)
    return {table} if table in keys and payload.get("key") == keys[table] else set()


def _check_heard(name: str, line: Line, hidden: set[int], keys: dict[int, str]) -> None:
    for table in hidden & keys.keys():
        assert keys[table] not in line.text, f"{name} heard the key of table {table}: {line.text}"
    message = line.message
    payload: Json = message.get("payload") or {}
    heard = message["action"] != "error" and payload.get("table") in hidden
    assert not heard, f"{name} heard of a private table without its key: {line.text}"


def _check_list(name: str, line: Line, tables: set[int]) -> None:
    message = line.message
    if message["action"] in LISTS:
        items, number = LISTS[message["action"]]
        found = tables & {each[number] for each in message["payload"][items]}
        assert not found, f"{name} saw private tables in a list: {found}"
