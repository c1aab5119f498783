"""Whatever is sent to the `mario` door is answered, and the connection lives on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from tests.doors.rfc.fuzzing import REQUESTS, UNLIMITED, Fuzzed, fuzz, fuzzing, messages
from tests.support.processes import HallProcess

SETTINGS = UNLIMITED
ZONE, FOUR = "SicboZone", "ConnectFourZone"
SILENT = ("subscribe_rounds", "join_to_sicbo_game")
"""As objects they may come before the login, which then answers them."""
ROOMS: list[Any] = [
    {"action": "get_room_types"},
    {"action": "get_rooms", "requestId": "r", "payload": {}},
    {"action": "search_room", "requestId": 5, "payload": {"groupId": "SICBO"}},
    {"action": "create_room", "requestId": 6, "payload": {"groupId": "CONNECT_FOUR"}},
]
PLAYED: list[Any] = [
    {"action": "open_table", "payload": {"game": "connect-four", "bots": 1}},
    {"action": "sit", "payload": {"table": 2}},
    {"action": "act", "requestId": 3, "payload": {"table": 2, "command": {"type": "resign"}}},
    {"action": "list_tables", "requestId": "l"},
    {"action": "logout"},
]
VALID: list[Any] = [
    *REQUESTS,
    *([6, ZONE, "sicboPlugin", request] for request in REQUESTS),
    *([5, ZONE, 1, request] for request in REQUESTS),
    *([6, FOUR, "connectFourPlugin", request] for request in PLAYED),
    *([5, FOUR, 2, request] for request in PLAYED),
    *([6, FOUR, "connectFourPlugin", request] for request in ROOMS),
    *([5, ZONE, 1, request] for request in ROOMS),
    *([6, "LOBBY", "LOBBY", request] for request in (*REQUESTS, *ROOMS)),
    [1, "LOBBY", "", "x", {"bnrToken": ""}], [1, ZONE, "", {}, {"bnrToken": ""}], [3, None, 1, ""],
    [1, ZONE, "", "x", {}], [1, "NoZone", "x", "x", {}], [3, ZONE, 1, ""], [4, ZONE, 1],
    [3, FOUR, 2, "k"], [4, FOUR, 2], [2, "NoZone"], [7, ZONE, 1, 1764208281333],
]  # fmt: skip


@pytest.fixture(scope="module")
def fuzzed(hall: HallProcess) -> Iterator[Fuzzed]:
    logins: list[list[Any]] = [[1, zone, "fuzz", "pw", {}] for zone in ("LOBBY", ZONE, FOUR)]
    with fuzzing(hall, "mario", *logins) as fuzzed:
        yield fuzzed


def is_silent(message: str) -> bool:
    try:
        value = json.loads(message)
    except (ValueError, RecursionError):
        return not message or message.encode().isspace()
    return isinstance(value, dict) and value.get("action") in SILENT


@fuzz
@given(sent=messages(VALID))
def test_every_message_is_answered(fuzzed: Fuzzed, sent: list[str]) -> None:
    for message in sent:
        for answer in fuzzed.bears(message, expects_answer=not is_silent(message)):
            if isinstance(answer, dict):
                assert answer["action"] == "pong"
            else:
                assert answer[0] in range(1, 7)
                assert answer[0] != 5 or isinstance(answer[1]["action"], str)
