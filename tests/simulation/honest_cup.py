"""A simulated run with tournaments and a private table, which goes well."""

from __future__ import annotations

from functools import cache
from typing import Any

from gamehall.simulation.checker.evidence import Evidence
from gamehall.simulation.checker.transcripts import Json
from gamehall.simulation.run import Run
from tests.simulation.honest import HonestRun

ENTRANTS = ("anna", "bert", "carl")
RESIGN = {"type": "resign"}


class HonestCup(HonestRun):
    """Three play a round-robin to its end and begin another, and dora looks on. Two play at a
    private table, and a third watches with the key, while dora tries without."""

    async def _peace(self) -> None:
        self.tables["cup"] = await self._begin_a_cup()
        for game, loser in (("first", "first"), ("second", "first"), ("third", "second")):
            self.tables[f"{game} game"] = await self._play_a_game(self.tables["cup"], loser)
        self.tables["running cup"] = await self._begin_a_cup()
        self.tables["running game"] = await self._play_a_game(self.tables["running cup"], "first")
        for name in ENTRANTS:
            await self._ask(name, "resume", table=self.tables["cup"])
        await self._play_privately()
        await Run._peace(self)

    async def _begin_a_cup(self) -> int:
        cup = (await self._ask("anna", "open_tournament", game="connect-four"))["tournament"]
        for name in ENTRANTS:
            await self._ask(name, "enter_tournament", tournament=cup)
        await self._ask("dora", "watch", table=cup)
        await self._ask("anna", "begin_tournament", tournament=cup)
        return int(cup)

    async def _play_a_game(self, cup: int, loser: str) -> int:
        """One of the two resigns."""
        shown: Json = {}
        table = 0
        while not table:
            shown = await self._ask("dora", "tournament", tournament=cup)
            (game,) = (each for each in shown["view"]["games"] if each["state"] == "playing")
            table = shown["tables"][str(game["number"])]
        names = {place: shown["names"][str(game[place])] for place in ("first", "second")}
        for name in names.values():
            await self._hears(name, "seated", table=table)
        await self._ask(names[loser], "act", table=table, command=RESIGN)
        await self.peace.until(lambda: self._was_reported(cup, table), "the game is reported")
        return int(table)

    def _was_reported(self, cup: int, table: int) -> bool:
        return any(
            event["type"] == "reported" and event["table"] == table
            for message in self._who("dora").transcript.heard()
            if message["action"] == "table_events" and message["payload"]["table"] == cup
            for event in message["payload"]["events"]
        )

    async def _play_privately(self) -> None:
        await self._ask("dora", "watch_lobby")
        opened = await self._ask("bert", "open_table", game="four-stone", private=True)
        self.tables["private"] = opened["table"]
        await self._ask("carl", "sit", **opened)
        await self._hears("carl", "seated", table=opened["table"])
        await self._ask("anna", "watch", **opened)
        for payload in ({}, {"key": "wrong"}):
            self._who("dora").ask("watch", table=opened["table"], **payload)
        for name in ("anna", "bert"):
            await self._ask(name, "list_tables")
            await self._ask(name, "history")
        await self.peace.all_answered("all is answered")


@cache
def honest_cup() -> tuple[Evidence, dict[str, int]]:
    """What it leaves behind, and its tables."""
    run: Any = HonestCup()
    run.play()
    return run.evidence(), run.tables
