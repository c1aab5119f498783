"""The plain page: what it shows, what it hides, and that nobody's name becomes a part of it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.errors import Unavailable
from gamehall.games.sicbo import Bet
from gamehall.wire import page
from gamehall.wire.addresses import reachable
from tests.hall.halls import answer_of, until
from tests.wire.web_hall import Seen, WebHall

EVIL = "<img src=x onerror=go()>&\"'"


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path)
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "FRESH_SECONDS", -1.0)


async def _page(hall: WebHall, **how: Any) -> Seen:
    response = await hall.ask("/", **how)
    assert response.status == 200
    assert response.content_type == "text/html"
    return Seen(await response.text())


# The page


async def test_the_page_shows_what_goes_on(hall: WebHall) -> None:
    ann, bob, eve = [await hall.house.guest(name) for name in ("Ann", "Bob", "Eve")]
    running = await hall.play(ann, bob, (0, 1))
    waiting = await hall.open(eve)
    seen = await _page(hall)
    assert "Connect Four" in seen.text
    assert "who first has a line of stones wins" in seen.text
    assert re.search(rf"Open tables.*Table {waiting}.*Eve.*Being played", seen.text, re.S)
    assert re.search(rf"Being played.*Table {running}.*Games", seen.text, re.S)
    assert "3 here now" in seen.text
    assert f"ws://127.0.0.1:{hall.port}/ws" in seen.text
    assert "nc 127.0.0.1 8001" in seen.text
    assert "/api/asyncapi.json" in seen.addresses
    assert seen.refresh == "5"


async def test_a_crowd_is_a_number(hall: WebHall) -> None:
    link = await hall.house.guest("anna")
    online = link.online
    assert online is not None
    table = await hall.house.hall.standing.table("sicbo")
    bet = Bet("BIG", 1)
    await answer_of(lambda reply: hall.house.hall.seating.act(online, table, bet, None, reply))
    seen = await _page(hall)
    assert "Sic Bo: 1 player" in seen.text
    assert "up to 10,000 players" in seen.text


async def test_an_empty_hall_has_a_page(hall: WebHall) -> None:
    seen = await _page(hall)
    assert "None right now." in seen.text
    assert "Nobody right now." in seen.text
    assert "play money" in seen.text


async def test_names_cannot_become_markup(hall: WebHall) -> None:
    ann, bob = await hall.house.guest(EVIL), await hall.house.guest("</style><script>")
    await hall.play(ann, bob, ())
    seen = await _page(hall)
    assert seen.text.count(EVIL) == 2
    assert seen.text.count("</style><script>") == 2
    assert not {"img", "script"} & set(seen.tags)


async def test_private_tables_are_not_shown(hall: WebHall) -> None:
    table = await hall.open(await hall.house.guest("Ann"), private=True)
    assert f"Table {table}" not in (await _page(hall)).text


async def test_bots_are_not_people(hall: WebHall) -> None:
    ann = await hall.house.guest("Ann")
    assert ann.online is not None
    opened = await hall.house.hall.seating.open_table(
        ann.online, "connect-four", {}, private=False, bots=("random",), request=None
    )
    await hall.sit(ann, opened.table)
    await until(lambda: len(hall.house.hall.players.online) == 2)
    seen = await _page(hall)
    assert "1 here now" in seen.text
    assert "Random bot" in seen.text.partition("Players here")[0]
    assert "Random bot" not in seen.text.partition("Players here")[2]


async def test_many_tables_and_players_are_cut(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "TABLES_MAX", 2)
    monkeypatch.setattr(page, "PLAYERS_MAX", 2)
    for number in range(4):
        await hall.open(await hall.house.guest(f"Player {number}"))
    seen = await _page(hall)
    assert "2+ waiting for players" in seen.text
    assert "/api/tables?status=waiting" in seen.addresses
    assert "and 2 more" in seen.text
    assert "Player 2" not in seen.text


async def test_the_page_asks_nobody_else_and_allows_only_its_own_style(hall: WebHall) -> None:
    response = await hall.ask("/")
    html = await response.text()
    for address in Seen(html).addresses:
        assert re.match(r"/(?!/)|data:", address), address
    style = re.search("<style>(.*)</style>", html, re.S)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = response.headers["Content-Security-Policy"]
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "url(" not in style[1]
    assert "@import" not in style[1]


async def test_a_forged_host_is_not_repeated(hall: WebHall) -> None:
    seen = await _page(hall, headers={"Host": '"><script>go()</script>'})
    assert "go()" not in seen.text
    assert "script" not in seen.tags
    assert "ws://127.0.0.1:8000/ws" in seen.text


async def test_the_hall_is_not_asked_for_each_look(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "FRESH_SECONDS", 3600.0)
    assert "0 here now" in (await _page(hall)).text
    await hall.house.guest("Ann")
    assert "0 here now" in (await _page(hall)).text


async def test_a_page_that_fails_is_a_page(hall: WebHall, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(**_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(hall.house.store, "tables", away)
    response = await hall.ask("/")
    assert response.status == 503
    assert response.headers["Retry-After"] == "1"
    assert "The hall cannot save right now." in Seen(await response.text()).text


@pytest.mark.parametrize(
    ("door", "asked", "shown"),
    [
        ("0.0.0.0:8001", "hall.example:8000", "hall.example:8001"),
        ("0.0.0.0:8001", "[2001:db8::1]:8000", "[2001:db8::1]:8001"),
        (":::8001", "hall.example", "hall.example:8001"),
        ("::1:8001", "hall.example", "[::1]:8001"),
        ("10.0.0.1:8001", "hall.example", "10.0.0.1:8001"),
        ("0.0.0.0:8001", "no host at all", "0.0.0.0:8001"),
    ],
)
def test_doors_are_where_the_page_was_found(door: str, asked: str, shown: str) -> None:
    assert reachable([("native-tcp", door)], asked) == {"native-tcp": shown}
