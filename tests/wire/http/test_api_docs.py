"""OpenAPI and AsyncAPI: sound in themselves, complete, and true of what is really sent."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from gamehall import __version__
from gamehall.hall.people.notices import Notice
from gamehall.table_log import house
from gamehall.wire.http.refusals import all_errors
from gamehall.wire.native.actions import ACTIONS
from gamehall.wire.native.dialect import NativeLink, notice_action
from gamehall.wire.native.messages import ErrorPayload, Reply, TableEvents
from gamehall.wire.net.shell import Channel
from tests.games.toys import Ante, HighCard
from tests.hall.halls import FakeLink, until
from tests.wire.http.mini_schema import problems, refs, resolve
from tests.wire.http.test_api import GAMES_BY_NAME
from tests.wire.http.web_hall import WebHall

DOCUMENTS = ["/api/openapi.json", "/api/asyncapi.json"]
TOY = HighCard()
OPERATOR = {"Authorization": "Bearer not for anyone"}


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path, {**GAMES_BY_NAME, TOY.name: TOY})
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture
async def played(hall: WebHall) -> tuple[FakeLink, FakeLink]:
    """Two who have finished a game, play another one, and sit at a game with hidden cards."""
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    await hall.play(ann, bob)
    await hall.play(ann, bob, (1, 2, 3))
    table = await hall.play(ann, bob, (), game=TOY.name)
    await hall.do(ann, table, Ante(10))
    await hall.do(bob, table, house.Leave())
    return ann, bob


# Both


@pytest.mark.parametrize("path", DOCUMENTS)
async def test_every_reference_leads_somewhere(hall: WebHall, path: str) -> None:
    document = await hall.get(path)
    found = set(refs(document))
    assert len(found) > 10
    for ref in found:
        resolve(document, ref)
    for name in document["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in found, f"{name} is used nowhere"
        assert re.fullmatch(r"[A-Za-z0-9._-]+", name)


@pytest.mark.parametrize("path", DOCUMENTS)
async def test_every_schema_is_one(hall: WebHall, path: str) -> None:
    document = await hall.get(path)
    for schema in document["components"]["schemas"].values():
        problems({}, schema, document)
    assert document["info"]["version"] == __version__


@pytest.mark.parametrize("path", DOCUMENTS)
async def test_every_error_code_is_listed(hall: WebHall, path: str) -> None:
    codes = (await hall.get(path))["components"]["schemas"]["ErrorCode"]["oneOf"]
    listed = {code["const"] for code in codes}
    assert listed >= {error.code for error in all_errors()}
    assert {"already_in", "column_full", "no_such_path"} <= listed
    assert all(code["description"] for code in codes)


# OpenAPI


async def test_every_route_is_documented_and_every_documented_route_is_there(
    hall: WebHall,
) -> None:
    document = await hall.get("/api/openapi.json")
    routes = {resource.canonical for resource in hall.app.router.resources()}
    assert set(document["paths"]) == routes - {"/assets/{name}"}
    assert document["openapi"] == "3.1.0"
    operations = [op["operationId"] for path in document["paths"].values() for op in path.values()]
    assert len(set(operations)) == len(operations)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            parameters = operation["parameters"]
            in_path = {p["name"] for p in parameters if p["in"] == "path"}
            assert in_path == set(re.findall("{(.*?)}", path))
            assert all(p["required"] for p in parameters if p["in"] == "path")


@pytest.mark.usefixtures("played")
async def test_what_is_answered_over_http_is_what_is_documented(hall: WebHall) -> None:
    document = await hall.get("/api/openapi.json")
    tournament = await hall.house.hall.tournaments.open({"game": "connect-four"})
    await hall.house.hall.tournaments.enter_bots(tournament, ["random", "random"])
    assert await hall.house.hall.away.follow(hall.url(""), tournament) == 1
    places = {"id": ("1", "2", "3"), "name": ("Ann", "Bob"), "": ("",)}
    for path, methods in document["paths"].items():
        if "get" not in methods:
            continue
        (placeholder,) = re.findall("{(.*?)}", path) or ("",)
        responses = methods["get"]["responses"]
        ((media_type, body),) = responses["200"]["content"].items()
        values = (str(tournament),) if "/tournaments/" in path else places[placeholder]
        values = ("1",) if "/away" in path else values
        values = ("1",) if path.endswith("/replay") else values
        # This hall has no solver; tests/solver has one, and what it answers.
        values = () if path.endswith("/analysis") else values
        needed = "?game=connect-four" if path == "/api/ratings" else ""
        for value in values:
            asked = path.replace(f"{{{placeholder}}}", value) + needed
            response = await hall.ask(asked, headers=OPERATOR)
            assert response.status == 200
            assert response.content_type == media_type
            text = await response.text()
            if media_type == "application/json":
                assert problems(msgspec.json.decode(text), body["schema"], document) == []
            elif media_type == "application/x-ndjson":
                for line in text.splitlines():
                    assert problems(msgspec.json.decode(line), body["schema"], document) == []


async def test_refusals_over_http_are_as_documented(hall: WebHall) -> None:
    document = await hall.get("/api/openapi.json")
    paths = document["paths"]
    for path, asked, status, code in (
        ("/api/tables", "/api/tables?limit=x", "400", "bad_request"),
        ("/api/tables", "/api/tables?game=x", "404", "no_such_game"),
        ("/api/tables/{id}", "/api/tables/9", "404", "no_such_table"),
        ("/api/tables/{id}/journal", "/api/tables/9/journal", "404", "no_such_table"),
        ("/api/players/{name}", "/api/players/x", "404", "no_such_player"),
    ):
        documented = paths[path]["get"]["responses"][status]
        assert f"`{code}`" in documented["description"]
        answer = await hall.get(asked, int(status))
        schema = documented["content"]["application/json"]["schema"]
        assert problems(answer, schema, document) == []
    assert "403" in paths["/api/tables/{id}"]["get"]["responses"]
    assert "503" in paths["/healthz"]["get"]["responses"]


# AsyncAPI


async def test_every_action_and_notice_is_documented(hall: WebHall) -> None:
    document = await hall.get("/api/asyncapi.json")
    assert document["asyncapi"] == "3.0.0"
    operations = document["operations"]
    asked = {name for name, operation in operations.items() if operation["action"] == "receive"}
    assert asked == set(ACTIONS)
    told = {
        document["components"]["messages"][name]["name"]
        for name, operation in operations.items()
        if operation["action"] == "send"
    }
    assert told == {"table_events", *(notice_action(kind) for kind in Notice.__subclasses__())}
    assert {"table_view", "table_over", "seated", "lobby", "said", "going_away"} <= told
    in_channel = document["channels"]["native"]["messages"]
    assert set(in_channel) == set(document["components"]["messages"])
    for operation in operations.values():
        for ref in refs([operation["messages"], operation.get("reply", {}).get("messages", [])]):
            assert ref.startswith("#/channels/native/messages/")


async def test_the_servers_are_the_open_doors(hall: WebHall) -> None:
    hall.doors = [("native", "0.0.0.0:8000"), ("native-tcp", "0.0.0.0:8001")]
    response = await hall.ask("/api/asyncapi.json", headers={"Host": "hall.example:80"})
    assert (await response.json())["servers"] == {
        "websocket": {"host": "hall.example:80", "pathname": "/ws", "protocol": "ws"},
        "lines": {"host": "hall.example:8001", "protocol": "tcp"},
    }
    hall.doors = [("native", "127.0.0.1:8000")]
    assert set((await hall.get("/api/asyncapi.json"))["servers"]) == {"websocket"}


async def test_commands_and_events_of_the_games_are_in_it(hall: WebHall) -> None:
    document = await hall.get("/api/asyncapi.json")
    act = document["components"]["messages"]["act"]["payload"]

    def asked(command: Any) -> list[str]:
        message = {"action": "act", "payload": {"table": 1, "command": command}}
        return problems(message, act, document)

    assert asked({"type": "drop", "column": 3}) == []
    assert asked({"type": "ante", "chips": 3}) == []
    assert asked({"type": "drop", "column": "3"}) != []
    assert asked({"type": "drop"}) != []
    assert asked({"type": "time_up"}) != [], "no seat can send what a timer sends"
    assert asked({"type": "close", "reason": "x"}) != []


async def test_what_is_told_is_what_is_documented(
    hall: WebHall, played: tuple[FakeLink, FakeLink]
) -> None:
    document = await hall.get("/api/asyncapi.json")
    messages = document["components"]["messages"]
    kinds = set()
    for link in played:
        for notice in link.notices:
            action = notice_action(type(notice))
            kinds.add(action)
            _check(action, notice, messages[f"{action}_notice"], document)
        assert link.online is not None
        for told, _ in link.told:
            after, events = told.seen_by(link.online.player.id)
            payload = TableEvents(told.table, told.seq, after, events)
            _check("table_events", payload, messages["table_events_notice"], document)
    assert {"table_view", "seated"} <= kinds


class Wire:
    """A connection that keeps what is sent through it."""

    kind = "tcp"
    address = "127.0.0.1"
    peer_done = False

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def frame(self, payload: bytes) -> bytes:
        self.sent.append(msgspec.json.decode(payload))
        return payload

    def send(self, _: bytes) -> bool:
        return True

    offer = send

    def hello_done(self) -> None: ...


@pytest.mark.usefixtures("played")
async def test_what_is_answered_at_the_native_door_is_what_is_documented(hall: WebHall) -> None:
    document = await hall.get("/api/asyncapi.json")
    messages = document["components"]["messages"]
    wire = Wire()
    link = NativeLink(hall.house.hall, cast(Channel, wire))
    asked: list[tuple[str, dict[str, Any]]] = [
        ("hello", {"name": "Zoë"}), ("ping", {}), ("list_games", {}), ("list_tables", {}),
        ("list_players", {}), ("watch_lobby", {}), ("open_table", {"game": "connect-four"}),
        ("sit", {"table": 4}), ("leave", {"table": 4}), ("watch", {"table": 2}),
        ("say", {"table": 2, "text": "Hello"}), ("resume", {"table": 2}),
        ("unwatch", {"table": 2}), ("seek", {"game": "connect-four"}), ("cancel_seek", {}),
        ("history", {}), ("journal", {"table": 1}), ("journal", {"table": 2}),
        ("journal", {"table": 3}), ("standings", {}), ("balance", {}), ("statement", {}),
        ("unwatch_lobby", {}), ("register", {"name": "Zoë", "password": "a password"}),
        ("logout", {}), ("login", {"name": "Zoë", "password": "a password"}),
    ]  # fmt: skip
    for action, payload in asked:
        message = {"action": action, "requestId": f"the {action}", "payload": payload}
        assert problems(message, messages[action]["payload"], document) == []
        answered = messages[f"{action}_answer"]["payload"]
        wire.sent.clear()
        link.received(msgspec.json.encode(message))
        await until(lambda: any(m.get("requestId") for m in wire.sent))
        (answer,) = [m for m in wire.sent if m.get("requestId")]
        assert answer["requestId"] == message["requestId"]
        assert problems(answer, answered, document) == [], answer


async def test_envelopes(hall: WebHall) -> None:
    document = await hall.get("/api/asyncapi.json")
    error = document["components"]["messages"]["error"]
    _check("error", ErrorPayload("column_full", "Full.", "7"), error, document)
    sent = {"action": "error", "payload": {"code": "no such code", "message": ""}}
    assert problems(sent, error["payload"], document) != []
    for message in ("ping", "ping_answer", "error"):
        payload = document["components"]["messages"][message]["payload"]
        request_id = payload["properties"]["requestId"]
        assert problems("i" * 64, request_id, document) == []
        assert problems("i" * 65, request_id, document) != []


def _check(action: str, payload: Any, message: Any, document: Any) -> None:
    sent = msgspec.json.decode(msgspec.json.encode(Reply(action, None, payload)))
    assert problems(sent, message["payload"], document) == [], sent
