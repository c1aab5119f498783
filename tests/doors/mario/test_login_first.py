"""Nothing is told to a client that logs in before it knows that it is in."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import pytest

from gamehall.hall.people.link import Link
from gamehall.hall.seats.seating import Seating
from gamehall.simulation.run import Run
from gamehall.simulation.step import Step
from gamehall.simulation.story import Story

watch = Seating.watch


async def watch_slowly(self: Seating, link: Link, table: int, key: str | None) -> int | None:
    await asyncio.sleep(3.0)
    return await watch(self, link, table, key)


@pytest.mark.parametrize("at", [3.5, 4.0, 4.5])
def test_not_even_what_its_bets_have_brought_meanwhile(at: float) -> None:
    steps = (Step(at, "ida", "act", 0.5), Step(at + 0.1, "ida", "hang up", 0.5))
    run = Run(Story(1, 1, ("ida",), steps))
    with patch.object(Seating, "watch", watch_slowly):
        run.play()
    (ida,) = run.visitors
    for lines in ida.transcript.by_connection():
        first = next(line.text for line in lines if line.what == "heard")
        assert first.startswith("[1,true,")
