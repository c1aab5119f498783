"""Someone is reported: at the native door, and read by the operator over HTTP."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

from tests.doors.native.playing import match
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS


def reports(hall: HallProcess, data: Path, query: str) -> Any:
    token = (data / "operator-token").read_text().strip()
    url = f"http://127.0.0.1:{hall.ports['native']}/api/reports{query}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    return json.load(urllib.request.urlopen(request, timeout=WAIT_SECONDS))


async def test_a_report_reaches_the_operator(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        table = await match(anna, bob)
        await bob.ask("say", table=table, text="You play like a wardrobe.")
        asked = {"player": bob.id, "table": table, "text": "He is rude."}
        first = await anna.request("report", asked, "once")
        assert first["payload"] == {"report": 1}
        # Sent again it is the same report.
        assert await anna.request("report", asked, "once") == first
        assert await bob.ask("report", player=anna.id, text="x" * 500) == {"report": 2}
        found = reports(hall, tmp_path, "?limit=1")
        assert (found["next"], found["reports"][0]["reporter"]["name"]) == (2, bob.name)
        (report,) = reports(hall, tmp_path, "?after=2")["reports"]
        chat = {"player": bob.id, "name": bob.name, "text": "You play like a wardrobe."}
        assert report == {
            "id": 1,
            "at_ms": report["at_ms"],
            "reporter": {"id": anna.id, "name": anna.name},
            "reported": {"id": bob.id, "name": bob.name},
            "table": table,
            "text": "He is rude.",
            "chat": [chat],
        }
        await at.leave()


async def test_what_is_refused(at: Visitors) -> None:
    anna, bob = await at.pair()
    stranger = await at.connect()
    assert await stranger.refused("report", player=bob.id, text="Hm.") == "not_logged_in"
    for text in ("", "x" * 501):
        assert await anna.refused("report", player=bob.id, text=text) == "bad_request"
    assert await anna.refused("report", player=anna.id, text="Me.") == "bad_request"
    assert await anna.refused("report", player=2**40, text="Who?") == "no_such_player"
    where = {"player": bob.id, "table": 2**30, "text": "Where?"}
    assert await anna.refused("report", **where) == "no_such_table"
    for _ in range(10):
        await anna.ask("report", player=bob.id, text="Hm.")
    assert await anna.refused("report", player=bob.id, text="Hm.") == "rate_limited"
    await anna.still_answers()
