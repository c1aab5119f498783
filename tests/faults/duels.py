"""Two who play one game after the other, whatever befalls the hall."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

from tests.support.people import playing
from tests.support.people.listeners import limit
from tests.support.people.players import Player
from tests.support.people.traffic import Activity
from tests.system.e2e.clients import Refused

GAMES = ("connect-four", "four-stone", "bingo-duel")
AGAIN_SECONDS = 0.05
BEGIN_SECONDS = 3.0
"""Who was brought to a table waits so long for the game: the other may know nothing of it."""


class Duel(Activity):
    """A step is a move that was acknowledged."""

    def __init__(self, rng: Random, first: Player, second: Player, *, seeks: bool) -> None:
        self.players = (first, second)
        self._rng = rng
        self._ways = (self._open, self._challenge, self._seek)[: 3 if seeks else 2]
        super().__init__(f"the duel of {first.name} and {second.name}")

    async def _play(self) -> None:
        while True:
            for player in self.players:
                # What the lobby had promised before a crash, it may have kept.
                await player.leave_tables()
            game = self._rng.choice(GAMES)
            with suppress(Refused):  # As when the lobby has just kept an earlier promise.
                table = await self._rng.choice(self._ways)(game)
                if table is not None and await self._begins(table):
                    self.table = table
                    await playing.together(*(self._turns(player) for player in self.players))
            await asyncio.sleep(AGAIN_SECONDS)

    # How two come together; None if it came to nothing, since the lobby forgets with its process

    async def _open(self, game: str) -> int | None:
        table: int = (await self.players[0].ask("open_table", game=game))["table"]
        for player in self.players:
            await player.ask("sit", table=table)
        return table

    async def _challenge(self, game: str) -> int | None:
        first, second = self.players
        await playing.know_of(first, second)
        starts = [player.now() for player in self.players]
        await first.ask("challenge", player=second.id, game=game)
        if not await self._heard("challenged", second, starts):
            return None
        notice = await second.notice("challenged", start=starts[1])
        table: int = (await second.ask("accept", challenge=notice["challenge"]))["table"]
        return table

    async def _seek(self, game: str) -> int | None:
        starts = [player.now() for player in self.players]
        for player in self.players:
            await player.ask("seek", game=game)
        for player in self.players:
            if not await self._heard("seated", player, starts):
                return None
        tables = {
            (await player.notice("seated", start=start))["table"]
            for player, start in zip(self.players, starts, strict=True)
        }
        return tables.pop() if len(tables) == 1 else None

    async def _heard(self, action: str, player: Player, starts: list[int]) -> bool:
        """Whether it came before the connection of either ended."""
        start = starts[self.players.index(player)]

        def has_come() -> bool:
            return any(message["action"] == action for message in player.transcript.heard(start))

        def has_ended() -> bool:
            return any(
                line.what == "ended"
                for each, begin in zip(self.players, starts, strict=True)
                for line in each.transcript.lines[begin:]
            )

        async with limit(f"{player.name} hears {action}"):
            while not has_come() and not has_ended():
                await asyncio.sleep(AGAIN_SECONDS)
        return has_come()

    async def _begins(self, table: int) -> bool:
        """Whether both play there, within reasonable time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BEGIN_SECONDS):
                for player in self.players:
                    while (await player.view(table))["status"] != "playing":
                        await asyncio.sleep(AGAIN_SECONDS)
                return True
        return False

    # Playing

    async def _turns(self, player: Player) -> None:
        """Plays anything that is legal until the round is over, and at times hangs up, or sends
        again what was answered."""
        while True:
            view = await player.view(self.table)
            if view["status"] != "playing":
                return
            legal = [command for command in view["legal"] if command["type"] != "resign"]
            if not legal:
                await playing.heard_more(player, self.table, view["seq"])
                continue
            with suppress(Refused):  # The view may be older than what happened since.
                await player.ask("act", table=self.table, command=self._rng.choice(legal))
                await self.step()
                if self._rng.random() < 0.1:
                    await player.ask_again()
            if self._rng.random() < 0.03:
                await player.move_to(0)
