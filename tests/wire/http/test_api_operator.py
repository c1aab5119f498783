"""What the operator may do over HTTP: with the token, and nobody without it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from gamehall.games.sicbo_events import Bet
from tests.hall.test_walk_in import balance, bet, loaded, pass_time, watching
from tests.wire.http.mini_schema import problems
from tests.wire.http.test_api import GAMES_BY_NAME
from tests.wire.http.web_hall import WebHall

TOKEN = "not for anyone"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
PATH = "/api/tables/{id}/void"


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path, GAMES_BY_NAME)
    await hall.start()
    yield hall
    await hall.stop()


async def void(
    hall: WebHall, table: object, headers: dict[str, str] = OPERATOR, **how: Any
) -> tuple[int, Any]:
    """Status and body of the answer."""
    response = await hall.ask(f"/api/tables/{table}/void", "POST", headers=headers, **how)
    assert response.content_type == "application/json"
    return response.status, await response.json()


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["code"]


async def test_reports_are_for_the_operator_alone(hall: WebHall) -> None:
    anna, bob = await hall.house.guest("anna"), await hall.house.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    for text in ("one", "two", "three"):
        await hall.house.hall.reports.take(anna.online.player, bob.online.player.id, None, text)
    document = await hall.get("/api/openapi.json")
    assert document["paths"]["/api/reports"]["get"]["security"] == [{"operator": []}]
    texts, path = [], "/api/reports?limit=2"
    while True:
        response = await hall.ask(path, headers=OPERATOR)
        assert response.status == 200
        page = await response.json()
        texts += [report["text"] for report in page["reports"]]
        if page["next"] is None:
            break
        path = f"/api/reports?limit=2&after={page['next']}"
    assert texts == ["three", "two", "one"]
    for headers in ({}, {"Authorization": "Bearer of news"}):
        response = await hall.ask("/api/reports", headers=headers)
        assert code((response.status, await response.json())) == (401, "not_operator")


async def test_a_round_is_called_off_and_every_stake_goes_back(hall: WebHall) -> None:
    anna, table = await watching(hall.house, "anna")
    bob, _ = await watching(hall.house, "bob")
    await bet(hall.house, anna, table, Bet("BIG", 1000))
    await bet(hall.house, bob, table, Bet("SMALL", 500))
    with capture_logs() as logged:
        answer = await void(hall, table, json={"reason": "The dice fell off the table."})
    assert answer == (200, {"table": table, "round": 1})
    assert [entry["event"] for entry in logged] == ["round_voided"]
    assert TOKEN not in str(logged)
    assert await balance(hall.house, anna) == await balance(hall.house, bob) == 1_000_000
    assert anna.events()[-1].reason == "The dice fell off the table."
    assert code(await void(hall, table)) == (409, "round_over")
    await pass_time(hall.house, table, 1000)
    assert await void(hall, table) == (200, {"table": table, "round": 2})
    assert anna.events()[-1].reason == "operator"


async def test_a_game_without_chips_can_be_called_off_too(hall: WebHall) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    waiting = await hall.open(ann)
    assert code(await void(hall, waiting)) == (409, "not_started")
    table = await hall.play(ann, bob, (3,))
    assert await void(hall, table, data=b"") == (200, {"table": table, "round": 1})
    assert (await hall.get(f"/api/tables/{table}"))["status"] == "over"
    assert code(await void(hall, table, json={})) == (409, "round_over")


async def test_a_private_table_needs_no_key(hall: WebHall) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    table = await hall.play(ann, bob, (3,), private=True)
    assert (await void(hall, table))[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer \xe4\udcff"},
        {"Cookie": f"token={TOKEN}"},
    ],
)
async def test_nobody_else_may(hall: WebHall, headers: dict[str, str]) -> None:
    anna, table = await watching(hall.house, "anna")
    await bet(hall.house, anna, table, Bet("BIG", 1000))
    head = loaded(hall.house, table).head
    # Before anything else is looked at: a stranger learns nothing of tables either.
    for asked, body in ((table, {}), (77, {}), (table, {"reason": 5})):
        response = await hall.ask(f"/api/tables/{asked}/void", "POST", headers=headers, json=body)
        assert response.status == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
        assert (await response.json())["error"]["code"] == "not_operator"
        assert TOKEN not in await response.text()
    assert loaded(hall.house, table).head == head


async def test_a_token_in_the_address_is_none(hall: WebHall) -> None:
    _, table = await watching(hall.house, "anna")
    response = await hall.ask(f"/api/tables/{table}/void?token={TOKEN}", "POST")
    assert response.status == 400


async def test_only_a_post_does_it(hall: WebHall) -> None:
    _, table = await watching(hall.house, "anna")
    for method in ("GET", "HEAD", "PUT", "DELETE"):
        response = await hall.ask(f"/api/tables/{table}/void", method, headers=OPERATOR)
        assert response.status == 405
        assert response.headers["Allow"] == "POST"
    for path in ("/", "/api/tables", f"/api/tables/{table}"):
        assert (await hall.ask(path, "POST", headers=OPERATOR)).status == 405


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "The body is not JSON."),
        (b"\xff", "The body is not JSON."),
        (b'{"reason":' + b"[" * 15_000, "`reason`: Expected `str`, got `array`."),
        (b"[]", "Expected `object`, got `array`."),
        (b'{"reason":5}', "`reason`: Expected `str`, got `int`."),
        (b'{"reason":""}', "`reason`: Expected `str` of length >= 1."),
        (b'{"reason":"' + b"x" * 201 + b'"}', "`reason`: Expected `str` of length <= 200."),
        (b'{"why":"x"}', "Object contains unknown field `why`."),
    ],
)
async def test_a_body_of_another_form(hall: WebHall, body: bytes, words: str) -> None:
    _, table = await watching(hall.house, "anna")
    answer = await void(hall, table, data=body)
    assert code(answer) == (400, "bad_request")
    assert answer[1]["error"]["message"] == words


async def test_a_body_that_is_too_long(hall: WebHall) -> None:
    _, table = await watching(hall.house, "anna")
    assert code(await void(hall, table, data=b" " * 20_000)) == (413, "too_large")

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    assert code(await void(hall, table, data=endless())) == (413, "too_large")


@pytest.mark.parametrize(
    ("table", "answer"),
    [(77, (404, "no_such_table")), (0, (400, "bad_request")), ("x", (400, "bad_request"))],
)
async def test_a_table_that_is_not_there(
    hall: WebHall, table: object, answer: tuple[int, str]
) -> None:
    assert code(await void(hall, table)) == answer


async def test_it_is_documented(hall: WebHall) -> None:
    document = await hall.get("/api/openapi.json")
    operation = document["paths"][PATH]["post"]
    assert operation["security"] == [{"operator": []}]
    assert document["components"]["securitySchemes"]["operator"]["scheme"] == "bearer"
    assert "security" not in document["paths"]["/api/tables"]["get"]
    ((media_type, content),) = operation["requestBody"]["content"].items()
    assert media_type == "application/json"
    assert problems({"reason": "x"}, content["schema"], document) == []
    assert problems({}, content["schema"], document) == []
    assert problems({"reason": 5}, content["schema"], document) != []
    _, table = await watching(hall.house, "anna")
    responses = operation["responses"]
    answered = responses["200"]["content"]["application/json"]["schema"]
    assert problems((await void(hall, table))[1], answered, document) == []
    for status, known in (("401", "not_operator"), ("404", "no_such_table"), ("409", "round_over")):
        assert f"`{known}`" in responses[status]["description"]
