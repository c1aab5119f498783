"""A page of the `watch` door, on the `websockets` package: it shares no code with the hall."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

from tests.support.waiting import WAIT_SECONDS

Json = dict[str, Any]


class Page:
    """Asks, and waits for the answer. A context manager."""

    def __init__(self, url: str, **how: Any) -> None:
        self._connecting = connect(url, max_size=None, compression=None, **how)
        self._socket: ClientConnection
        self._last: Json | None = None

    def send(self, message: Any) -> None:
        """Text or bytes as they are, anything else as JSON."""
        self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self) -> Json:
        try:
            answer: Json = json.loads(self._socket.recv(WAIT_SECONDS))
        except TimeoutError:
            raise AssertionError(f"nothing comes; the last: {self._last}") from None
        self._last = answer
        return answer

    def ask(self, message: Any) -> Json:
        self.send(message)
        return self.receive()

    def ping(self) -> Json:
        answer = self.ask({"msg": "ping"})
        assert list(answer) == ["msg", "game_state", "game_history"]
        assert answer["msg"] == "get"
        return answer

    def detail(self, room: Any) -> Json:
        answer = self.ask({"msg": "detail", "room_id": room})
        assert list(answer) == ["msg", "res", "next_move", "winner"], answer
        assert answer["msg"] == "get"
        return answer

    def error(self, message: Any) -> str:
        answer = self.ask(message)
        assert list(answer) == ["msg", "error"], answer
        assert answer["msg"] == "error"
        sentence: str = answer["error"]
        assert sentence
        return sentence

    def __enter__(self) -> Self:
        self._socket = self._connecting.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connecting.__exit__(kind, error, traceback)
