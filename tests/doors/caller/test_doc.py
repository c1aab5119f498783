"""docs/protocols/caller.md, played against a real hall and compared with the door's own bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamehall.server import DOORS
from gamehall.wire.bingo import caller_lines
from tests.doors.caller.clients import Caller
from tests.doors.caller.halls import QUICK, Visitors, open_hall

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocols" / "caller.md").read_text()
ANYTHING = "…"


def blocks(kind: str) -> list[list[str]]:
    found = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [block.splitlines() for block in found]


class Speaker:
    """Someone in a session, who hears one line after the other."""

    def __init__(self, client: Caller) -> None:
        self.client = client
        self._heard = 0

    async def hear(self, expected: str, known: dict[str, str]) -> None:
        """The next line, with nothing in between. `$name` is what it was the first time."""
        if expected == "(closed)":
            await self.client.end()
            assert len(self.client.lines) == self._heard
            return
        await self.client.until(lambda: len(self.client.lines) > self._heard)
        line = self.client.lines[self._heard]
        self._heard += 1
        action, body = expected.split("|")
        if body.startswith("$"):
            body = known.setdefault(body, line.partition("|")[2])
        assert line == f"{action}|{body}" or (body == ANYTHING and line.startswith(f"{action}|"))


@pytest.mark.parametrize("session", blocks("session"), ids=["a round", "coming back"])
async def test_the_sessions_are_played_as_they_are_written(
    session: list[str], tmp_path: Path
) -> None:
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        speakers: dict[str, Speaker] = {}
        known: dict[str, str] = {}
        for line in session:
            name, direction, said = line[: line.index(" ") - 1], *line.split(" ", 1)
            if name not in speakers:
                speakers[name] = Speaker(await at.stranger())
            if direction.endswith("<"):
                await speakers[name].hear(said, known)
            elif said == "(gone)":
                await speakers.pop(name).client.close()
            else:
                speakers[name].client.say(said)
        await at.leave()


def test_the_bytes() -> None:
    card = [[n, n + 1, n + 2, n + 3, n + 4] for n in (1, 16, 31, 46, 61)]
    card[2][2] = 0
    sent = (
        caller_lines.message("bob has a bingo and wins the round."),
        caller_lines.new_card(card),
        caller_lines.check_number(75),
    )
    (written,) = blocks("bytes")
    assert [line.replace("\\n", "\n").encode() for line in written] == list(sent)


def test_the_port() -> None:
    assert f"TCP on port {DOORS['caller']}" in DOCUMENT
