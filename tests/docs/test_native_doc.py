"""docs/protocols/native.md, played against a real hall."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.wire.http.asyncapi import notices
from gamehall.wire.native.actions import ACTIONS
from tests.doors.native.clients import NOTICES, Client, Json
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "protocols" / "native.md").read_text()
ANYTHING = "…"


def session() -> list[str]:
    """The lines of the code block that is a session."""
    (found,) = re.findall(r"^```session\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return str(found).splitlines()


# The session


def fits(told: Any, expected: Any) -> bool:
    if expected == ANYTHING:
        return True
    if isinstance(expected, dict):
        return (
            isinstance(told, dict)
            and told.keys() == expected.keys()
            and all(fits(told[name], value) for name, value in expected.items())
        )
    if isinstance(expected, list):
        return (
            isinstance(told, list)
            and len(told) == len(expected)
            and all(fits(*both) for both in zip(told, expected, strict=True))
        )
    return bool(told == expected)


class Speaker:
    """Someone in the session, who hears one message after the other."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._heard = 0

    def say(self, message: str) -> None:
        self._client.send_text(message)

    async def hear(self, expected: Json) -> Json:
        """What comes next and fits; only notices that the document leaves out come before it."""
        log = self._client.log
        while True:
            await self._client.until(lambda: len(log) > self._heard or None, str(expected))
            message = log[self._heard]
            self._heard += 1
            if fits(message, expected):
                return message
            assert message["action"] in NOTICES, f"{message} came in place of {expected}"


async def test_the_session_is_played_as_it_is_written(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        at = Visitors(hall)
        speakers: dict[str, Speaker] = {}
        challenge = 0
        for line in session():
            name, direction, message = line[: line.index(" ") - 1], *line.split(" ", 1)
            if name not in speakers:
                speakers[name] = Speaker(await at.connect("tcp"))
            message = message.replace('"$challenge"', str(challenge))
            if direction.endswith(">"):
                speakers[name].say(message)
            else:
                heard = await speakers[name].hear(json.loads(message))
                challenge = heard["payload"].get("challenge", challenge)
        for client in at.clients:
            client.answers.clear()
        await at.leave()


def test_what_fits_and_what_does_not() -> None:
    assert fits({"a": [1, {"b": None}]}, {"a": [1, {"b": ANYTHING}]})
    for told in ({"a": [1]}, {"a": [2, {}]}, {"a": [1, {}]}, {"a": [1, {"b": 0}], "c": 1}, 1):
        assert not fits(told, {"a": [1, {"b": 2}]})


# The tables


def rows(section: str) -> list[list[str]]:
    """The cells of the table of that section."""
    text = DOCUMENT.partition(f"## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(cell: str) -> list[str]:
    """The words in backticks, without those in brackets, which explain."""
    return re.findall(r"`(\w+\??)[^`]*`", re.sub(r"\(.*?\)", "", cell))


REQUESTS, TOLD = rows("Requests"), rows("Notices")


def test_every_action_and_notice_is_in_its_table() -> None:
    assert sorted(name for row in REQUESTS for name in named(row[0])) == sorted(ACTIONS)
    assert sorted(name for row in TOLD for name in named(row[0])) == sorted(notices())


@pytest.mark.parametrize("row", REQUESTS, ids=lambda row: row[0])
def test_what_a_request_takes(row: list[str]) -> None:
    fields = [
        field
        for action in named(row[0])
        for field in msgspec.structs.fields(ACTIONS[action].payload)
    ]
    marked = {f.encode_name if f.required else f"{f.encode_name}?" for f in fields}
    assert set(named(row[1])) == marked


@pytest.mark.parametrize(
    "row", [row for row in TOLD if len(named(row[0])) == 1], ids=lambda row: row[0]
)
def test_what_a_notice_says(row: list[str]) -> None:
    (name,) = named(row[0])
    fields = {field.encode_name for field in msgspec.structs.fields(notices()[name])}
    assert {word.rstrip("?") for word in named(row[1])} == fields
