"""The board of Four Stone: where stones may go, and what they take there.

A set of stones is one integer; the stone on `[x, y]` is its bit 4·y + x.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SIZE = 4
Place = tuple[int, int]
"""As `[x, y]`, both from 0; y runs downwards."""
START = (0xF << SIZE * (SIZE - 1), 0xF)
"""The stones of each seat in the beginning: seat 0 lowest, seat 1 uppermost."""


def on_board(place: Place) -> bool:
    return all(0 <= coordinate < SIZE for coordinate in place)


def stone(place: Place) -> int:
    """The set of the one stone on this place."""
    x, y = place
    return 1 << SIZE * y + x


def places(stones: int) -> tuple[Place, ...]:
    """Where they lie, row by row."""
    return tuple(place for place in PLACES if stones & stone(place))


def adjacent(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def moves(own: int, enemy: int) -> list[tuple[int, int]]:
    """Every move of these stones: the stone that goes, and what it becomes."""
    filled = own | enemy
    return [
        (source, target)
        for source, targets in _NEIGHBOURS
        if own & source
        for target in targets
        if not filled & target
    ]


def taken(own: int, enemy: int, moved: int) -> int:
    """The enemies that fall when the own stone `moved` has come to its place.

    Its row and its column are read from both ends. An enemy falls as the third of *own, own, enemy,
    no enemy* or as the fourth of *no enemy, own, own, enemy*: so it is the only one in the line,
    and next to it, on one side, are two own stones.
    """
    fallen = 0
    for line, pair, victim in _TRAPS[moved]:
        if enemy & line == victim and own & pair == pair:
            fallen |= victim
    return fallen


PLACES = tuple((x, y) for y in range(SIZE) for x in range(SIZE))
_NEIGHBOURS = tuple(
    (stone(place), tuple(stone(other) for other in PLACES if adjacent(place, other)))
    for place in PLACES
)


def _traps(line: Iterable[Place]) -> Iterator[tuple[int, int, int]]:
    """For each way in which an enemy falls in this line: the line, the pair and the victim."""
    forth = tuple(map(stone, line))
    for first, second, third, fourth in (forth, forth[::-1]):
        yield sum(forth), first | second, third
        yield sum(forth), second | third, fourth


_ROWS = [tuple(_traps((x, y) for x in range(SIZE))) for y in range(SIZE)]
_COLUMNS = [tuple(_traps((x, y) for y in range(SIZE))) for x in range(SIZE)]
_TRAPS = {stone((x, y)): _ROWS[y] + _COLUMNS[x] for x, y in PLACES}
