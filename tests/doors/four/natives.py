"""Games of a `four` player against one of the native door, as both doors describe them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.doors.four.clients import Four, Json
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import update
from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import GAME, drop


class Native:
    """A native player, with a name and an id as this door shows them, and its table."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.table = 0

    @property
    def name(self) -> str:
        return self.client.name

    @property
    def id(self) -> str:
        return f"player_{self.client.id}"

    async def sits(self, four: Four, seat: int) -> None:
        """Both are told that the game has begun, with the native player at this seat."""
        seated = await self.client.notice("seated")
        self.table = seated["table"]
        assert seated == {"table": self.table, "game": GAME, "seat": seat}
        view = await self.client.notice("table_view", table=self.table, status="playing")
        names = (self.name, four.name) if seat == 0 else (four.name, self.name)
        assert [player["name"] for player in view["players"]] == list(names)
        assert await four.take("GAME_START") == {
            "game_id": self.table,
            "player1": names[0],
            "player2": names[1],
            "your_number": 2 - seat,
            "your_name": four.name,
        }
        assert await four.take("GAME_UPDATE") == update((), "", "")

    async def challenged_by(self, four: Four) -> int:
        four.challenge(self.id)
        told = await self.client.notice("challenged")
        challenge: int = told["challenge"]
        assert (told["player"], told["name"]) == (four.number, four.name)
        assert told["game"] == GAME
        board = {"columns": 7, "rows": 6, "length": 4, "move_seconds": 0.0}
        assert told["options"] == board
        return challenge

    async def challenges(self, four: Four, **options: Any) -> int:
        answer = await self.client.ask("challenge", player=four.number, game=GAME, options=options)
        told = await four.take("CHALLENGE_RECEIVED")
        assert told == {"challenger_id": self.id, "challenger_name": self.name}
        challenge: int = answer["challenge"]
        return challenge

    async def meets(self, four: Four, *, first: bool, **options: Any) -> None:
        """In a game in which the native player is the first, or the second."""
        if first:
            await self.challenges(four, **options)
            four.accept(self.id)
        else:
            challenge = await self.challenged_by(four)
            await self.client.ask("accept", challenge=challenge)
        await self.sits(four, 0 if first else 1)

    async def plays(self, four: Four, columns: Sequence[int], *, first: bool) -> None:
        """All of them, turn by turn; each move is told to both."""
        ids = (self.id, four.id) if first else (four.id, self.id)
        for turn, column in enumerate(columns):
            if (turn % 2 == 0) is first:
                await drop(self.client, self.table, column)
            else:
                four.play(column)
                await self.hears({"type": "dropped", "seat": turn % 2, "column": column})
            assert await four.take("GAME_UPDATE") == update(columns[: turn + 1], *ids)

    async def hears(self, event: Json) -> None:
        """The next move of the opponent is this one."""
        while True:
            told = await self.client.notice("table_events", table=self.table)
            heard = told["events"][0]
            if heard["type"] == "dropped" and heard["seat"] == event["seat"]:
                break
        assert heard.items() >= event.items(), heard

    async def act(self, type: str, **fields: Any) -> None:
        command = {"type": type, **fields}
        await self.client.ask("act", table=self.table, command=command)

    async def outcome(self) -> Json:
        told = await self.client.notice("table_over", table=self.table)
        outcome: Json = told["outcome"]
        return outcome


async def two(at: Visitors, door: Door = "tcp") -> tuple[Four, Native]:
    return await at.four("anna"), Native(await at.native("nora", door))
