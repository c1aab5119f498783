"""A second wish for a rematch changes nothing and is kept nowhere, so it may be answered anew."""

from __future__ import annotations

import json

import pytest

from gamehall.simulation.checker.evidence import judge
from gamehall.simulation.run import Run
from tests.doors.four.playing import WON_BY_FIRST
from tests.simulation.honest import HonestRun

NAMES = ("anna", "bert")


class TwoRounds(HonestRun):
    """At one table. After each, anna wishes for a rematch twice."""

    async def _peace(self) -> None:
        table = await self._pair("connect-four", *NAMES)
        for wishes in (("anna", "anna", "bert"), ("anna", "anna")):
            for name in NAMES:
                await self._ask(name, "resume", table=table)
                await self._hears(name, "table_view", table=table)
            in_turn = sorted(NAMES, key=lambda name: self._view(name, table)["seat"])
            await self._drop(table, WON_BY_FIRST, *in_turn)
            for name in wishes:
                await self._ask(name, "rematch", table=table)
        await Run._peace(self)


@pytest.mark.parametrize(("wish", "is_fine"), [(0, False), (1, True)])
def test_a_wish_is_sent_again_after_the_next_round(wish: int, is_fine: bool) -> None:
    run = TwoRounds()
    run.play()
    (anna,) = (each.transcript for each in run.people if each.name == "anna")
    answers = [line for line in anna.lines if '"action":"rematch"' in line.text]
    again, latest = answers[wish].message, answers[3].message
    asked = next(line for line in anna.lines if f'"{again["requestId"]}"' in line.text)
    again["payload"] = latest["payload"]
    anna.lines += [asked, answers[wish]._replace(text=json.dumps(again))]
    if is_fine:
        judge(run.evidence())
    else:
        with pytest.raises(AssertionError, match="has answers"):
            judge(run.evidence())
