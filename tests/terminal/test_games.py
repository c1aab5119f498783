"""A whole game of each kind in a real terminal of 80 × 24."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import HallProcess
from tests.terminal.screens import COLUMNS, LINES, Terminal, at_hall
from tests.web.guests import Guest

Json = dict[str, Any]


def look(guest: Guest, table: int) -> Json:
    """The table as the guest sees it now."""
    head = guest.ask("journal", table=table, limit=1)["head"]
    guest.ask("resume", table=table)
    while (view := guest.hears("table_view", table=table))["seq"] < head:
        pass
    return view


def challenged(terminal: Terminal, guest: Guest, player: str, game: str, **options: Any) -> int:
    """The table, once whoever is at the terminal has accepted."""
    players = guest.ask("list_players")["players"]
    (id,) = [each["id"] for each in players if each["name"] == player]
    guest.ask("challenge", player=id, game=game, options=options)
    terminal.sees("Challenges", "challenges you to")
    terminal.press("Tab", "Tab", "Tab", "Enter")
    terminal.sees("You are challenged", "Accept")
    terminal.press("Enter")
    table: int = guest.hears("seated", game=game)["table"]
    return table


def test_connect_four_is_won_against_someone_at_the_browsers_door(
    hall: HallProcess, tmp_path: Path
) -> None:
    with Terminal(tmp_path, *at_hall(hall, "Ann")) as ann, Guest(hall, "Bob") as bob:
        first = ann.sees("Games", "Connect Four", "Bob (free)", "tab Next list")
        assert [len(line) <= COLUMNS for line in first.splitlines()] == [True] * LINES
        table = challenged(ann, bob, "Ann", "connect-four")
        ann.sees("● Bob", "○ Ann (you)", "Bob is to move.")
        for turn, column in enumerate((0, 0, 6, 6)):
            bob.act(table, "drop", column=column)
            ann.sees("Your turn.")
            if turn == 0:
                # The column that the cursor is on: it starts in the middle.
                ann.press("Left", "Left", "Enter")
            else:
                ann.press("2")
            if turn < 3:
                ann.sees("Bob is to move.")
        over = ann.sees("You have won: the line is complete.", "m Play again")
        assert over.count("*○*") == 4
        assert look(bob, table)["outcome"] == {"winners": [1], "reason": "line"}
        # Another one, which is resigned, and back to the hall.
        bob.ask("rematch", table=table)
        ann.sees("Bob wants another game.")
        ann.press("m")
        ann.sees("round 2", "Your turn.")
        ann.press("3")
        ann.sees("Bob is to move.")
        ann.press("x")
        ann.sees("Really resign?")
        ann.press("Down", "Enter")
        ann.sees("You have lost: a player resigned.")
        ann.press("l")
        ann.sees("Games", "Tables", "Players")
        ann.press("q")
        ann.sees("exit code 0")


@pytest.mark.slow
def test_two_player_bingo_asks_for_the_size_and_marks_what_is_picked(
    hall: HallProcess, tmp_path: Path
) -> None:
    with Terminal(tmp_path, *at_hall(hall, "Cleo")) as cleo, Guest(hall, "Dan") as dan:
        cleo.sees("Two-player Bingo")
        cleo.press("Down", "Down", "Enter")
        menu = cleo.sees("Open a table for anyone")
        cleo.press(*["Down"] * _place(menu, "Open a table for anyone"), "Enter")
        cleo.sees("How many rows and columns", "Enter: 7")
        cleo.press("3", "Enter")
        waiting = cleo.sees("Waiting for another player.")
        table = int(re.findall(r"table (\d+)", waiting)[0])
        dan.ask("sit", table=table)
        dan.hears("seated", table=table)
        view = look(dan, table)
        assert view["options"]["size"] == 3
        while (outcome := view["outcome"]) is None:
            left = sorted(set(range(1, 10)) - set(view["view"]["picked"]))
            if view["view"]["turn"] == view["seat"]:
                dan.act(table, "pick", number=left[0])
            else:
                cleo.sees("Your turn.")
                cleo.press("9", "9", "Enter")
                cleo.sees("! The numbers run from 1 to 9.")
                cleo.press(str(left[0]), "Enter")
                cleo.sees(f"You pick {left[0]}.", f"({left[0]})")
            before = len(view["view"]["picked"])
            while len((view := look(dan, table))["view"]["picked"]) == before:
                pass
        mine = 1 - int(view["seat"])
        result = "A draw"
        if outcome["winners"]:
            result = "You have won" if mine in outcome["winners"] else "You have lost"
        cleo.sees(f"{result}: ")
        # The picked numbers are marked on both boards: the other's is shown when it is over.
        marks = 2 * len(view["view"]["picked"])
        cleo.until(lambda screen: len(re.findall(r"\(\d\)", screen)) == marks, f"{marks} marks")


@pytest.mark.slow
def test_called_bingo_is_won(hall: HallProcess, tmp_path: Path) -> None:
    with Terminal(tmp_path, *at_hall(hall, "Eve")) as eve:
        eve.sees("Two-player Bingo")
        eve.press("Down", "Enter")
        eve.sees("Go to the hall's table")
        eve.press("Enter")
        eve.sees("No round is on.", "START")
        eve.press("s")
        eve.sees("READY", "BINGO", "Called: ")
        eve.press("b")
        eve.sees("! That is no bingo yet")
        eve.press("r")
        called = ""
        while "You have won" not in (screen := eve.screen()):
            (now,) = re.findall(r"Called so far: (\d+)", screen) or [called]
            if now != called:
                called = now
                eve.press("b")
        eve.sees("You say BINGO", "You have won: bingo.")


@pytest.mark.slow
def test_sic_bo_is_bet_rolled_and_paid(hall: HallProcess, tmp_path: Path) -> None:
    with Terminal(tmp_path, *at_hall(hall, "Fay")) as fay:
        fay.sees("Sic Bo")
        fay.press("Down", "Down", "Down", "Enter")
        fay.sees("Go to the hall's table")
        fay.press("Enter")
        fay.until(lambda screen: re.search(r"\b1[3-5] s left", screen) is not None, "time to bet")
        fay.sees("place your bets", "[10K]", "Your chips: 1,000,000")
        fay.press("Enter")
        fay.sees("You bet 10,000 on BIG.", "(    BIG 1:1   )", "Your chips: 990,000")
        fay.type("small 4000")
        fay.sees("You bet 4,000 on SMALL.", "BIG 10,000, SMALL 4,000", "Your chips: 986,000")
        # Down to the first of the sums.
        fay.press(*["Down"] * 4, "Enter")
        fay.sees("You bet 10,000 on SUM 4.", "Your chips: 976,000")
        fay.type("number 3 500")
        fay.sees("You bet 500 on NUMBER 3.", "Your chips: 975,500")
        screen = fay.sees("The dice: ", "This round brought you")
        (dice,) = re.findall(r"Dice: (\d) (\d) (\d),", screen)
        won = brought([int(spots) for spots in dice])
        assert f"brought you {won:,} chips" in screen
        fay.sees(f"Your chips: {975_500 + won:,}")
        fay.sees("round 2", "place your bets", "Your bets: none")
        fay.press("b")
        fay.sees(
            "BIG 10,000, SMALL 4,000, SUM 4",
            "NUMBER 3 500",
            f"Your chips: {951_000 + won:,}",
        )
        fay.press("l")
        fay.sees("Games", "Tables")


@pytest.mark.slow
def test_four_stone_moves_a_stone_and_then_its_target(hall: HallProcess, tmp_path: Path) -> None:
    with Terminal(tmp_path, *at_hall(hall, "Gus")) as gus, Guest(hall, "Hal") as hal:
        gus.sees("Four Stone", "Hal (free)")
        table = challenged(gus, hal, "Gus", "four-stone")
        gus.sees("● Hal", "○ Gus (you)")
        forth, back = ([0, 3], [0, 2]), ([0, 2], [0, 3])
        # Both go forth and back until the position is there for the third time.
        for turn, (source, target) in enumerate((forth, back, forth, back)):
            hal.act(table, "move", **{"from": source, "to": target})
            gus.sees("Your turn.")
            if turn == 0:
                gus.type("a1 a2 a3")
                gus.sees("! What is 'a1 a2 a3'?")
                gus.type("d1 d2")
            elif turn == 1:
                # The cursor is on some stone; the last in its row that can move is d2.
                gus.press("Down", "Right", "Right", "Right", "Enter")
                gus.sees("[○]")
                gus.press("Up", "Enter")
            else:
                gus.type("d1 d2" if turn == 2 else "d2 d1")
            if turn < 3:
                gus.sees("Hal is to move.", f"{'d1 to d2' if turn % 2 == 0 else 'd2 to d1'}")
        gus.sees("A draw: the position was there for the third time.")
        assert look(hal, table)["outcome"]["reason"] == "repetition"


def brought(dice: list[int]) -> int:
    """What 10,000 on BIG, 4,000 on SMALL, 10,000 on the sum 4 and 500 on the number 3 bring."""
    total = sum(dice)
    number = 500 * (0, 2, 3, 4)[dice.count(3)]
    return 20_000 * (10 < total < 18) + 8_000 * (3 < total < 11) + 610_000 * (total == 4) + number


def _place(menu: str, choice: str) -> int:
    """Which of a menu's choices it is."""
    lines = [line for line in menu.splitlines() if "│ " in line or "┃" in line]
    choices = [line for line in lines if re.search(r"│ (Play|Open)", line)]
    return next(n for n, line in enumerate(choices) if choice in line)
