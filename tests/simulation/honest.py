"""A simulated run in which everything happens once, and goes well."""

from __future__ import annotations

from functools import cache
from typing import Any

from gamehall.simulation.checker.evidence import Evidence
from gamehall.simulation.checker.transcripts import Json
from gamehall.simulation.run import Run
from gamehall.simulation.story import Story
from tests.doors.four.playing import WON_BY_FIRST

PEOPLE = ("anna", "bert", "carl", "dora", "gina")


class HonestRun(Run):
    """Every game on two nodes, with spectators, chat, a cancelled wish, a refusal, a draw that is
    offered, chips that are filled up, a request sent again, and someone who drops out and comes
    back. Nothing befalls the nodes."""

    def __init__(self) -> None:
        super().__init__(Story(7, 2, PEOPLE, ()))
        self.tables: dict[str, int] = {}
        """By what becomes of them."""
        self._marks: dict[tuple[str, str], int] = {}
        """How far each has looked for what, by name and action."""

    async def _peace(self) -> None:
        await self._finish_a_game()
        await self._cancel_a_wish()
        await self._resign_a_duel()
        await self._call_numbers()
        await self._bet()
        await self._begin_a_game()
        self.tables["waiting"] = (await self._ask("carl", "open_table", game="four-stone"))["table"]
        await super()._peace()

    async def _finish_a_game(self) -> None:
        bert = self._who("bert").transcript.player
        await self._ask("anna", "challenge", player=bert, game="connect-four")
        challenge = (await self._hears("bert", "challenged"))["challenge"]
        table = (await self._ask("bert", "accept", challenge=challenge))["table"]
        self.tables["finished"] = table
        await self._ask("carl", "watch", table=table)
        await self._ask("carl", "say", table=table, text="well played")
        await self._hears("anna", "said", table=table)
        await self._drop(table, WON_BY_FIRST, "anna", "bert")
        await self._hears("carl", "table_over", table=table)
        await self._hears("bert", "table_over", table=table)
        for name in ("anna", "bert"):
            await self._ask(name, "leave", table=table)

    async def _cancel_a_wish(self) -> None:
        await self._ask("bert", "seek", game="four-stone")
        await self._ask("bert", "cancel_seek")

    async def _resign_a_duel(self) -> None:
        self.tables["duel"] = table = await self._pair("bingo-duel", "carl", "dora")
        await self._ask("anna", "watch", table=table)
        for _ in range(2):
            for name in ("carl", "dora"):
                await self._ask(name, "resume", table=table)
                await self._hears(name, "table_view", table=table)
                moves = [each for each in self._view(name, table)["legal"] if "number" in each]
                if moves:
                    await self._ask(name, "act", table=table, command=moves[0])
        await self._ask("carl", "act", table=table, command={"type": "resign"})
        await self._hears("dora", "table_over", table=table)
        for name in ("carl", "dora"):
            await self._ask(name, "leave", table=table)

    async def _call_numbers(self) -> None:
        for name in ("carl", "dora"):
            await self._ask(name, "seek", game="bingo")
            self.tables["bingo"] = table = (await self._hears(name, "table_view"))["table"]
        await self._ask("bert", "watch", table=table)
        await self._ask("carl", "act", table=table, command={"type": "start"})
        for _ in range(2):
            await self._hears("carl", "table_events", table=table)
            await self._ask("carl", "act", table=table, command={"type": "ready"})
        for name in ("carl", "dora"):
            await self._ask(name, "leave", table=table)

    async def _bet(self) -> None:
        for name in ("anna", "dora"):
            await self._ask(name, "seek", game="sicbo")
            self.tables["sicbo"] = table = (await self._hears(name, "table_view"))["table"]
        events: list[Json] = []
        while "started" not in [event["type"] for event in events]:
            events = (await self._hears("dora", "table_events", table=table))["events"]
        for side in ("BIG", "ODD"):
            command = {"type": "bet", "side": side, "amount": 100}
            await self._ask("anna", "act", table=table, command=command)
        lost = {"type": "bet", "side": "SUM4", "amount": 10_000}
        await self._ask("anna", "act", table=table, command=lost)
        gina = self._who("gina")
        for pick in (0.1, 0.2):
            gina.do("act", pick)
        for _ in range(2):
            await self._hears("dora", "table_over", table=table)
        await self.peace.until(lambda: _was_paid(gina.transcript.heard()), "gina is paid")
        await self._ask("anna", "refill")

    async def _begin_a_game(self) -> None:
        self.tables["running"] = table = await self._pair("connect-four", "anna", "bert")
        for name in ("anna", "bert"):
            await self._ask(name, "resume", table=table)
            await self._hears(name, "table_view", table=table)
        first, second = sorted(("anna", "bert"), key=lambda name: self._view(name, table)["seat"])
        await self._ask(first, "offer_draw", table=table)
        await self._ask(second, "answer_draw", table=table, accept=False)
        await self._drop(table, (3, 3, 3), first, second)
        self._who("anna").do("send again", 0.999)
        bert = self._who("bert")
        bert.hang_up()
        await self.peace.until(lambda: bert.here and not bert.pending, "bert is back")
        await self._drop(table, (4,), second, first)
        bert.ask("act", table=table, command={"type": "drop", "column": 4})
        self._who("anna").ask("act", table=table, command={"type": "drop", "column": 77})
        await self.peace.all_answered("all is answered")

    # How it is asked, and heard

    def _who(self, name: str) -> Any:
        (found,) = (each for each in self._everyone() if each.name == name)
        return found

    def _view(self, name: str, table: int) -> Json:
        view: Json = self._who(name).views[table]
        return view

    async def _ask(self, name: str, action: str, **payload: Any) -> Json:
        person = self._who(name)
        start = len(person.transcript.lines)
        person.ask(action, **payload)
        await self.peace.until(lambda: not person.pending, f"{name} is answered {action}")
        answers = (each for each in person.transcript.heard(start) if each["action"] == action)
        answer: Json = next(each for each in answers if "requestId" in each)["payload"]
        return answer

    async def _hears(self, name: str, action: str, **fields: Any) -> Json:
        """The latest such notice, when one has come since the last that was waited for."""
        transcript = self._who(name).transcript

        def found() -> list[Json]:
            told = (
                each["payload"]
                for each in transcript.heard(self._marks.get((name, action), 0))
                if each["action"] == action
            )
            return [each for each in told if fields.items() <= each.items()]

        await self.peace.until(lambda: bool(found()), f"{name} hears {action}")
        latest = found()[-1]
        self._marks[name, action] = len(transcript.lines)
        return latest

    async def _pair(self, game: str, *names: str) -> int:
        for name in names:
            self._marks[name, "seated"] = len(self._who(name).transcript.lines)
            await self._ask(name, "seek", game=game)
        tables = [(await self._hears(name, "seated", game=game))["table"] for name in names]
        return int(tables[0])

    async def _drop(self, table: int, columns: tuple[int, ...], *names: str) -> None:
        for turn, column in enumerate(columns):
            command = {"type": "drop", "column": column}
            await self._ask(names[turn % 2], "act", table=table, command=command)


def _was_paid(heard: Any) -> bool:
    return any(message["action"] == "payout" for message in heard)


@cache
def honest() -> tuple[Evidence, dict[str, int]]:
    """What it leaves behind, and its tables."""
    run = HonestRun()
    run.play()
    return run.evidence(), run.tables
