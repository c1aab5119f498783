"""Clients of the Sic Bo doors, on the `websockets` package: they share no code with the hall."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.processes import HallProcess
from tests.support.waiting import Listener

Json = dict[str, Any]


class WebSocketClient(Listener):
    """One connection. `log` has every message that came, `waiting` those that nobody has taken."""

    def __init__(self, socket: ClientConnection) -> None:
        self.log: list[Any] = []
        self.texts: list[str] = []
        """The messages as they came."""
        self.waiting: list[Any] = []
        self.close_code: int | None = None
        self._socket = socket
        super().__init__(self.log)
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def connect(cls, url: str, **how: Any) -> Self:
        return cls(await connect(url, max_size=None, compression=None, **how))

    async def _listen(self) -> None:
        try:
            async for text in self._socket:
                assert isinstance(text, str), "a binary message"
                message = json.loads(text)
                self.texts.append(text)
                self.log.append(message)
                self.waiting.append(message)
                self.look()
        except ConnectionClosed:
            pass
        except Exception as error:  # noqa: BLE001 (told to the test that waits)
            self.fault = error
        finally:
            self.close_code = self._socket.close_code or 1006
            self.ended = True
            self.look()

    async def send(self, message: Any) -> None:
        """A message: text as it is, anything else as JSON."""
        await self._socket.send(
            message if isinstance(message, str | bytes) else json.dumps(message)
        )

    async def take(self, fits: Callable[[Any], bool], what: str) -> Any:
        """The first message that fits and was not taken yet."""

        def find() -> Any:
            for message in self.waiting:
                if fits(message):
                    self.waiting.remove(message)
                    return message
            return None

        return await self.until(find, what)

    async def closed(self) -> int:
        """The code with which the hall closes."""
        return await self.until(lambda: self.close_code, "the end")

    def stop_reading(self) -> None:
        self._socket.transport.pause_reading()

    def go_on_reading(self) -> None:
        self._socket.transport.resume_reading()

    async def close(self) -> None:
        await self._socket.close()
        with suppress(asyncio.CancelledError):
            await self._listening
        await self.end()


class Speaker(WebSocketClient):
    """What the clients of both doors do: the door decides how a request is wrapped."""

    _requests = 0

    @staticmethod
    def said(message: Any) -> Json | None:
        """What the RFC's server says in a message, if it is that."""
        return message if isinstance(message, dict) else None

    def wrapped(self, request: Json) -> Any:
        return request

    async def request(self, action: str, payload: Any = None, request_id: Any = None) -> Json:
        """The whole answer."""
        if request_id is None:
            Speaker._requests += 1
            request_id = f"r{Speaker._requests}"
        request = {"action": action, "requestId": request_id}
        if payload is not None:
            request["payload"] = payload
        await self.send(self.wrapped(request))
        return await self.answer(request_id)

    async def answer(self, request_id: Any) -> Json:
        def fits(message: Any) -> bool:
            said = self.said(message)
            return said is not None and said.get("requestId") == request_id

        said = self.said(await self.take(fits, f"the answer to {request_id!r}"))
        assert said is not None
        return said

    async def refused(self, action: str, payload: Any = None, request_id: Any = None) -> str:
        """The code with which it is refused."""
        return self.code_of(await self.request(action, payload, request_id))

    @staticmethod
    def code_of(answer: Json) -> str:
        assert answer["action"] == "error", answer
        error = answer["payload"]
        assert set(answer) - {"requestId"} == {"action", "payload"}, answer
        assert set(error) - {"requestId"} == {"code", "message"}, answer
        assert error.get("requestId") == answer.get("requestId"), answer
        assert error["message"], answer
        code: str = error["code"]
        return code

    async def error(self) -> str:
        """The code of the next error that names no request."""

        def fits(message: Any) -> bool:
            said = self.said(message)
            return said is not None and said["action"] == "error" and "requestId" not in said

        said = self.said(await self.take(fits, "an error"))
        assert said is not None
        return self.code_of(said)

    async def bet(self, side: str, amount: Any, round: Any = None, request_id: Any = None) -> Json:
        """The payload of `bet_accepted`."""
        payload = {"side": side, "amount": amount}
        if round is not None:
            payload["roundId"] = round
        answer = await self.request("place_bet", payload, request_id)
        assert answer["action"] == "bet_accepted", answer
        accepted: Json = answer["payload"]
        return accepted

    async def balance(self) -> int:
        answer = await self.request("get_user_info")
        balance: int = answer["payload"]["balance"]
        return balance

    async def table_info(self) -> Json:
        datas: Json = (await self.request("get_table_info"))["datas"]
        return datas

    async def told(self, action: str, **fields: Any) -> Json:
        """The payload of the first message of that kind that nobody asked for or took."""

        def fits(message: Any) -> bool:
            said = self.said(message)
            if said is None or said["action"] != action:
                return False
            return bool(fields.items() <= said.get("payload", {}).items())

        said = self.said(await self.take(fits, f"{action} {fields}"))
        assert said is not None
        payload: Json = said.get("payload", {})
        return payload

    async def opened(self) -> Json:
        """The state of a round that opens from now on; only what comes after it can be taken."""
        start = len(self.log)

        def find() -> int | None:
            for place, message in enumerate(self.log[start:], start):
                payload = (self.said(message) or {}).get("payload") or {}
                if payload.get("status") == "BETTING_OPEN":
                    return place
            return None

        place = await self.until(find, "a new round")
        self.waiting[:] = self.log[place + 1 :]
        said = self.said(self.log[place])
        assert said is not None
        payload: Json = said["payload"]
        return payload

    async def new_round(self) -> str:
        """Its id."""
        round: str = (await self.opened())["roundId"]
        return round

    def actions(self, round: str) -> list[str]:
        """What was told of a round, in order: actions, and the states as their status."""
        told = []
        for message in self.log:
            said = self.said(message) or {}
            payload = said.get("payload") or {}
            if payload.get("roundId") == round and said["action"] != "bet_accepted":
                told.append(payload.get("status") or said["action"])
        return told

    async def still_answers(self) -> None:
        assert (await self.request("ping"))["action"] == "pong"


class RfcClient(Speaker):
    """A client of the `rfc` door."""

    @classmethod
    async def visit(cls, hall: HallProcess, path: str = "/", **how: Any) -> Self:
        return await cls.connect(f"ws://127.0.0.1:{hall.ports['rfc']}{path}", **how)

    async def subscribe(self) -> Json:
        """The payload of the round_state that answers it."""
        answer = await self.request("subscribe_rounds")
        assert answer["action"] == "round_state", answer
        state: Json = answer["payload"]
        return state

    async def log_in(self, name: str, password: str) -> Json:
        answer = await self.request("login", {"username": name, "password": password})
        assert answer["action"] == "login", answer
        payload: Json = answer["payload"]
        return payload
