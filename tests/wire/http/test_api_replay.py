"""A finished round over HTTP, as a page shows it again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hall.halls import KEY
from tests.wire.http.test_api import GAMES_BY_NAME
from tests.wire.http.web_hall import WINS, WebHall


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path, GAMES_BY_NAME)
    await hall.start()
    yield hall
    await hall.stop()


async def test_a_round_is_shown_in_pages(hall: WebHall) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    table = await hall.play(ann, bob)
    whole = await hall.get(f"/api/tables/{table}/replay?round=1")
    columns = [e["column"] for f in whole["frames"] for e in f["events"] if e["type"] == "dropped"]
    assert tuple(columns) == WINS
    assert whole["frames"][-1]["outcome"] == whole["round"]["outcome"]
    assert whole["frames"][-1]["picture"]["rows"]
    assert [p["name"] for p in whole["round"]["players"]] in (["Ann", "Bob"], ["Bob", "Ann"])
    frames, path = [], f"/api/tables/{table}/replay?limit=4"
    while True:
        page = await hall.get(path)
        frames += page["frames"]
        if page["next"] is None:
            break
        path = f"/api/tables/{table}/replay?limit=4&after={page['next']}"
    assert frames == whole["frames"]
    # Whose eyes make no difference here, where nothing is hidden.
    assert (await hall.get(f"/api/tables/{table}/replay?seat=1"))["frames"] == frames


async def test_what_is_refused(hall: WebHall) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    private = await hall.play(ann, bob, private=True)
    running = await hall.play(ann, bob, (1, 2))
    for path, status, code in (
        (f"{private}/replay", 403, "wrong_key"),
        (f"{private}/replay?key=wrong", 403, "wrong_key"),
        (f"{private}/replay?round=2&key={KEY.table_key(private)}", 404, "no_such_round"),
        (f"{running}/replay", 409, "round_running"),
        (f"{running}/replay?limit=201", 400, "bad_request"),
        (f"{running}/replay?round=0", 400, "bad_request"),
        (f"{running}/replay?seat=-1", 400, "bad_request"),
        ("99/replay", 404, "no_such_table"),
    ):
        assert (await hall.refusal(f"/api/tables/{path}", status))[0] == code
    assert await hall.get(f"/api/tables/{private}/replay?key={KEY.table_key(private)}")
