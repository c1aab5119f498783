"""Whether private tables are: nobody hears of one who has not shown its key, and no list has it."""

from __future__ import annotations

from collections.abc import Sequence

from gamehall.simulation.checker.journals import Books, Journal
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


def check_private(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
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
