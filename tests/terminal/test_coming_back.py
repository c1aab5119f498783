"""The hall is killed in mid-game and comes back: the terminal says so, and no move is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.processes import HallProcess
from tests.terminal.screens import Terminal, at_hall
from tests.web.playing import events


@pytest.mark.slow
def test_a_game_goes_on_after_the_hall_was_killed(tmp_path: Path) -> None:
    with (
        HallProcess(tmp_path / "data") as hall,
        Terminal(tmp_path, *at_hall(hall, "Kim")) as kim,
    ):
        kim.sees("Connect Four", "Tables")
        kim.press("Enter")
        kim.sees("Play the random bot")
        kim.press("Down", "Enter")
        kim.sees("Your turn.")
        kim.press("4")
        kim.sees("You drop into column 4.", "Your turn.")
        table = int(kim.screen().split("table ")[1].split()[0])
        hall.kill()
        kim.sees("CONNECTION LOST", "Trying to come back")
        # Played while nobody hears it: the hall gets it when it is there again.
        kim.press("5")
        hall.start()
        kim.sees("Connected again", "You drop into column 5.", "Your turn.")
        assert "CONNECTION LOST" not in kim.screen()
        kim.press("x")
        kim.sees("Really resign?")
        kim.press("Down", "Enter")
        kim.sees("You have lost: a player resigned.")
        drops = [each for each in events(hall, table) if each["type"] == "dropped"]
        seats = [each["seat"] for each in drops]
        assert seats == [(seats[0] + turn) % 2 for turn in range(len(seats))]
        mine = {seat for seat in (0, 1) if _columns(drops, seat) == [3, 4]}
        assert len(mine) == 1


def _columns(drops: list[dict[str, int]], seat: int) -> list[int]:
    return [each["column"] for each in drops if each["seat"] == seat]


@pytest.mark.slow
def test_it_gives_up_with_a_sentence_when_the_hall_knows_it_no_more(tmp_path: Path) -> None:
    with (
        HallProcess(tmp_path / "data") as hall,
        Terminal(tmp_path, *at_hall(hall, "Lee")) as lee,
    ):
        lee.sees("Connect Four", "Tables")
        hall.kill()
        lee.sees("CONNECTION LOST")
        # Another hall at the same address: the token means nothing there.
        hall.data = tmp_path / "other"
        hall.start()
        lee.sees("gamehall: ", "exit code 1")
