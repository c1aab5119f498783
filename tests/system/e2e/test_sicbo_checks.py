"""That the clients of the Sic Bo tests would notice what is wrong."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.system.e2e.clients import Json
from tests.system.e2e.programs import ROOT
from tests.system.e2e.sicbo_rounds import Book, Follower, below, dice_of
from tests.system.e2e.sicbo_shapes import check_shape, result_of

SECRET = bytes(range(32))
DICE = dice_of(SECRET)
RESULT = result_of(DICE)
OPEN_AT = time.time_ns() // 1_000_000


def state(status: str, **more: Any) -> Json:
    payload = {"roundId": "R7", "status": status, "openAt": OPEN_AT, "closeAt": OPEN_AT + 15_000}
    left = 15 if status == "BETTING_OPEN" else 0
    return {"action": "round_state", "payload": {**payload, "elapsedTime": left, **more}}


def told(action: str, **payload: Any) -> Json:
    return {"action": action, "payload": {"roundId": "R7", **payload}}


def bet(door: str, id: str, side: str, amount: int, big: int, small: int) -> Json:
    more: Json = {}
    if door == "mario":
        more = {
            "totalBetBig": big,
            "totalBetSmall": small,
            "betPlayerBig": int(big > 0),
            "betPlayerBIG": int(big > 0),
            "betPlayerSmall": int(small > 0),
            "betInfo": {
                "amountBig": big,
                "amountSmall": small,
                "sides": {side: chips for side, chips in (("BIG", big), ("SMALL", small)) if chips},
            },
        }
    return told("bet_accepted", betId=id, side=side, amount=amount, **more)


def payouts(door: str) -> list[Json]:
    won = {"B1": 2000 if RESULT == "BIG" else 0, "B2": 600 if RESULT == "SMALL" else 0}
    if door == "mario":
        won = {"": sum(won.values())}
    return [
        told("payout", betId=id, outcome="WIN" if chips else "LOSS", payout=chips)
        for id, chips in won.items()
    ]


def a_round(door: str) -> list[Json]:
    """A whole round with two bets, as a door tells of it."""
    commitment = hashlib.sha256(SECRET).hexdigest()
    reveal = {"dice": DICE, "sum": sum(DICE), "result": RESULT, "secret": SECRET.hex()}
    return [
        {"action": "new_round"},
        state("BETTING_OPEN", commitment=commitment),
        bet(door, "B1", "BIG", 1000, 1000, 0),
        bet(door, "B2", "SMALL", 300, 1000, 300),
        state("BETTING_CLOSE"),
        told("reveal_result", **reveal),
        *payouts(door),
        state("FINISH"),
        told("game_over"),
    ]


def follow(door: str, messages: list[Json]) -> Book:
    book = Book()
    follower = Follower(door, book)
    follower.subscribe()
    for message in messages:
        check_shape(door, message)
        follower.take(message)
    return book


@pytest.mark.parametrize("door", ["rfc", "mario"])
def test_a_true_round(door: str) -> None:
    book = follow(door, a_round(door))
    won = 2000 if RESULT == "BIG" else 600
    assert book.balance == 1_000_000 - 1300 + won


@pytest.mark.parametrize("door", ["rfc", "mario"])
def test_no_message_may_be_missing_doubled_or_out_of_place(door: str) -> None:
    true = a_round(door)
    with_next = [*true, {"action": "new_round"}]
    first_needed, bets = 2, (2, 3)
    for place in range(first_needed, len(true)):
        missing = with_next[:place] + with_next[place + 1 :]
        if place in bets and door == "mario":
            continue  # What it lacks shows in the next bet and the payout, below.
        with pytest.raises((AssertionError, KeyError)):
            follow(door, missing)
    for place in range(len(true)):
        if place not in bets:
            with pytest.raises(AssertionError):
                follow(door, true[: place + 1] + true[place:])
    for place in range(1, len(true) - 1):
        if place in (2, 6) and door == "rfc":
            continue  # Two bets, or two payouts, of which either may come first.
        swapped = [*true[:place], true[place + 1], true[place], *true[place + 2 :]]
        with pytest.raises(AssertionError):
            follow(door, swapped)


WRONG: list[tuple[int, str, Any]] = [
    (1, "roundId", "ROUND_7"),
    (1, "commitment", "00" * 32),
    (1, "elapsedTime", 16),
    (1, "elapsedTime", 14.5),
    (1, "closeAt", OPEN_AT - 1),
    (2, "betId", "1"),
    (2, "amount", True),
    (2, "side", "TAI"),
    (2, "roundId", "R8"),
    (4, "roundId", "R8"),
    (4, "elapsedTime", 1),
    (4, "openAt", OPEN_AT + 1),
    (5, "dice", [die % 6 + 1 for die in DICE]),
    (5, "sum", sum(DICE) + 1),
    (5, "result", "NONE"),
    (5, "secret", "11" * 32),
    (6, "payout", 1),
    (6, "roundId", "R6"),
    (6, "betId", "B9"),
    (-2, "commitment", "00" * 32),
    (-1, "roundId", "R8"),
]


@pytest.mark.parametrize("door", ["rfc", "mario"])
@pytest.mark.parametrize(
    ("place", "name", "value"), WRONG, ids=[f"{name}{n}" for n, (_, name, _) in enumerate(WRONG)]
)
def test_no_field_may_be_wrong(door: str, place: int, name: str, value: Any) -> None:
    messages = deepcopy(a_round(door))
    messages[place]["payload"][name] = value
    with pytest.raises((AssertionError, KeyError)):
        follow(door, messages)


def test_the_tally_of_mario_must_fit() -> None:
    wrong: list[Callable[[Json], None]] = [
        lambda bet: bet.update(betPlayerBIG=2),
        lambda bet: bet.update(totalBetBig=999),
        lambda bet: bet.update(betPlayerSmall=2),
        lambda bet: bet["betInfo"].update(amountBig=999),
        lambda bet: bet.pop("betInfo"),
    ]
    for spoil in wrong:
        messages = deepcopy(a_round("mario"))
        spoil(messages[3]["payload"])
        with pytest.raises(AssertionError):
            follow("mario", messages)


def test_errors_must_name_their_request() -> None:
    error = {"code": "INVALID_SIDE", "message": "BIG or SMALL.", "requestId": 7}
    check_shape("rfc", {"action": "error", "requestId": 7, "payload": error})
    for wrong in (
        {"action": "error", "payload": error},
        {"action": "error", "requestId": 8, "payload": error},
        {"action": "error", "requestId": 7, "payload": {**error, "code": "invalid_side"}},
        {"action": "error", "requestId": 7, "payload": {**error, "message": ""}},
    ):
        with pytest.raises(AssertionError):
            check_shape("rfc", wrong)


def test_draws_are_as_the_document_says() -> None:
    lines = (ROOT / "docs" / "fairness.md").read_text().splitlines()
    vectors = [json.loads(line) for line in lines if line.startswith('{"secret"')]
    checked = 0
    for vector in vectors:
        if "below" in vector:
            secret = bytes.fromhex(vector["secret"])
            assert below(secret, vector["label"], *vector["below"]) == vector["gives"]
            checked += 1
    assert checked
