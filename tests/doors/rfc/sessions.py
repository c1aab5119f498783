"""The sessions in the protocols' pages, played as they are written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.docs.test_native_doc import fits
from tests.doors.rfc.clients import WebSocketClient

PROTOCOLS = Path(__file__).parents[3] / "docs" / "protocols"

Line = tuple[str, str, str]
"""Who (nobody, where there is only one), the direction and the message."""


def sessions(page: str) -> list[list[Line]]:
    text = (PROTOCOLS / page).read_text()
    blocks = re.findall(r"^```session\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [[_line(line) for line in block.splitlines()] for block in blocks]


def _line(line: str) -> Line:
    found = re.fullmatch(r"(\w*)([<>]) (.*)", line)
    assert found is not None, line
    return found[1], found[2], found[3]


class Reader:
    """Someone in a session, who hears one message after the other."""

    def __init__(self, client: WebSocketClient) -> None:
        self._client = client
        self._heard = 0

    async def play(self, direction: str, message: str, notices: frozenset[str]) -> Any:
        """Says it, or hears it, and returns what it heard; between them come only notices that the
        page leaves out."""
        if direction == ">":
            await self._client.send(message)
            return None
        expected = json.loads(message)
        log = self._client.log
        while True:
            await self._client.until(lambda: len(log) > self._heard or None, message)
            told = log[self._heard]
            self._heard += 1
            if fits(told, expected):
                return told
            assert _action(told) in notices, f"{told} came in place of {expected}"


def _action(told: Any) -> str | None:
    said = told[1] if isinstance(told, list) and len(told) == 2 else told
    return said.get("action") if isinstance(said, dict) else None
