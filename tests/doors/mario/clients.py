"""A client of the `mario` door: arrays out, arrays in."""

from __future__ import annotations

from typing import Any, Self

from tests.doors.rfc.clients import Json, Speaker
from tests.support.processes import HallProcess

ZONE, PLUGIN = "SicboZone", "sicboPlugin"
PASSWORD = "pw_123"


class MarioClient(Speaker):
    """Asks the plugin of Sic Bo's zone, unless told otherwise."""

    zone, plugin = ZONE, PLUGIN

    @classmethod
    async def visit(cls, hall: HallProcess, path: str = "/websocket", **how: Any) -> Self:
        return await cls.connect(f"ws://127.0.0.1:{hall.ports['mario']}{path}", **how)

    @staticmethod
    def said(message: Any) -> Json | None:
        is_plugins = isinstance(message, list) and message[0] == 5
        assert not is_plugins or len(message) == 2, message
        return message[1] if is_plugins else None

    def wrapped(self, request: Json) -> Any:
        return [6, self.zone, self.plugin, request]

    async def call(self, *request: Any) -> list[Any]:
        """The answer to a request, which has the same number."""
        await self.send(list(request))
        return await self.array(6 if request[0] == 7 else request[0])

    async def array(self, kind: int) -> list[Any]:
        def fits(message: Any) -> bool:
            return isinstance(message, list) and message[0] == kind and type(message[0]) is int

        answer: list[Any] = await self.take(fits, f"the answer [{kind}, …]")
        return answer

    async def log_in(self, name: str, password: str = PASSWORD, zone: str = ZONE) -> Json:
        """What is said at once: in the zone of Sic Bo, how the round stands."""
        answer = await self.call(1, zone, name, password, {})
        assert answer == [1, True, 0, name, zone, ""]
        if zone != ZONE:
            self.zone, self.plugin = zone, f"{zone[0].lower()}{zone[1:]}".replace("Zone", "Plugin")
            return {}
        return await self.told("round_state")
