"""A client of the `practice` door that shares no code with the hall: a bare socket, frames by the
`websockets` package, JSON, and what the door's description says. It fails at the first message that
has another form."""

from __future__ import annotations

import json
import time
from typing import Any, Self

from tests.doors.practice import shapes
from tests.doors.practice.shapes import check_message
from tests.support.clients import HOST, OrderedClient
from tests.support.framing import Frames, frame

Json = dict[str, Any]
NOTHING: Any = object()
"""No such key at all, which is less than null."""


class Practice(OrderedClient):
    """One connection."""

    frame = staticmethod(frame)

    def __init__(self, url: str) -> None:
        self.id: Any = None
        """As whom it is logged in."""
        self.ids: set[Any] = set()
        """Those that it has had or sent: of no other it may ever hear."""
        self.name = ""
        self.texts: list[str] = []
        self._frames = Frames(url)
        super().__init__(self._frames)

    @classmethod
    async def connect(cls, port: int, path: str = "/", **how: Any) -> Self:
        """`how`: as in `open`."""
        return await cls(f"ws://{HOST}:{port}{path}").open(port, **how)

    # To the hall

    def send(self, code: Any, info: Any = None, *, id: Any = None, **more: Any) -> None:
        """A message as clients send it; without an `id`, the own one, if there is one."""
        if id is None:
            id = "" if self.id is None else self.id
        if isinstance(id, str | int):
            self.ids.add(id)
        message = {"code": code, "id": id, "info": info, "timestamp": time.time(), **more}
        self.say({name: value for name, value in message.items() if value is not NOTHING})

    def say(self, message: Any) -> None:
        """One message: text as it is, anything else as JSON."""
        text = message if isinstance(message, str) else json.dumps(message)
        self.write(self._frames.framed(text.encode()))

    def log_in(self, name: Any = NOTHING, id: Any = "") -> None:
        self.send(shapes.LOGIN, {} if name is NOTHING else {"name": name}, id=id)

    def seek(self, game: str) -> None:
        self.send(shapes.SEEK, {"game_id": game})

    def act(self, room: int, action: Any, **fields: Any) -> None:
        self.send(shapes.ACT, {"room": room, "action": action, **fields})

    def cut(self) -> None:
        """Ends without a goodbye, once all is sent."""
        self._transport.close()

    async def close(self) -> None:
        """In the order of things: what was sent before arrives, and the hall says goodbye."""
        if not self.ended:
            self._frames.goodbye()
            self._flush()
        await self.end()

    # From the hall

    def _take(self, message: bytes) -> None:
        text = message.decode()
        told = json.loads(text)
        check_message(told)
        if told["code"] == shapes.LOGGED_IN:
            self.id, self.name = told["id"], told["info"]["name"]
            self.ids.add(self.id)
        elif self.id is not None:
            assert told["id"] == self.id, "somebody else's"
            assert type(told["id"]) is type(self.id)
            if told["code"] == shapes.TOLD and told["info"]["code"] == "logged_out":
                self.id = None
        self.texts.append(text)
        self.messages.append(told)

    @property
    def pings(self) -> int:
        """How many the hall has sent."""
        return self._frames.pings

    @property
    def close_code(self) -> int | None:
        return self._frames.close_code

    async def take(self, code: int, **fields: Any) -> Any:
        """The info of the next message, which has this code and these fields."""
        message = await self.next()
        assert message["code"] == code, f"{message} in place of {code}"
        info = message["info"]
        assert {name: info[name] for name in fields} == fields, message
        return info

    async def room(self, action: Any, **fields: Any) -> Json:
        """What the next message says, which is the room's."""
        told: Json = await self.take(shapes.ROOM, action=action, **fields)
        return told

    async def error(self) -> str:
        """The code of the next message, which is an error."""
        code: str = (await self.take(shapes.TOLD))["code"]
        return code

    async def quiet(self) -> None:
        """Nothing is left to be said to this client, and it is still answered."""
        self.send(0, {})
        assert await self.error() == ("not_logged_in" if self.id is None else "unknown_action")

    async def leave(self) -> None:
        """Logs out, whatever else it is told before, and goes."""
        self.send(shapes.LOGOUT)
        await self.until(lambda: self.id is None)
        await self.close()
