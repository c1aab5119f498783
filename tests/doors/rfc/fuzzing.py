"""Messages of every kind, right, nearly right and wrong, and a connection that must bear them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from websockets.sync.client import ClientConnection, connect

from tests.doors.rfc.clients import Json
from tests.doors.rfc.halls import Visitors
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

UNLIMITED = ("limits.messages_per_second=0", "sicbo.betting_seconds=3600")
fuzz = settings(max_examples=150, suppress_health_check=list(HealthCheck))

_ids = count(1)

keys = st.sampled_from(
    ["action", "requestId", "payload", "roundId", "side", "amount", "username", "table", "type"]
)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.sampled_from(["ping", "BIG", "R1", "SicboZone", 2**31, 2**53, 2**63, 10**400, 3.0, -1]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(keys | st.text("ab", max_size=3), inner, max_size=5),
    max_leaves=8,
)  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)

REQUESTS: list[Json] = [
    {"action": "place_bet", "payload": {"roundId": "R1", "side": "BIG", "amount": 1}},
    {"action": "place_bet", "requestId": 7, "payload": {"side": "XIU", "amount": 2}},
    {"action": "get_user_info", "requestId": "u"},
    {"action": "get_table_info", "payload": {}},
    {"action": "ping", "requestId": 1},
    {"action": "login", "payload": {"username": "", "password": "x"}},
]


@st.composite
def changed(draw: st.DrawFn, original: Any) -> Any:
    """A value with one part of it replaced, left out or doubled."""
    if isinstance(original, dict) and original:
        key = draw(st.sampled_from(sorted(original)))
        rest = {name: value for name, value in original.items() if name != key}
        what = draw(st.sampled_from(["drop", "replace", "deeper", "add"]))
        if what == "drop":
            return rest
        if what == "add":
            return {**original, draw(keys): draw(values)}
        return {**rest, key: draw(values if what == "replace" else changed(original[key]))}
    if isinstance(original, list) and original:
        place = draw(st.integers(0, len(original) - 1))
        what = draw(st.sampled_from(["drop", "replace", "deeper", "double"]))
        before, item, after = original[:place], original[place], original[place + 1 :]
        if what == "drop":
            return [*before, *after]
        if what == "double":
            return [*before, item, item, *after]
        return [*before, draw(values if what == "replace" else changed(item)), *after]
    return draw(values)


@st.composite
def cut(draw: st.DrawFn, text: str) -> str:
    """Text with something left out or put in."""
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 4)))
    return text[:start] + draw(st.text('[]{},:"0e-\\ x', max_size=3)) + text[end:]


def messages(valid: list[Any]) -> st.SearchStrategy[list[str]]:
    whole = st.sampled_from(valid)
    as_json = (whole | whole.flatmap(changed) | values).map(json.dumps)
    return st.lists(as_json | as_json.flatmap(cut) | texts, min_size=1, max_size=8)


class Fuzzed:
    """One connection through many examples: nothing that is sent gives the hall reason to close."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def bears(self, message: str, expects_answer: bool) -> list[Any]:
        """What comes of it: at least one answer, if one is due, and then that of a ping."""
        self._socket.send(message)
        told = [self._receive()] if expects_answer else []
        id = f"the ping {next(_ids)}"
        self._socket.send(json.dumps({"action": "ping", "requestId": id}))
        pong = {"action": "pong", "requestId": id}
        while (answer := self._receive()) != pong:
            told.append(answer)
        return told

    def _receive(self) -> Any:
        return json.loads(self._socket.recv(timeout=WAIT_SECONDS))


@contextmanager
def fuzzing(hall: HallProcess, door: str, *greetings: list[Any]) -> Iterator[Fuzzed]:
    """A connection that has said its greetings. Fails if the hall's log shows a fault later."""
    visitors = Visitors(hall)
    url = f"ws://127.0.0.1:{hall.ports[door]}/"
    with connect(url, compression=None, max_size=None) as socket:
        fuzzed = Fuzzed(socket)
        for greeting in greetings:
            fuzzed.bears(json.dumps(greeting), expects_answer=True)
        yield fuzzed
    visitors.check_log()
