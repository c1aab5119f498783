"""What every message of the hall looks like at the `practice` door: just these keys, of these
kinds."""

from __future__ import annotations

import re
import time
from typing import Any

LOGIN, LOGOUT, SEEK, WITHDRAW, ACT = 200002, 200003, 200004, 200005, 200006
LOGGED_IN, WAITING, WITHDRAWN, START, OVER, ROOM, TOLD = range(100001, 100008)
ELSEWHERE = 300001
MOVE, MOVED = 500001, 500002
NO_INFO = (WAITING, WITHDRAWN)
KEYS = {
    LOGGED_IN: {"name"},
    ELSEWHERE: {"name"},
    START: {"move_turn", "room", "game_id", "content"},
    OVER: {"room", "result"},
    TOLD: {"message", "code"},
}
CLOCKS_APART_SECONDS = 24 * 3600
"""Far less than any other unit would make of it."""


def check_message(message: Any) -> None:
    assert set(message) == {"code", "id", "info", "timestamp"}
    code, info = message["code"], message["info"]
    assert type(code) is int
    assert type(message["id"]) in (str, int, type(None))
    assert type(message["timestamp"]) in (int, float)
    assert abs(message["timestamp"] - time.time()) < CLOCKS_APART_SECONDS
    if code in NO_INFO:
        assert info is None
    elif code == ROOM:
        check_room(info)
    else:
        assert set(info) == KEYS[code]
        _CHECKS[code](info)


def check_name(info: dict[str, Any]) -> None:
    check_text(info["name"])
    assert len(info["name"]) <= 32


def check_text(text: Any) -> None:
    assert isinstance(text, str)
    assert text.strip()
    assert text.isprintable()


def check_told(info: dict[str, Any]) -> None:
    # It may repeat what was sent, whatever that is.
    assert info["message"].strip()
    assert len(info["message"]) <= 500
    assert re.fullmatch(r"[a-z][a-z_]*", info["code"])


def check_room_number(room: Any) -> None:
    assert type(room) is int
    assert 0 < room < 2**31


def check_seat(seat: Any) -> None:
    assert seat is None or (type(seat) is int and seat >= 0)


def check_start(info: dict[str, Any]) -> None:
    check_room_number(info["room"])
    check_seat(info["move_turn"])
    check_text(info["game_id"])
    content = info["content"]
    assert set(content) == {"options", "view"}
    assert isinstance(content["options"], dict)
    assert isinstance(content["view"], dict)


def check_over(info: dict[str, Any]) -> None:
    check_room_number(info["room"])
    assert set(info["result"]) == {"winner", "reason"}
    check_seat(info["result"]["winner"])
    check_text(info["result"]["reason"])


def check_room(info: dict[str, Any]) -> None:
    check_room_number(info["room"])
    action = info["action"]
    if type(action) is int:
        assert action == MOVED
        assert set(info) == {"room", "action", "move_turn", "position_init", "position_move"}
        assert info["move_turn"] in (0, 1)
        for place in (info["position_init"], info["position_move"]):
            assert [type(coordinate) for coordinate in place] == [int, int]
    else:
        assert re.fullmatch(r"[a-z][a-z_]*", action)
        if action == "view":
            assert set(info) == {"room", "action", "view"}
            assert isinstance(info["view"], dict)


_CHECKS = {
    LOGGED_IN: check_name,
    ELSEWHERE: check_name,
    START: check_start,
    OVER: check_over,
    TOLD: check_told,
}
