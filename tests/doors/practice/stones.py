"""Four Stone, from its description alone, and games that are worked out by hand.

A place is [x, y], y downwards. A move is four digits: `0302` is the one from [0, 3] to [0, 2].
"""

from __future__ import annotations

from typing import Any

Places = dict[tuple[int, int], int]
"""Where the stones lie, each with its seat."""


def beginning() -> Places:
    return {(x, y): seat for seat, y in ((0, 3), (1, 0)) for x in range(4)}


def moved(places: Places, digits: str) -> tuple[Places, set[tuple[int, int]]]:
    """Where the stones lie after a move, and which of the opponent's it took."""
    x, y, to_x, to_y = map(int, digits)
    after = dict(places)
    mover = after.pop((x, y))
    assert abs(x - to_x) + abs(y - to_y) == 1
    assert (to_x, to_y) not in after
    after[to_x, to_y] = mover
    row = [(n, to_y) for n in range(4)]
    column = [(to_x, n) for n in range(4)]
    taken = set()
    for line in (row, row[::-1], column, column[::-1]):
        read = "".join(_letter(after.get(place), mover) for place in line)
        if read in ("ooe.", "ooeo"):
            taken.add(line[2])
        if read in (".ooe", "oooe"):
            taken.add(line[3])
    return {place: seat for place, seat in after.items() if place not in taken}, taken


def _letter(seat: int | None, mover: int) -> str:
    return "." if seat is None else "o" if seat == mover else "e"


def after(moves: str) -> Places:
    places = beginning()
    for digits in moves.split():
        places, _ = moved(places, digits)
    return places


def board(places: Places) -> list[list[int]]:
    """As the hall shows it: rows from the top, 0 is empty, 1 a stone of seat 0, 2 one of seat 1."""
    return [[places.get((x, y), -1) + 1 for x in range(4)] for y in range(4)]


def fields(digits: str) -> dict[str, Any]:
    """The move, as a client sends it."""
    x, y, to_x, to_y = map(int, digits)
    return {"position_init": [x, y], "position_move": [to_x, to_y]}


# The boards beside the moves show how the stones lie after them.

FIRE_WINS = "0302 1011 0212 2021 1222 3031 2232"
"""Three stones fall in columns, each to two that stand below it.

    W.WW    W..W    W...
    ....    ....    ....
    .F..    ..F.    ...F
    .FFF    .FFF    .FFF
"""
WATER_WINS = "0302 0001 1312 0111 0201 2021 2322 1020"
"""One falls in column 1, one in row 1, one in column 2.

    .WWW    .W.W    ..WW
    .W..    .WW.    .WW.
    F...    ....    ....
    ..FF    ..FF    ...F
"""
WATER_IS_STUCK = "0302 0001 0212 2021 1211 2131 2322 3132 2221 1020 1110 3231 3332"
"""One stone falls in row 1; three are left, and none of them can move.

    .FWW
    ..FW
    ...F
    .F..
"""
FIRE_IS_STUCK = "0302 1011 0201 1112 1303 2021 3332 2122 0102 0001 2313 2223"
"""One stone falls in row 2; three are left, and none of them can move.

    ...W
    W...
    FW..
    FFW.
"""
REPEATED = "0302 0001 0203 0100 0302 0001 0203 0100"
"""The first position is there for the third time."""
