"""Clients of the native door, over lines or WebSocket. What is answered and what comes unasked are
kept apart."""

from __future__ import annotations

import json
from itertools import count
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from tests.support.clients import SocketClient
from tests.support.framing import Frames, Lines, frame

Json = dict[str, Any]
Door = Literal["ws", "tcp"]

REQUESTS = count(1)
"""Numbers of requests: whoever comes back must not use one again at a table."""
NOTICES = {
    "table_view", "table_events", "table_over", "seated", "player_dropped", "player_back",
    "player_left", "challenged", "challenge_refused", "challenge_expired", "challenge_withdrawn",
    "lobby", "said", "watching", "glance", "going_away",
}  # fmt: skip


class Place(Protocol):
    """Where a hall is: a process of its own, or within the test's."""

    @property
    def ports(self) -> dict[str, int]: ...
    @property
    def ws_url(self) -> str: ...


class Client(SocketClient):
    """One connection. `log` has every message that came, in order.

    Each answer and each notice is taken once; the end of the test looks for answers left over.
    """

    frame = staticmethod(frame)
    go_on_reading = SocketClient.read_on
    shut_down = SocketClient.shut
    reset = SocketClient.abort

    def __init__(self, framing: Lines | Frames) -> None:
        self.log: list[Json] = []
        self.answers: list[Json] = []
        self.notices: list[Json] = []
        self.secrets: set[str] = set()
        """Tokens, passwords and keys that went over this connection: no log may have them."""
        self.welcome: Json = {}
        super().__init__(framing, self.log)

    @classmethod
    async def connect(cls, hall: Place, door: Door, *, buffer_bytes: int = 0) -> Client:
        """`buffer_bytes`: as in `open`."""
        port = hall.ports["native" if door == "ws" else "native-tcp"]
        client = cls(Frames(hall.ws_url) if door == "ws" else Lines())
        return await client.open(port, buffer_bytes=buffer_bytes)

    @property
    def door(self) -> Door:
        return "tcp" if isinstance(self._framing, Lines) else "ws"

    # To the hall

    def send(self, action: str, payload: Any = None, request_id: Any = None) -> None:
        message: Json = {"action": action}
        if request_id is not None:
            message["requestId"] = request_id
        if payload is not None:
            message["payload"] = payload
            self._note_secrets(payload)
        self.send_text(json.dumps(message))

    def send_text(self, message: str | bytes) -> None:
        """One message, whatever it says."""
        self.write(self.framed(message))

    def framed(self, message: str | bytes) -> bytes:
        """The bytes that one message is on the wire."""
        return self._framing.framed(message.encode() if isinstance(message, str) else message)

    # From the hall

    async def ask(self, action: str, **payload: Any) -> Json:
        """The payload of the answer, which must not be a refusal."""
        answer = await self.request(action, payload)
        assert answer["action"] == ("pong" if action == "ping" else action), answer
        found: Json = answer["payload"]
        self._note_secrets(found)
        return found

    async def refused(self, action: str, **payload: Any) -> str:
        """The code with which it is refused."""
        answer = await self.request(action, payload)
        assert answer["action"] == "error", answer
        error = answer["payload"]
        assert set(error) == {"code", "message", "requestId"}
        assert error["requestId"] == answer["requestId"]
        assert error["message"]
        code: str = error["code"]
        return code

    async def request(self, action: str, payload: Any, request_id: str | None = None) -> Json:
        """The whole answer."""
        if request_id is None:
            request_id = f"r{next(REQUESTS)}"
        self.send(action, payload, request_id)
        return await self.answer(request_id)

    async def answer(self, request_id: str | None = None) -> Json:
        """The answer to that request; without one, the next answer whatever it is to."""

        def find() -> Json | None:
            for answer in self.answers:
                if request_id is None or answer.get("requestId") == request_id:
                    self.answers.remove(answer)
                    return answer
            return None

        return await self.until(find, f"the answer to {request_id}")

    async def error(self) -> str:
        """The code of the next answer, which must be a refusal of what has no request id."""
        answer = await self.answer()
        assert answer["action"] == "error", answer
        assert set(answer["payload"]) == {"code", "message"}, answer
        code: str = answer["payload"]["code"]
        return code

    async def still_answers(self) -> None:
        """The next thing that is answered is a ping: nothing else was left to say."""
        self.send("ping", request_id="still there")
        assert (await self.answer())["action"] == "pong"

    async def notice(self, action: str, **fields: Any) -> Json:
        """The payload of the first notice of that kind that was not taken yet."""

        def find() -> Json | None:
            for notice in self.notices:
                payload: Json = notice["payload"]
                if notice["action"] == action and fields.items() <= payload.items():
                    self.notices.remove(notice)
                    return payload
            return None

        return await self.until(find, f"the notice {action} {fields}")

    async def closed(self) -> int | None:
        """Waits for the hall's end of the connection; over WebSocket, the code it closes with."""
        await self.end()
        return self._framing.close_code

    def heard(self, action: str) -> list[Json]:
        """The payloads of all messages of that action so far."""
        return [message["payload"] for message in self.log if message["action"] == action]

    def _take(self, message: bytes) -> None:
        told: Json = json.loads(message)
        assert set(told) <= {"action", "requestId", "payload"}, told
        self.log.append(told)
        if told["action"] in NOTICES:
            assert "requestId" not in told
            self.notices.append(told)
        else:
            self.answers.append(told)

    def _note_secrets(self, payload: Any) -> None:
        if isinstance(payload, dict):
            for name in ("token", "password", "key"):
                value = payload.get(name)
                if isinstance(value, str) and len(value) > 5:
                    self.secrets.add(value)

    # Coming and going

    async def hello(self, name: str | None = None, token: str | None = None) -> Self:
        given = {"name": name, "token": token}
        self.welcome = await self.ask("hello", **{k: v for k, v in given.items() if v is not None})
        return self

    @property
    def id(self) -> int:
        id: int = self.welcome["player"]["id"]
        return id

    @property
    def name(self) -> str:
        name: str = self.welcome["player"]["name"]
        return name

    @property
    def token(self) -> str:
        token: str = self.welcome["token"]
        return token

    async def close(self) -> None:
        if not self.ended:
            self._framing.goodbye()
            self._flush()
        await super().close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
