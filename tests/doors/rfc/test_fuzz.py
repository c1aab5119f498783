"""Whatever is sent to the `rfc` door is answered, and the connection lives on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from tests.doors.rfc.fuzzing import REQUESTS, UNLIMITED, Fuzzed, fuzz, fuzzing, messages
from tests.support.processes import HallProcess

SETTINGS = UNLIMITED
ANSWERS = {
    "bet_accepted", "get_user_info", "get_table_info", "round_state", "pong", "error", "login",
}  # fmt: skip
VALID = [*REQUESTS, {"action": "subscribe_rounds", "requestId": 5}]


@pytest.fixture(scope="module")
def fuzzed(hall: HallProcess) -> Iterator[Fuzzed]:
    with fuzzing(hall, "rfc") as fuzzed:
        yield fuzzed


@fuzz
@given(sent=messages(VALID))
def test_every_message_is_answered_once(fuzzed: Fuzzed, sent: list[str]) -> None:
    for message in sent:
        blank = not message or message.encode().isspace()
        told = fuzzed.bears(message, expects_answer=not blank)
        assert len(told) == (not blank), told
        for answer in told:
            assert answer["action"] in ANSWERS
            assert set(answer) <= {"action", "requestId", "payload", "datas"}
