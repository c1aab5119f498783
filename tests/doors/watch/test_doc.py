"""docs/protocols/watch.md: its session, played against a real hall."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.docs.test_native_doc import fits
from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists, open_hall
from tests.doors.watch.pages import Page

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocols" / "watch.md").read_text()


def test_the_session_is_played_as_it_is_written(tmp_path: Path) -> None:
    (session,) = re.findall(r"^```session\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    settings = ("duel.size=3", "table.grace_seconds=0.1")
    with open_hall(tmp_path, *settings) as hall:
        at = Duelists(hall)
        text = "7:8:21:secret:fast"
        players = {"7": at.enters(text, 7), "8": at.enters(text, 8)}
        for player in players.values():
            player.take(p.BOARD)
        with Page(f"ws://127.0.0.1:{hall.ports['watch']}") as page:
            for line in session.splitlines():
                first, _, rest = line.partition(" ")
                if first == ">":
                    page.send(rest)
                elif first == "<":
                    answer = page.receive()
                    assert fits(answer, json.loads(rest)), f"{answer} in place of {rest}"
                else:
                    does(players[first], players[str(15 - int(first))], rest)
        at.leave()


def does(player: Client, other: Client, what: str) -> None:
    if what == "leaves":
        player.reset()
        other.take(p.OTHER_LEFT)
    else:
        player.pick(int(what.removeprefix("picks ")))
        other.take(p.PICKED, p.YOURS)
