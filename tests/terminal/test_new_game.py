"""Games that nobody has drawn for the terminal, played there to their end as their author does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import HallProcess, Process
from tests.terminal.screens import Terminal, at_hall
from tests.terminal.test_app import person

PIG = Path(__file__).parents[2] / "examples" / "pig.py"
ENDS = ("You have won: ", "You have lost: ")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    """With a game of the examples, and one that `gamehall new` has just written."""
    folder = tmp_path_factory.mktemp("author")
    with Process("new", "last-stone", folder=folder) as new:
        assert new.wait(60) == 0, new.report()
    files = ("--game", str(PIG), "--game", "last_stone.py")
    with HallProcess(folder / "data", more=files, folder=folder) as hall:
        yield hall


def play_a_bot(terminal: Terminal, title: str) -> None:
    screen = terminal.sees("Games", title)
    games = [line for line in screen.splitlines() if line.startswith("┃") and line[1:27].strip()]
    place = next(n for n, line in enumerate(games) if title in line)
    terminal.press(*["Down"] * place, "Enter")
    terminal.sees("Play the random bot")
    terminal.press("Down", "Enter")
    terminal.sees("The game begins.")


def is_my_turn_or_over(screen: str) -> bool:
    return "Your turn." in screen or any(end in screen for end in ENDS)


@pytest.mark.slow
async def test_pig_of_the_examples(hall: HallProcess) -> None:
    async with person(hall, "Ann") as ann:
        await ann.choose("games", list(ann.session.lobby.games).index("little-pig"))
        await ann.sees("Play the random bot")
        await ann.press("down", "enter")
        await ann.at_table()
        table = ann.session.here
        assert table is not None
        while True:
            await ann.until(lambda: table.waits_for_me)
            assert table.view is not None
            if table.status == "over":
                break
            seq, at_stake = table.view["seq"], table.view["view"]["stake"]
            await ann.press("colon", "b" if at_stake >= 4 else "a", "1", "enter")
            await ann.until(lambda seq=seq: table.view["seq"] > seq)  # type: ignore[misc]
        # Its event is called as one of Four Stone is, and has other fields.
        await ann.sees("Ann: moved", "Random bot: moved")
        await ann.until(lambda: any(end in ann.text() for end in ENDS))


@pytest.mark.slow
def test_one_that_was_just_made(hall: HallProcess, tmp_path: Path) -> None:
    with Terminal(tmp_path, *at_hall(hall, "Bea")) as bea:
        play_a_bot(bea, "Last stone")
        while True:
            screen = bea.until(is_my_turn_or_over, "a turn, or the end")
            if any(end in screen for end in ENDS):
                break
            (now,) = (line for line in screen.splitlines() if "The sum is" in line)
            bea.press("Enter")
            bea.until(lambda screen, before=now: before not in screen, "another sum")  # type: ignore[misc]
        bea.sees("said 21.", "Bea: added", "Random bot: added", "The sum is 21.")
