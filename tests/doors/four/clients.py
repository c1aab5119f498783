"""A client of the `four` door that shares no code with the hall: a bare socket, JSON, and what the
door's description says. It fails at the first message that has another form."""

from __future__ import annotations

import json
from typing import Any

from tests.doors.four.shapes import check_message
from tests.support.clients import OrderedClient
from tests.support.framing import Lines

Json = dict[str, Any]
NOTHING: Any = object()
"""No `data` at all, which is less than null."""


class Four(OrderedClient):
    """One connection."""

    def __init__(self) -> None:
        self.name = ""
        self.id = ""
        self.lines: list[bytes] = []
        self._split = Lines()
        super().__init__(self._split)

    @classmethod
    async def connect(cls, port: int, **how: Any) -> Four:
        """`how`: as in `open`."""
        return await cls().open(port, **how)

    async def register(self, name: str) -> Four:
        self.send("REGISTER", {"name": name})
        self.name = name
        self.id = (await self.take("REGISTER_OK"))["player_id"]
        return self

    @property
    def number(self) -> int:
        """As other doors know this player."""
        return int(self.id.removeprefix("player_"))

    # To the hall

    def send(self, type: Any, data: Any = None) -> None:
        message = {"type": type} if data is NOTHING else {"type": type, "data": data}
        self.write(json.dumps(message).encode() + b"\n")

    def challenge(self, opponent: Four | str) -> None:
        id = opponent if isinstance(opponent, str) else opponent.id
        self.send("CHALLENGE", {"opponent_id": id})

    def accept(self, challenger: Four | str) -> None:
        id = challenger if isinstance(challenger, str) else challenger.id
        self.send("CHALLENGE_ACCEPTED", {"challenger_id": id})

    def refuse(self, challenger: Four | str) -> None:
        id = challenger if isinstance(challenger, str) else challenger.id
        self.send("CHALLENGE_REFUSED", {"challenger_id": id})

    def play(self, column: int) -> None:
        self.send("PLAY_MOVE", {"column": column})

    # From the hall

    def _take(self, message: bytes) -> None:
        self.lines.append(message)
        told = json.loads(message)
        check_message(told)
        self.messages.append(told)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._split.rest and exc is None:
            self.fault = AssertionError(f"half a line at the end: {self._split.rest!r}")
        super().connection_lost(exc)

    def skip_to_last(self) -> None:
        """All but the last message of those that have come are as good as taken."""
        self._taken = len(self.messages) - 1

    async def take(self, type: str, **fields: Any) -> Json:
        """The data of the next message, which is of this type and has these fields."""
        message = await self.next()
        assert message["type"] == type, f"{message} in place of {type}"
        data: Json = message["data"]
        assert {name: data[name] for name in fields} == fields, message
        return data

    async def error(self) -> str:
        """What the next message says, which is an error."""
        message: str = (await self.take("ERROR"))["message"]
        return message

    async def refused(self) -> str:
        """What the next message says, which is the refusal of a challenge."""
        message: str = (await self.take("CHALLENGE_REFUSED"))["message"]
        return message

    async def players(self) -> list[Json]:
        """Who is free. Nothing else was said in between."""
        self.send("LIST_PLAYERS")
        players: list[Json] = (await self.take("LIST_PLAYERS"))["players"]
        return players

    async def ids(self) -> list[str]:
        return [player["id"] for player in await self.players()]

    async def quiet(self) -> None:
        """Nothing is left to be said to this player, and it is still answered."""
        await self.players()

    async def leave(self) -> None:
        self.send("DISCONNECT")
        await self.end()
