"""What falls in Four Stone: every pattern by hand, on whole boards and in every line there is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from gamehall.games.four_stone_board import Place
from gamehall.games.game import Outcome
from tests.games.four_stone_play import GAME, at, board, falls, played

# Whole boards: before, whose move, the move, after


IN_ROWS = [
    # own, own, enemy, empty: either of the pair comes last.
    (".... .FW. F..W ....", 0, "0201", ".... FF.. ...W ...."),
    (".... F.W. .F.W ....", 0, "1211", ".... FF.. ...W ...."),
    # own, own, enemy, own: each of the three comes last.
    (".... .FWF F..W W...", 0, "0201", ".... FF.F ...W W..."),
    (".... F.WF .F.W W...", 0, "1211", ".... FF.F ...W W..."),
    (".... FFW. ...F WW..", 0, "3231", ".... FF.F .... WW.."),
    # empty, own, own, enemy.
    (".... ..FW .F.. W.W.", 0, "1211", ".... .FF. .... W.W."),
    (".... .F.W ..F. W.W.", 0, "2221", ".... .FF. .... W.W."),
    # own, own, own, enemy: the one far from it may come last, too.
    (".... .FFW F... W.W.", 0, "0201", ".... FFF. .... W.W."),
    (".... F.FW .F.. W.W.", 0, "1211", ".... FFF. .... W.W."),
    (".... FF.W ..F. W.W.", 0, "2221", ".... FFF. .... W.W."),
    # The same, read from the other end.
    (".... .WF. ...F W.W.", 0, "3231", ".... ..FF .... W.W."),
    (".... .W.F ..F. W.W.", 0, "2221", ".... ..FF .... W.W."),
    (".... FWF. ...F W.W.", 0, "3231", ".... F.FF .... W.W."),
    (".... FW.F ..F. W.W.", 0, "2221", ".... F.FF .... W.W."),
    (".... .WFF F... W.W.", 0, "0201", ".... F.FF .... W.W."),
    (".... WF.. ..F. W.W.", 0, "2221", ".... .FF. .... W.W."),
    (".... W.F. .F.. W.W.", 0, "1211", ".... .FF. .... W.W."),
    (".... WF.F ..F. W.W.", 0, "2221", ".... .FFF .... W.W."),
    (".... W.FF .F.. W.W.", 0, "1211", ".... .FFF .... W.W."),
    (".... WFF. ...F W.W.", 0, "3231", ".... .FFF .... W.W."),
    # Along the row, and on the edges of the board.
    (".... F.FW .... WW..", 0, "0111", ".... .FF. .... WW.."),
    (".... WF.F .... WW..", 0, "3121", ".... .FF. .... WW.."),
    (".FW. F... .... W..W", 0, "0100", "FF.. .... .... W..W"),
    ("W..W .... .F.. W.F.", 0, "1213", "W..W .... .... .FF."),
    # Water takes as fire does.
    (".... .WF. W..F ....", 1, "0201", ".... WW.. ...F ...."),
    ("F... .... .W.. F.W.", 1, "1213", "F... .... .... .WW."),
]
IN_COLUMNS = [
    (".F.. F... .W.. ...W", 0, "0111", ".F.. .F.. .... ...W"),
    ("F... .F.. .W.. ...W", 0, "0010", ".F.. .F.. .... ...W"),
    (".F.. F... .W.. .F.W", 0, "0111", ".F.. .F.. .... .F.W"),
    ("F... .F.. .W.. .F.W", 0, "0010", ".F.. .F.. .... .F.W"),
    (".F.. .F.. .W.. F..W", 0, "0313", ".F.. .F.. .... .F.W"),
    ("...W F... .F.. .W.W", 0, "0111", "...W .F.. .F.. ...W"),
    ("...W .F.. F... .W.W", 0, "0212", "...W .F.. .F.. ...W"),
    ("F..W .F.. .F.. .W.W", 0, "0010", ".F.W .F.. .F.. ...W"),
    (".F.W F... .F.. .W.W", 0, "0111", ".F.W .F.. .F.. ...W"),
    (".F.W .F.. F... .W.W", 0, "0212", ".F.W .F.. .F.. ...W"),
    # Read from below.
    ("...W .W.. .F.. F...", 0, "0313", "...W .... .F.. .F.."),
    ("...W .W.. F... .F..", 0, "0212", "...W .... .F.. .F.."),
    (".F.W .W.. .F.. F...", 0, "0313", ".F.W .... .F.. .F.."),
    (".F.W .W.. F... .F..", 0, "0212", ".F.W .... .F.. .F.."),
    ("F..W .W.. .F.. .F..", 0, "0010", ".F.W .... .F.. .F.."),
    (".W.W F... .F.. ....", 0, "0111", "...W .F.. .F.. ...."),
    (".W.W .F.. F... ....", 0, "0212", "...W .F.. .F.. ...."),
    (".W.W F... .F.. .F..", 0, "0111", "...W .F.. .F.. .F.."),
    (".W.W .F.. F... .F..", 0, "0212", "...W .F.. .F.. .F.."),
    (".W.W .F.. .F.. F...", 0, "0313", "...W .F.. .F.. .F.."),
    # Along the column, and on the edges of the board.
    ("F..W .... F... W...", 0, "0001", "...W F... F... ...."),
    ("W..W F... .... F...", 0, "0302", "...W F... F... ...."),
    ("..WW ...F ..F. ....", 0, "2232", "..W. ...F ...F ...."),
    # Water takes as fire does.
    ("...F .W.. W... .F.F", 1, "0212", "...F .W.. .W.. ...F"),
]
IN_BOTH = [
    (".F.W F.W. .F.. .W.W", 0, "1011", "...W FF.. .F.. ...W"),
    ("F.FW .F.. .W.. W..W", 0, "0010", ".FF. .F.. .... W..W"),
    ("W.W. ..F. .W.F W.F.", 0, "2322", "W... ..F. ..FF W..."),
    (".W.F W.F. .W.. .F.F", 1, "1011", "...F WW.. .W.. ...F"),
    # Two enemies in the row save each other, and not the one in the column.
    (".F.. F.WW .F.. .W..", 0, "1011", ".... FFWW .F.. ...."),
]
NOWHERE = [
    # Two enemies in the line: side by side, and one at each end.
    (".... .FWW F... ....", 0, "0201", ".... FFWW .... ...."),
    (".... WWF. ...F ....", 0, "3231", ".... WWFF .... ...."),
    (".... W.FW .F.. ....", 0, "1211", ".... WFFW .... ...."),
    ("F... .F.. .W.. .W..", 0, "0010", ".F.. .F.. .W.. .W.."),
    (".W.. F... .F.. .W..", 0, "0111", ".W.. .F.. .F.. .W.."),
    # Own stones apart: by the enemy, by an empty place, by both.
    (".... .WF. F..W ....", 0, "0201", ".... FWF. ...W ...."),
    (".... ..FW F..W ....", 0, "0201", ".... F.FW ...W ...."),
    (".... .W.F F..W ....", 0, "0201", ".... FW.F ...W ...."),
    (".... F.W. ...F W...", 0, "3231", ".... F.WF .... W..."),
    (".F.. .... .W.. F..W", 0, "0313", ".F.. .... .W.. .F.W"),
    # A pair, and a gap before the enemy.
    (".... .F.W F..W ....", 0, "0201", ".... FF.W ...W ...."),
    (".... W..F ..FW ....", 0, "2221", ".... W.FF ...W ...."),
    ("F... .F.. .... .W.W", 0, "0010", ".F.. .F.. .... .W.W"),
    # One own stone alone.
    (".... .W.. F..W ....", 0, "0201", ".... FW.. ...W ...."),
    (".... ..W. .F.. W...", 0, "1211", ".... .FW. .... W..."),
    # No enemy in the line, and a line full of own stones.
    ("W..W .F.. F... ....", 0, "0201", "W..W FF.. .... ...."),
    ("W..W FF.F ..F. ....", 0, "2221", "W..W FFFF .... ...."),
    ("FW.. F... F..W .F..", 0, "1303", "FW.. F... F..W F..."),
    # Only the lines of the place where the stone is now: not of where it was, and no others.
    (".... F.FW .F.. W...", 0, "1222", ".... F.FW ..F. W..."),
    (".... FFWF .... W...", 0, "3130", "...F FFW. .... W..."),
    (".... FFW. .... F..W", 0, "0302", ".... FFW. F... ...W"),
    # A diagonal is no line.
    ("F... .F.. ..W. F..W", 0, "0302", "F... .F.. F.W. ...W"),
]


@pytest.mark.parametrize(
    ("before", "turn", "digits", "after"), [*IN_ROWS, *IN_COLUMNS, *IN_BOTH, *NOWHERE]
)
def test_boards(before: str, turn: int, digits: str, after: str) -> None:
    assert board(played(digits, at(before, turn))) == after


def test_what_fell_is_named_row_by_row() -> None:
    assert falls(at(IN_BOTH[0][0]), "1011") == ((2, 1), (1, 3))
    assert falls(at(IN_BOTH[2][0]), "2322") == ((2, 0), (1, 2))
    assert falls(at(NOWHERE[0][0]), "0201") == ()


def test_the_last_two_may_fall_at_once() -> None:
    state = played("1011", at(".F.. F.W. .F.. .W.."))
    assert board(state) == ".... FF.. .F.. ...."
    assert GAME.outcome(state) == Outcome((0,), "one_stone")


# Nobody takes its own stones


DANGER = "...W WW.. ..F. F.F."


def test_moving_between_enemies_is_safe() -> None:
    state = played("2221", at(DANGER))
    assert board(state) == "...W WWF. .... F.F."


def test_a_stone_in_danger_stays_while_others_move_elsewhere() -> None:
    state = played("2221 3020", at(DANGER))
    assert board(state) == "..W. WWF. .... F.F."


def test_a_stone_in_danger_falls_to_a_move_in_its_line() -> None:
    state = played("2221 3031", at(DANGER))
    assert board(state) == ".... WW.W .... F.F."


# Every line there is: own stones O, enemies x


FALLS = {
    "OOx.": 2, "OOxO": 2, ".OOx": 3, "OOOx": 3,
    ".xOO": 1, "OxOO": 1, "xOO.": 0, "xOOO": 0,
}  # fmt: skip
"""The place of the one that falls; in every other line nobody does."""


def lines() -> Iterator[tuple[Place, ...]]:
    for n in range(4):
        yield tuple((x, n) for x in range(4))
        yield tuple((n, y) for y in range(4))


def arrivals(content: str, line: tuple[Place, ...]) -> Iterator[tuple[Place, Place]]:
    """The moves after which the line has this content, on a board that is empty beside it."""
    free = {(x, y) for x in range(4) for y in range(4)}
    free -= {place for place, sign in zip(line, content, strict=True) if sign != "."}
    for (x, y), sign in zip(line, content, strict=True):
        beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & free
        if sign == "O":
            yield from ((place, (x, y)) for place in sorted(beside))


def before(content: str, line: tuple[Place, ...], seat: int, source: Place, target: Place) -> str:
    signs = {"O": "FW"[seat], "x": "WF"[seat], ".": "."}
    on = {place: signs[sign] for place, sign in zip(line, content, strict=True)}
    on[target], on[source] = ".", signs["O"]
    return " ".join("".join(on.get((x, y), ".") for x in range(4)) for y in range(4))


@pytest.mark.parametrize("seat", [0, 1])
def test_every_line(seat: int) -> None:
    tried: set[tuple[str, int]] = set()
    for content, line in product(map("".join, product("Ox.", repeat=4)), lines()):
        for source, target in arrivals(content, line):
            state = at(before(content, line, seat, source, target), turn=seat)
            victim = FALLS.get(content)
            expected = () if victim is None else (line[victim],)
            digits = f"{source[0]}{source[1]}{target[0]}{target[1]}"
            assert falls(state, digits) == expected, (board(state), digits)
            tried.add((content, line.index(target)))
    every_own = {
        (content, place)
        for content in map("".join, product("Ox.", repeat=4))
        for place in range(4)
        if content[place] == "O"
    }
    assert tried == every_own
