"""The programs in a real hall: they find each other, and go on after a crash of the hall."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.player.programs import Ai
from tests.player.terminal import Terminal
from tests.support.processes import HallProcess

RESULT = re.compile(r"game (\d+): (won against|lost to|no winner against) (\w+) \((.+)\)")
COUNTERPARTS = {
    "won against": "lost to",
    "lost to": "won against",
    "no winner against": "no winner against",
}
GAMES_SECONDS = 60.0
ASKED = "your column, 1 to 7> "
ENDS = {
    "You have won.": "lost to",
    "You have lost.": "won against",
    "Nobody has won.": "no winner against",
}
"""What the person reads, and what the AI says of the same game."""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", doors=("four",)) as hall:
        yield hall


def _results(ai: Ai) -> dict[int, tuple[str, str]]:
    """What came of each game, and against whom."""
    found = (RESULT.fullmatch(line) for line in ai.stdout)
    return {int(result[1]): (result[2], result[3]) for result in found if result}


def test_four_find_each_other_and_play(hall: HallProcess) -> None:
    names = ("Ada", "Bob", "Cleo", "Dan")
    with ExitStack() as stack:
        ais = {
            name: stack.enter_context(Ai(hall.ports["four"], "--games=3", "--lonely=3", name=name))
            for name in names
        }
        for ai in ais.values():
            assert ai.wait(GAMES_SECONDS) == 0
    games: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    for name, ai in ais.items():
        assert ai.stderr == []
        for game, result in _results(ai).items():
            games[game][name] = result
    for sides in games.values():
        one, other = sides
        assert sides[one] == (COUNTERPARTS[sides[other][0]], other)
        assert sides[other] == (COUNTERPARTS[sides[one][0]], one)
    # Whoever is the last may find no partner for all of its games.
    played = sorted(len(_results(ai)) for ai in ais.values())
    assert played[1:] == [3, 3, 3]
    assert played[0] in (1, 3)


def _has_started(ai: Ai, games: int) -> bool:
    return sum(": started against" in line for line in ai.stdout) >= games


def _play_to_the_end(person: Terminal) -> str:
    """Plays the first open column whenever one is asked for; what the AI must say of the game."""
    while True:
        seen = person.wait_for(ASKED, *ENDS)
        if not seen.endswith(ASKED):
            return ENDS[seen.splitlines()[-1]]
        top = person.board[0]
        person.enter(str(1 + next(n for n in range(7) if top[4 + 3 * n] == ".")))


def test_a_person_plays_the_ai(hall: HallProcess) -> None:
    with Ai(hall.ports["four"], "--games=1", name="Bob") as ai:
        ai.wait_for("registered")
        with Terminal(hall.ports["four"]) as person:
            person.wait_for("Bob challenges you: accept, or refuse?")
            person.enter("accept")
            person.wait_for("You play against Bob.\nYour stones are O. Bob begins.")
            result = _play_to_the_end(person)
            assert ai.wait() == 0
            person.enter("quit")
            assert person.wait() == 0
    assert list(_results(ai).values()) == [(result, "Ada")]


def test_a_person_challenges_the_ai(hall: HallProcess) -> None:
    with (
        Ai(hall.ports["four"], name="Bob") as ai,
        Terminal(hall.ports["four"]) as person,
    ):
        ai.wait_for("challenging Ada")
        person.enter("list")
        person.wait_for("   1  Bob\n")
        # Both want it: that is one game, whoever was first.
        person.enter("challenge Bob")
        person.wait_for("You play against Bob.")
        person.wait_for(ASKED)
        person.enter("quit")
        assert person.wait() == 0
        ai.wait_for("won against Ada (")


def test_a_crash_of_the_hall_in_mid_game_changes_nothing(hall: HallProcess) -> None:
    with (
        Ai(hall.ports["four"], "--games=1", name="Bob") as ai,
        Terminal(hall.ports["four"]) as person,
    ):
        person.wait_for("Bob challenges you")
        person.enter("accept")
        person.wait_for(ASKED)
        person.enter("1")
        person.wait_for(ASKED)
        board = person.board
        hall.kill()
        person.wait_for("The connection is lost")
        ai.wait_for("connection lost")
        hall.start()
        person.wait_for("Your game against Bob goes on.")
        person.wait_for("+\n")
        assert person.board == board
        result = _play_to_the_end(person)
        assert ai.wait() == 0
    assert ai.says(": goes on")
    assert list(_results(ai).values()) == [(result, "Ada")]


@pytest.mark.slow
def test_ais_play_on_through_crashes_of_the_hall(hall: HallProcess) -> None:
    with (
        Ai(hall.ports["four"], "--games=4", name="Ada") as ada,
        Ai(hall.ports["four"], "--games=4", name="Bob") as bob,
    ):
        for games in (1, 2):
            ada.wait_until(partial(_has_started, ada, games))
            hall.restart()
        assert ada.wait(GAMES_SECONDS) == 0
        assert bob.wait(GAMES_SECONDS) == 0
    assert ada.stderr == bob.stderr == []
    assert ada.says("connection lost")
