"""Journals as anyone can get them over HTTP, read and checked without the hall's code."""

from __future__ import annotations

import asyncio
import hashlib
import json
import urllib.request
from typing import Any
from urllib.error import HTTPError

from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json


class Log:
    """A finished table's journal. Making one checks numbers, chain and commitments."""

    def __init__(self, content: bytes) -> None:
        *self.lines, trailer = content.splitlines()
        self.rows: list[Json] = [json.loads(line) for line in self.lines]
        self.hashes = [""]
        for line in self.lines:
            self.hashes.append(hashlib.sha256(self.hashes[-1].encode() + line).hexdigest())
        assert json.loads(trailer) == {"head": len(self.rows), "hash": self.hashes[-1]}
        assert [row["seq"] for row in self.rows] == list(range(1, len(self.rows) + 1))
        assert not any(row.get("filtered") for row in self.rows)
        self._check_secrets()
        self.chairs = self._follow_chairs()
        """The player on each seat, after each row; before the first, nobody."""

    def _check_secrets(self) -> None:
        commitment = ""
        for row in self.rows:
            for event in row["events"]:
                if event["type"] == "opened":
                    assert event["previous"] == self.hashes[row["seq"] - 1]
                    commitment = event["commitment"]
                elif event["type"] in ("round_ended", "round_voided"):
                    secret = bytes.fromhex(event["secret"])
                    assert hashlib.sha256(secret).hexdigest() == commitment

    def _follow_chairs(self) -> list[dict[int, int]]:
        chairs: dict[int, int] = {}
        after: list[dict[int, int]] = [{}]
        for row in self.rows:
            for event in row["events"]:
                chairs = _next_chairs(chairs, event)
            after.append(chairs)
        return after

    @property
    def head(self) -> int:
        return len(self.rows)

    def row(self, seq: int) -> Json:
        return self.rows[seq - 1]

    def events(self, after: int, seq: int) -> list[Json]:
        """All events of the rows behind `after`, up to and with `seq`."""
        return [event for row in self.rows[after:seq] for event in row["events"]]

    def of_type(self, type: str) -> list[Json]:
        return [event for event in self.events(0, self.head) if event["type"] == type]

    def board(self, seq: int) -> list[list[int]]:
        """The stones after row `seq`, as a view of Connect Four shows them: the top row first."""
        rows: list[list[int]] = []
        for event in self.events(0, seq):
            if event["type"] == "opened":
                options = event["options"]
                rows = [[0] * options["columns"] for _ in range(options["rows"])]
            elif event["type"] == "dropped":
                column = event["column"]
                free = max(place for place, row in enumerate(rows) if not row[column])
                rows[free][column] = event["seat"] + 1
        return rows


def _next_chairs(chairs: dict[int, int], event: Json) -> dict[int, int]:
    match event["type"]:
        case "opened":
            carried = event.get("chairs", ())
            return {chair["seat"]: chair["person"]["player"] for chair in carried}
        case "seated":
            return {**chairs, event["seat"]: event["person"]["player"]}
        case "seats_drawn":
            sat = [chairs[seat] for seat in sorted(chairs)]
            return dict(zip(event["order"], sat, strict=True))
        case "left":
            return {seat: player for seat, player in chairs.items() if seat != event["seat"]}
    return chairs


async def get(url: str) -> tuple[int, bytes]:
    """Status and body of what the hall answers."""
    return await asyncio.to_thread(get_now, url)


def get_now(url: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(url, timeout=WAIT_SECONDS) as response:
            return response.status, response.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()


def journal_url(web_url: str, table: int) -> str:
    return f"{web_url}/api/tables/{table}/journal"


async def fetch_log(web_url: str, table: int) -> Log:
    status, content = await get(journal_url(web_url, table))
    assert status == 200, content
    return Log(content)


async def get_json(url: str) -> Any:
    status, body = await get(url)
    assert status == 200, body
    return json.loads(body)
