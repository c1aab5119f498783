"""The screens, driven by Textual's pilot against a real hall, with people at the browser's door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, RichLog, Static

from gamehall.client.native_client import NativeClient
from gamehall.terminal.app import HallApp
from gamehall.terminal.board_view import BoardView
from gamehall.terminal.hall_screen import HallScreen
from gamehall.terminal.session import Session
from gamehall.terminal.table_screen import TableScreen
from tests.support.processes import HallProcess
from tests.web.guests import Guest, drop, match

# Many real processes each: make test-all runs them.
pytestmark = pytest.mark.slow

WAIT_SECONDS = 60.0


class Person:
    """Someone at the screen."""

    def __init__(self, app: HallApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.session = app.session
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        await self._pilot.press(*keys)

    async def until(self, holds: Callable[[], bool]) -> None:
        deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
        while not holds():
            assert asyncio.get_running_loop().time() < deadline, self.text()
            await self._pilot.pause(0.02)

    async def sees(self, *texts: str) -> None:
        await self.until(lambda: all(text in self.text() for text in texts))

    def text(self) -> str:
        """All that stands in the screen on top, and in the screen below a dialog."""
        return "\n".join(
            part
            for screen in self.app.screen_stack
            for widget in screen.query("Static, RichLog, OptionList, BoardView")
            for part in _parts(widget)
        )

    async def at_table(self) -> None:
        await self.until(
            lambda: (
                isinstance(self.app.screen, TableScreen)
                and isinstance(self.app.focused, BoardView)
                and bool(self.app.focused.board.rows or self.session.here)
            )
        )

    async def click(self, row: int, column: int) -> None:
        board = self.app.screen.query_one(BoardView)
        region = board._regions()[row, column]
        await self._pilot.click(BoardView, offset=(region.x + 1, region.y))

    async def choose(self, list_id: str, index: int) -> None:
        options = self.app.screen.query_one(f"#{list_id}", OptionList)
        options.focus()
        options.highlighted = index
        await self._pilot.pause()
        await self.press("enter")


def _parts(widget: object) -> list[str]:
    match widget:
        case RichLog():
            return [line.text for line in widget.lines]
        case OptionList():
            return [str(option.prompt) for option in widget.options]
        case BoardView():
            return [str(widget.render())]
        case Static():
            return [str(widget.content)]
    return []


@asynccontextmanager
async def person(hall: HallProcess, name: str) -> AsyncIterator[Person]:
    async with NativeClient(hall.ws_url, name=name) as client:
        session = Session(client)
        listening = asyncio.create_task(session.listen())
        await session.enter()
        app = HallApp(session)
        async with app.run_test(size=(80, 24)) as pilot:
            yield Person(app, pilot)
            if session.here is not None:
                await session.leave()
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening


async def test_a_challenge_comes_in_the_mouse_plays_and_a_draw_is_agreed(
    hall: HallProcess,
) -> None:
    with Guest(hall, "Bo") as bo:
        async with person(hall, "Amy") as amy:
            await amy.sees("Bo (free)")
            bo.ask("challenge", player=amy.session.me["id"], game="connect-four")
            await amy.sees("Bo challenges you to Connect Four")
            await amy.choose("challenges", 0)
            await amy.sees("You are challenged", "Accept", "Decline")
            await amy.press("enter")
            await amy.at_table()
            table = bo.hears("seated")["table"]
            await amy.sees("Bo is to move.")
            await amy.press("4")
            await amy.sees("! It is not your turn.")
            bo.act(table, "drop", column=0)
            await amy.sees("Your turn.")
            await amy.click(6, 2)
            await amy.sees("You drop into column 3.")
            assert "It is not your turn" not in amy.text()
            bo.ask("say", table=table, text="A draw, \x1b[31mperhaps?")
            await amy.sees("�[31mperhaps?")
            await amy.press("t", "y", "e", "s", "enter")
            await asyncio.to_thread(bo.hears, "said", name="Amy", text="yes")
            bo.ask("offer_draw", table=table)
            await amy.sees("Your opponent offers a draw.")
            await amy.press("a")
            await amy.sees("A draw: both agreed on a draw.")


async def test_a_challenge_goes_out_and_is_declined(hall: HallProcess) -> None:
    with Guest(hall, "Cy") as cy:
        async with person(hall, "Bea") as bea:
            await bea.sees("Cy (free)")
            names = [each["name"] for each in bea.session.lobby.players.values()]
            await bea.choose("players", [name for name in names if name != "Bea"].index("Cy"))
            await bea.sees("Challenge Cy to", "Four Stone")
            await bea.press("enter")
            challenge = (await asyncio.to_thread(cy.hears, "challenged"))["challenge"]
            await bea.sees("to Cy: Connect Four")
            cy.ask("refuse", challenge=challenge)
            await bea.sees("Cy declines the challenge.")
            assert not bea.session.lobby.sent


async def test_a_private_table_is_found_by_number_and_key(hall: HallProcess) -> None:
    async with person(hall, "Di") as di:
        await di.choose("games", 0)
        await di.sees("Open a private table")
        await di.press("up", "up", "enter")
        await di.at_table()
        await di.sees("Waiting for another player.", "is private. Its")
        assert di.session.here is not None
        table = di.session.here.id
        (told,) = [line for line in di.session.here.lines if "Its key" in line]
        key = told.rpartition(" ")[2]
        with Guest(hall, "Ed") as ed:
            assert not ed.may("sit", table=table, key="wrong")
            ed.ask("sit", table=table, key=key)
            await di.until(lambda: di.session.here is not None and di.session.here.seat is not None)
            await di.sees(f"key {key}", "Ed")


async def test_the_size_is_asked_and_a_bad_one_refused_in_words(hall: HallProcess) -> None:
    async with person(hall, "Flo") as flo:
        await flo.choose("games", 2)
        await flo.sees("Play the random bot")
        await flo.press("down", "enter")
        await flo.sees("How many rows and columns")
        await flo.press("9", "9", "enter")
        await flo.sees("! ")
        assert isinstance(flo.app.screen, HallScreen)
        await flo.choose("games", 2)
        await flo.press("down", "enter")
        await flo.sees("How many rows and columns")
        await flo.press("2", "0", "enter")
        await flo.at_table()
        # The largest board does not fit, and the cursor scrolls it.
        await flo.sees("0 of 20 lines", "Your turn.")
        await flo.press(*["right"] * 19, *["down"] * 19)
        board = flo.app.screen.query_one(BoardView)
        assert board.cursor == (19, 19)
        pane = flo.app.screen.query_one("#pane")
        await flo.until(lambda: pane.scroll_offset.x > 0 and pane.scroll_offset.y > 0)
        number = board.board.spot((19, 19)).text
        await flo.press("enter")
        await flo.sees(f"You pick {number}.")


async def test_spectators_see_a_game_to_its_end(hall: HallProcess) -> None:
    with Guest(hall, "Guy") as guy, Guest(hall, "Hana") as hana:
        table = match(guy, hana)
        async with person(hall, "Ida") as ida:
            await ida.sees(f"{table} Connect Four: Guy, Hana (watch)")
            await ida.choose("tables", list(ida.session.lobby.tables).index(table))
            await ida.sees(f"Table {table}", "Watch")
            await ida.press("enter")
            await ida.at_table()
            await ida.sees("Guy is to move.", "1 watching")
            drop((guy, hana), table, (0, 1, 0, 1, 0, 1, 0))
            await ida.sees("Guy won: the line is complete.", "*●*")
            await ida.press("l")
            await ida.until(lambda: isinstance(ida.app.screen, HallScreen))


async def test_a_game_known_only_by_its_picture_is_played(hall: HallProcess) -> None:
    async with person(hall, "Jo") as jo:
        await jo.choose("games", list(jo.session.lobby.games).index("nim"))
        await jo.sees("Play the random bot")
        await jo.press("down", "enter")
        await jo.at_table()

        def is_my_turn_or_over() -> bool:
            here = jo.session.here
            return here is not None and here.waits_for_me

        while True:
            await jo.until(is_my_turn_or_over)
            assert jo.session.here is not None
            if jo.session.here.status == "over":
                break
            seq = _seq(jo.session)
            await jo.press("enter")
            await jo.until(lambda before=seq: _seq(jo.session) > before)  # type: ignore[misc]
        await jo.until(lambda: "You have won" in jo.text() or "You have lost" in jo.text())


def _seq(session: Session) -> int:
    """How far the table has come that this player sees."""
    assert session.here is not None
    return -1 if session.here.view is None else int(session.here.view["seq"])
