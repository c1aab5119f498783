"""Players who do this and that in the lobby and in games, come and go, and keep account of it.

What they are told must add up: one outcome for each challenge, one end for each game, and each
stone once. Where two things may have happened in either order the account is a range.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from tests.doors.four.clients import Four, Json
from tests.doors.four.halls import Visitors, new_name
from tests.doors.four.playing import legal, stones
from tests.doors.four.shapes import Board, count, empty_board

HELD_MAX = 8
"""Challenges whose challengers one remembers, in force or not."""


class Hall:
    """What all of them know together."""

    def __init__(self, at: Visitors) -> None:
        self.at = at
        self.winners: dict[int, str | None] = {}
        """By game; both players must be told the same."""
        self.counts: dict[str, int] = {}
        """How often what has happened, to see that everything has."""

    def note(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


class Wanderer:
    def __init__(self, hall: Hall, rng: Random) -> None:
        self.name = new_name("wanderer")
        self.client: Four
        self.game: int | None = None
        self.number = 0
        self.board: Board = empty_board()
        self._hall = hall
        self._rng = rng
        self._open_min = self._open_max = 0
        """How many challenges wait for their outcome."""
        self._known: list[str] = []
        self._held: list[str] = []

    @property
    def waits(self) -> bool:
        return self._open_min > 0

    @property
    def is_my_turn(self) -> bool:
        return self.game is not None and stones(self.board) % 2 == self.number - 1

    # Coming and going

    async def come(self) -> None:
        old = getattr(self, "client", None)
        self._open_min = self._open_max = 0
        self._held = []
        self.client = await (await self._hall.at.stranger()).register(self.name)
        if old is None or old.id != self.client.id:
            if self.game is not None:
                self._hall.note("came back too late")
            self.game = None
            return
        # Nobody is taken back but to a game, which it may not even have heard of.
        before, self.game = self.game, None
        so_far = stones(self.board) if before is not None else 0
        self._take(await self.client.next())
        assert self.game is not None
        assert before in (None, self.game)
        self._take(await self.client.next(), back=True)
        assert stones(self.board) >= so_far, "a stone is gone"
        self._hall.note("came back")

    async def drop(self) -> None:
        await getattr(self.client, self._rng.choice(("reset", "close")))()
        for message in self.client.left_over:
            self._take(message)
        self._hall.note("dropped")
        await asyncio.sleep(self._rng.choice((0, 0, 0.05, 0.5)))
        await self.come()

    async def leave(self) -> None:
        await self.client.leave()
        self._hall.note("left")
        self.game = None
        before = self.client.id
        await self.come()
        assert self.client.id != before

    # One thing after the other

    async def wander(self, goes_on: Callable[[], bool]) -> None:
        await self.come()
        while goes_on():
            chance = self._rng.random()
            if chance < 0.02:
                await self.drop()
            elif chance < 0.03:
                await self.leave()
            elif self.is_my_turn and chance < 0.8:
                await self.play(self._rng.choice(legal(self.board)))
            elif chance < 0.1:
                await self.play(self._rng.randrange(7))
            elif chance < 0.3 and self._known:
                await self.challenge(self._rng.choice(self._known))
            elif chance < 0.6 and self._held:
                await self.accept(self._rng.choice(self._held))
            elif chance < 0.7 and self._held:
                await self.refuse(self._rng.choice(self._held))
            else:
                await self.look()
            await asyncio.sleep(self._rng.random() / 100)

    async def look(self) -> list[str]:
        """The types of all that was told up to now."""
        told = await self._before_the_list()
        for message in told:
            self._take(message)
        return [message["type"] for message in told]

    async def _before_the_list(self) -> list[Json]:
        """All that was told until now. Answers come in order, so what was asked is answered."""
        self.client.send("LIST_PLAYERS")
        told = []
        while (message := await self.client.next())["type"] != "LIST_PLAYERS":
            told.append(message)
        assert [each["type"] for each in told].count("ERROR") <= 1, told
        self._known = [player["id"] for player in message["data"]["players"]]
        return told

    async def challenge(self, id: str) -> None:
        self.client.challenge(id)
        told = await self._before_the_list()
        types = [message["type"] for message in told]
        if "ERROR" not in types:
            self._hall.note("challenged")
            self._open_min += 1
            self._open_max += 1
        for message in told:
            self._take(message)
        if "ERROR" not in types and {"GAME_START", "GAME_OVER"} & set(types):
            # It may have been made after the game of which it would be the outcome.
            self._open_max += self.game is None

    async def accept(self, id: str) -> None:
        self._forget(id)
        self.client.accept(id)
        told = await self.look()
        assert "ERROR" in told or "GAME_START" in told, told
        if "ERROR" not in told:
            self._hall.note("accepted")

    async def refuse(self, id: str) -> None:
        self._forget(id)
        self.client.refuse(id)
        if "ERROR" not in await self.look():
            self._hall.note("refused")

    async def play(self, column: int) -> None:
        game, mine = self.game, self._mine
        self.client.play(column)
        told = await self.look()
        # It may have been asked of one game, and played in the next.
        moved = self._mine == (mine if self.game == game else 0) + 1
        assert "ERROR" in told or "GAME_OVER" in told or moved, told
        if moved:
            self._hall.note("moved")

    @property
    def _mine(self) -> int:
        return count(self.board, self.number)

    def _forget(self, id: str) -> None:
        self._held = [held for held in self._held if held != id]

    # What it was told

    def _take(self, message: Json, back: bool = False) -> None:
        data: Any = message["data"]
        match message["type"]:
            case "CHALLENGE_RECEIVED":
                self._held = [*self._held, data["challenger_id"]][-HELD_MAX:]
            case "CHALLENGE_REFUSED":
                assert self._open_max > 0, "two outcomes for one challenge"
                self._open_max -= 1
                self._open_min = max(0, self._open_min - 1)
                self._hall.note("was refused")
            case "GAME_START":
                assert self.game is None, f"two games at once; {self.client.last()}"
                self.game, self.number = data["game_id"], data["your_number"]
                self.board = empty_board()
                self._open_min = self._open_max = 0
            case "GAME_UPDATE":
                assert self.game is not None
                more = stones(data["board"]) - stones(self.board)
                assert back or more == 1 or (more == 0 and not stones(self.board)), message
                self.board = data["board"]
            case "GAME_OVER":
                assert self.game is not None
                winner = self._hall.winners.setdefault(self.game, data["winner_id"])
                assert winner == data["winner_id"], "the two do not agree"
                assert data["you_won"] in (None, winner == self.client.id)
                self.game = None
                self._hall.note("over")
