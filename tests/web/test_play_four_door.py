"""A browser and a TCP client of the `four` door play each other, whoever challenges."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Page, expect

from tests.doors.four.clients import Four
from tests.doors.four.playing import stones
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.web.playing import (
    LOST,
    WON,
    WON_BY_SECOND,
    accept,
    challenge,
    column,
    expect_result,
    expect_stones,
    say_hello,
    your_turn,
)

T = TypeVar("T")


class Elsewhere:
    """A loop in a thread of its own: the one of this thread is Playwright's."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def do(self, what: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(2 * WAIT_SECONDS)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_SECONDS)
        self._loop.close()


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    elsewhere = Elsewhere()
    yield elsewhere
    elsewhere.end()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", doors=["four"]) as hall:
        yield hall


async def come_in(hall: HallProcess) -> Four:
    return await (await Four.connect(hall.ports["four"])).register("olga")


async def accept_challenge(olga: Four) -> None:
    olga.accept((await olga.take("CHALLENGE_RECEIVED", challenger_name="anna"))["challenger_id"])


async def challenge_anna(olga: Four) -> None:
    (anna,) = (each for each in await olga.players() if each["name"] == "anna")
    olga.challenge(anna["id"])


async def begin(olga: Four, number: int) -> None:
    await olga.take("GAME_START", your_number=number)
    await olga.take("GAME_UPDATE")


async def drop(olga: Four, number: int) -> None:
    olga.play(number - 1)


def play(elsewhere: Elsewhere, anna: Page, olga: Four, number: int) -> None:
    """A game that the second player wins; olga is this one of them."""
    elsewhere.do(begin(olga, number))
    for turn, dropped in enumerate(WON_BY_SECOND):
        if turn % 2 == number - 1:
            elsewhere.do(drop(olga, dropped))
        else:
            expect(your_turn(anna)).to_be_visible()
            column(anna, dropped).click()
        told = elsewhere.do(olga.take("GAME_UPDATE"))
        assert stones(told["board"]) == turn + 1
    elsewhere.do(olga.take("GAME_OVER", you_won=number == 2))
    expect_stones(anna, WON_BY_SECOND)
    expect_result(anna, LOST if number == 2 else WON, "A line is complete.")


def test_a_tcp_client(
    hall: HallProcess, new_person: Callable[..., Page], elsewhere: Elsewhere
) -> None:
    olga = elsewhere.do(come_in(hall))
    anna = new_person()
    say_hello(anna, "anna")
    challenge(anna, "olga", "Connect Four")
    elsewhere.do(accept_challenge(olga))
    play(elsewhere, anna, olga, number=2)

    anna.get_by_role("button", name="Leave the table").click()
    expect(anna.get_by_text("Players here")).to_be_visible()
    elsewhere.do(challenge_anna(olga))
    accept(anna, "olga", "Connect Four")
    play(elsewhere, anna, olga, number=1)
    elsewhere.do(olga.leave())
