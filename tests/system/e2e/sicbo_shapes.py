"""What each message of the Sic Bo doors looks like, written down from their description alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.system.e2e.clients import Json

Check = Callable[[Any], bool]
Shape = dict[str, Check]

CHIPS = [10_000, 20_000, 30_000, 40_000, 50_000, 60_000]
SIDES = ("BIG", "SMALL")
CODES = (
    "BET_WINDOW_CLOSED",
    "ROUND_NOT_FOUND",
    "INVALID_SIDE",
    "INVALID_AMOUNT",
    "BAD_REQUEST",
    "UNKNOWN_ACTION",
    "NOT_LOGGED_IN",
    "LOGIN_FAILED",
    "RATE_LIMITED",
)


def is_number(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_positive(value: Any) -> bool:
    return is_number(value) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _matches(pattern: str) -> Check:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _among(*values: Any) -> Check:
    return lambda value: type(value) is type(values[0]) and value in values


def _is_dice(value: Any) -> bool:
    return len(value) == 3 and all(type(die) is int and 1 <= die <= 6 for die in value)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) or type(value) is int


_is_round = _matches(r"R[1-9][0-9]*")
_is_bet = _matches(r"B[1-9][0-9]*")
_is_hex = _matches(r"[0-9a-f]{64}")
_is_status = _among("BETTING_OPEN", "BETTING_CLOSE", "FINISH")

_ROUND_STATE: Shape = {
    "roundId": _is_round,
    "status": _is_status,
    "openAt": _is_positive,
    "closeAt": _is_positive,
    "elapsedTime": is_number,
}
_BET: Shape = {
    "betId": _is_bet,
    "roundId": _is_round,
    "side": _among(*SIDES),
    "amount": _is_positive,
}
_STAKES: Shape = {
    "amountBig": is_number,
    "amountSmall": is_number,
    "sides": lambda sides: all(_is_positive(chips) for chips in sides.values()),
}
_TOTALS: Shape = {
    "totalBetBig": is_number,
    "totalBetSmall": is_number,
    "betPlayerBig": is_number,
    "betPlayerSmall": is_number,
}
_ON_SIDE: Shape = {"total": is_number, "players": is_number}
_TABLE: Shape = {
    **_ROUND_STATE,
    **_TOTALS,
    "totalBet": is_number,
    "betPlayer": is_number,
    "dice": lambda dice: dice == [] or _is_dice(dice),
    "sum": is_number,
    "result": _among("", "NONE", *SIDES),
    "sides": lambda sides: all(_fits(on, _ON_SIDE) for on in sides.values()),
}
_COMMON: dict[str, Shape] = {
    "reveal_result": {
        "roundId": _is_round,
        "dice": _is_dice,
        "sum": is_number,
        "result": _among("NONE", *SIDES),
        "secret": _is_hex,
    },
    "game_over": {"roundId": _is_round},
    "get_user_info": {
        "balance": is_number,
        "tableId": _is_positive,
        "chipSet": _among(CHIPS),
    },
    "get_table_info": {},
}
_RFC: dict[str, Shape] = {
    **_COMMON,
    "bet_accepted": _BET,
    "payout": {
        "roundId": _is_round,
        "betId": _is_bet,
        "outcome": _among("WIN", "LOSS"),
        "payout": is_number,
    },
    "login": {"username": _is_text, "balance": is_number},
}
_MARIO: dict[str, Shape] = {
    **_COMMON,
    "bet_accepted": {
        **_BET,
        **_TOTALS,
        "betPlayerBIG": is_number,
        "betInfo": lambda info: _fits(info, _STAKES),
    },
    "payout": {**_RFC["payout"], "betId": _among("")},
}
_PAYLOADS = {"rfc": _RFC, "mario": _MARIO}


def check_shape(door: str, message: Json) -> None:
    """Raises AssertionError if this is no message that the door may send."""
    action = message["action"]
    beside = {"action", "requestId", "payload"}
    if action == "get_table_info":
        beside |= {"datas"}
        _check_table(door, message["datas"])
    if action == "get_user_info" and door == "mario":
        beside |= {"chipSet"}
        assert message["chipSet"] == CHIPS, message
    assert set(message) <= beside, message
    assert _is_id(message.get("requestId", "")), message
    payload = message.get("payload")
    if action == "new_round":
        assert payload is None or _is_round(payload["roundId"]), message
    elif action == "pong":
        assert not payload, message
    elif action == "error":
        _check_error(message)
    elif action == "round_state":
        _check_round_state(message)
    else:
        assert action in _PAYLOADS[door], message
        assert _fits(payload, _PAYLOADS[door][action]), message


def _check_round_state(message: Json) -> None:
    state = message["payload"]
    shape = dict(_ROUND_STATE)
    if state["status"] == "BETTING_OPEN":
        shape["commitment"] = _is_hex
    assert _fits(state, shape), message
    _check_times(state)


def _check_times(state: Json) -> None:
    window_ms = state["closeAt"] - state["openAt"]
    assert window_ms > 0, state
    left_seconds_max = -(-window_ms // 1000) if state["status"] == "BETTING_OPEN" else 0
    assert state["elapsedTime"] <= left_seconds_max, state


def _check_error(message: Json) -> None:
    error = message["payload"]
    assert error["code"] in CODES, message
    assert _is_text(error["message"]), message
    # Both have it, or neither.
    assert set(error) - {"code", "message"} == {"requestId"} & set(message), message
    assert error.get("requestId") == message.get("requestId"), message


def _check_table(door: str, datas: Json) -> None:
    assert {"tableInfo", "histories"} <= set(datas), datas
    if door == "mario":
        assert datas["tableInfos"] == [], datas
    assert _fits(datas["betInfo"], _STAKES), datas
    every = datas["tableInfo"]["sides"]
    assert len(every) == 52, datas
    assert sum(on["total"] for on in every.values()) == datas["tableInfo"]["totalBet"], datas
    assert len(datas["histories"]) <= 60, datas
    assert all(info["sides"] == {} for info in datas["histories"]), datas
    for info in (datas["tableInfo"], *datas["histories"]):
        assert _fits(info, _TABLE), info
        _check_times(info)
        check_totals(info)
        assert info["totalBet"] == info["totalBetBig"] + info["totalBetSmall"], info
        sides = (info["betPlayerBig"], info["betPlayerSmall"])
        assert max(sides) <= info["betPlayer"] <= sum(sides), info
        assert (info["dice"] != []) == (info["status"] == "FINISH"), info
        assert info["sum"] == sum(info["dice"]), info
        assert info["result"] == (result_of(info["dice"]) if info["dice"] else ""), info
    assert all(info["status"] == "FINISH" for info in datas["histories"]), datas


def check_totals(info: Json) -> None:
    """Chips on a side lie there for at least one player each."""
    for side in ("Big", "Small"):
        assert (info[f"totalBet{side}"] > 0) == (info[f"betPlayer{side}"] > 0), info
        assert info[f"totalBet{side}"] >= info[f"betPlayer{side}"], info


def result_of(dice: list[int]) -> str:
    total = sum(dice)
    return "NONE" if total in (3, 18) else "BIG" if total >= 11 else "SMALL"


def _fits(value: Any, shape: Shape) -> bool:
    """Just these fields, and each as it should be."""
    if not isinstance(value, dict) or set(value) != set(shape):
        return False
    return all(check(value[name]) for name, check in shape.items())
