"""Prints journals of finished tables, made by the real rules, and what a forger makes of them.

For each there is what `verify_log` finds: the page's own verification must find the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
from forgeries import forgeries, trailer

from gamehall.games import GAMES
from gamehall.games.bingo import Bingo, Claim, Deal
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.four_stone import FourStone, Move
from gamehall.games.game import Command, Game
from gamehall.games.sicbo import SicBo
from gamehall.games.sicbo_events import Bet, OneBet, PlaceBets
from gamehall.games.sicbo_layout import SIDES
from gamehall.games.two_in_turn import AnswerDraw, OfferDraw, Resign
from gamehall.table_log import house
from gamehall.table_log.journal import chained
from gamehall.table_log.log import LogError, read_log
from gamehall.table_log.verify import verify_log
from gamehall.testing import Playout

KNOWN: dict[str, Game[Any]] = {game.name: game for game in GAMES}
LINES = {"up": "0101010", "across": "0011223", "rising": "01122323363", "falling": "65544343303"}
"""Columns whose drops end a game of Connect Four, by the way in which the line runs."""
BLOCKED = 3614
"""A seed whose game of Four Stone ends so that someone cannot move, which is rare."""


# Honest journals


def journals() -> Iterator[tuple[str, list[bytes]]]:
    """Each with a name, its last line included."""
    for name, table in (*_connect_four(), *_four_stone(), *_duels(), *_called(), *_sicbo()):
        yield name, exported(table)
    (_, called), *_ = _called()
    yield "bingo, its second round alone", exported(called, 2)
    (_, dice), *_ = _sicbo()
    yield "sicbo, its second round alone", exported(dice, 2)
    yield "connect-four, its second round alone", exported(_rematch(), 2)


def _connect_four() -> Iterator[tuple[str, Playout]]:
    game = ConnectFour()
    yield "connect-four, a line", _run(Playout(game, seed=1))
    for way, columns in LINES.items():
        drops = ((n % 2, Drop(int(column))) for n, column in enumerate(columns))
        yield f"connect-four, a line {way}", _acted(Playout(game, seed=9), *drops)
    yield "connect-four, a full board", _ended(lambda seed: _small(game, seed), "board_full")
    yield "connect-four, three rounds", _rematch()
    yield "connect-four, resigned", _acted(Playout(game, seed=3), (0, Drop(3)), (0, Resign()))
    refused = ((1, OfferDraw()), (0, AnswerDraw(False)))
    agreed = ((0, OfferDraw()), (0, Drop(0)), (1, AnswerDraw(True)))
    yield "connect-four, agreed", _acted(Playout(game, seed=4), *refused, *agreed)
    timed = Playout(game, {"move_seconds": 1.0}, seed=5, drawn=False, rated=True)
    timed.act(0, Drop(0))
    timed.fire()
    yield "connect-four, out of time", timed
    left = Playout(game, {"columns": 5, "rows": 4, "length": 3}, seed=6, private=True)
    yield "connect-four, left", _left(left, 0, 1)
    void = _acted(Playout(game, seed=7), (0, Drop(2)), (None, house.Void("fault")))
    yield "connect-four, called off, and again", _run(_again(void))
    ana, bot = house.Person(1, "Ana \u2028 “é”"), house.Person(2, "robo", "strong")
    invited: dict[str, Any] = {
        "reserved": (ana, bot),
        "reserved_until_ms": 1_005_000,
        "by_invitation": True,
    }
    claimed = Playout(game, seed=8, people=0, **invited)
    claimed.act(None, house.Sit(bot))
    yield "connect-four, nobody came", _fired(claimed.fork())
    claimed.act(None, house.Sit(ana))
    yield "connect-four, against a bot", _left(_run(claimed), *_seats(claimed))


def _four_stone() -> Iterator[tuple[str, Playout]]:
    game = FourStone()
    yield "four-stone, one_stone", _ended(lambda seed: Playout(game, seed=seed), "one_stone")
    yield "four-stone, no_move", _run(Playout(game, seed=BLOCKED))
    there = (Move((0, 3), (0, 2)), Move((0, 0), (0, 1)))
    back = (Move((0, 2), (0, 3)), Move((0, 1), (0, 0)))
    moves = [(n % 2, move) for _ in range(2) for n, move in enumerate((*there, *back))]
    yield "four-stone, repetition", _acted(Playout(game, seed=1), *moves)
    timed = _acted(Playout(game, {"move_seconds": 0.0005}, seed=2), (0, there[0]))
    yield "four-stone, out of time", _fired(timed)


def _duels() -> Iterator[tuple[str, Playout]]:
    game = BingoDuel()
    two = _run(_again(_run(Playout(game, {"size": 4}, seed=1))))
    yield "bingo-duel, two rounds", two
    yield "bingo-duel, a draw", _ended(lambda seed: Playout(game, {"size": 3}, seed=seed), "draw")
    rated = Playout(game, seed=2, rated=True)
    for _ in range(30):
        rated.step()
    yield "bingo-duel, resigned", _acted(rated, (0, Resign()))
    closed = _acted(Playout(game, seed=3), (None, house.Close("maintenance")))
    yield "bingo-duel, closed", closed


def _called() -> Iterator[tuple[str, Playout]]:
    table = Playout(Bingo(), seed=1, people=3)
    for _ in range(3):
        table.act(0, Deal())
        table.sit()
        for _ in range(4):
            table.fire()
        _left(table, max(table.state.seat_of.values()))
        while not table.state.game.has_bingo(1):
            table.fire()
        table.act(1, Claim())
        table.act(None, house.SetOptions({"free_centre": False, "pause_seconds": 0.25}))
    yield "bingo, three rounds", table
    silent = _acted(Playout(Bingo(), {"pause_seconds": 2.0}, seed=2, people=2), (1, Deal()))
    while not silent.ended:
        silent.fire()
    _acted(silent, (0, Deal()), (None, house.Void("fault")))
    yield "bingo, nobody claims, then called off", silent.fork()
    yield "bingo, a round that runs", _left(_fired(silent), 0)


def _sicbo() -> Iterator[tuple[str, Playout]]:
    table = Playout(SicBo(), {"betting_seconds": 2.5}, seed=1, people=1)
    for _ in range(4):
        table.walk_in(2, Bet("BIG", 1000))
        table.walk_in(3, Bet("SMALL", 500, table.state.opened.round))
        # Seat 0 was taken without a bet: its payouts come last.
        table.walk_in(1, Bet("SMALL", 7))
        table.at_ms += 100
        table.walk_in(2, Bet("SMALL", 200))
        if table.state.opened.round == 3:
            table.act(None, house.Void("fault"))
        while not table.state.over:
            table.fire()
        table.fire()
    _fired(_fired(table))
    yield "sicbo, five rounds", table
    whole = Playout(SicBo(), seed=2)
    every = tuple(OneBet(side, 10 + n) for n, side in enumerate(SIDES))
    for first in (0, 20, 40):
        whole.walk_in(1, Bet("ODD", 3))
        whole.walk_in(2, PlaceBets(every[first:] + every[:first]))
        whole.walk_in(1, PlaceBets((OneBet("ODD", 5), OneBet("BIG", 1), OneBet("SUM9", 2)), None))
        while not whole.state.over:
            whole.fire()
        whole.fire()
    yield "sicbo, the whole layout", whole


def _run(table: Playout) -> Playout:
    table.run()
    return table


def _fired(table: Playout) -> Playout:
    table.fire()
    return table


def _acted(table: Playout, *commands: tuple[int | None, Command]) -> Playout:
    for seat, command in commands:
        table.at_ms += 10
        table.act(seat, command)
    return table


def _seats(table: Playout) -> list[int]:
    return sorted(table.state.seat_of.values())


def _left(table: Playout, *seats: int) -> Playout:
    for seat in seats:
        if table.state.closed is None:
            table.act(seat, house.Leave())
    return table


def _again(table: Playout) -> Playout:
    return _acted(table, *((seat, house.Rematch()) for seat in _seats(table)))


def _rematch() -> Playout:
    table = _run(Playout(ConnectFour(), {"columns": 4, "rows": 4}, seed=2))
    return _left(_run(_again(_run(_again(table)))), 1, 0)


def _small(game: ConnectFour, seed: int) -> Playout:
    return Playout(game, {"columns": 3, "rows": 3, "length": 3}, seed=seed)


def _ended(begin: Callable[[int], Playout], reason: str) -> Playout:
    for seed in count():
        table = begin(seed)
        if table.run().outcome.reason == reason:
            return table
    raise AssertionError("there is always another seed")


# As the hall gives them


def exported(table: Playout, round: int | None = None) -> list[bytes]:
    """All rows, or those of one round, and the last line."""
    first, last = 1, len(table.rows)
    if round is not None:
        rows = [(row.seq, event) for row in table.rows for event in row.events]
        ends = (house.RoundEnded, house.RoundVoided)
        first = [seq for seq, event in rows if isinstance(event, house.Opened)][round - 1]
        last = [seq for seq, event in rows if isinstance(event, ends)][round - 1]
    lines = table.lines[first - 1 : last]
    return [*lines, trailer(last, _hash_after(table.lines[:last]))]


def _hash_after(lines: list[bytes]) -> str:
    hash = ""
    for line in lines:
        hash = chained(hash, line)
    return hash


# What is printed


def _verdict(lines: list[bytes]) -> dict[str, Any]:
    verdict = verify_log(lines, KNOWN)
    try:
        read_log(lines, KNOWN)
        readable = True
    except LogError:
        readable = False
    rows = sorted({problem.seq for problem in verdict.problems})
    words = [str(problem) for problem in verdict.problems]
    return {"ok": verdict.ok, "rows": rows, "words": words, "readable": readable}


def _journal(name: str, lines: list[bytes], rng: Random) -> dict[str, Any]:
    places = {line: place for place, line in enumerate(lines)}
    forged = [
        # A line that is as before is told by its place.
        {"name": how, "lines": [places.get(x, x.decode()) for x in made], "verdict": _verdict(made)}
        for how, made in forgeries(lines, rng)
    ]
    written = [line.decode() for line in lines]
    return {"name": name, "lines": written, "verdict": _verdict(lines), "forged": forged}


def main() -> None:
    rng = Random(8)
    every = [_journal(name, lines, rng) for name, lines in journals()]
    sys.stdout.buffer.write(msgspec.json.encode(every))


if __name__ == "__main__":
    main()
