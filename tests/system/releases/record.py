"""Writes journals of this release, which every later one has to replay.

    python -m tests.system.releases.record

Run once for a release, before it goes out. What is there is never written again: journals in
people's databases do not change either.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gamehall import __version__
from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.testing import Playout

FOLDER = Path(__file__).parent
SEEDS = (1, 2)
ROUNDS = {True: 1, False: 3}
"""Rounds in a journal, by whether seats are kept: else the next one opens by itself."""


class Expected(msgspec.Struct, frozen=True):
    """The last line of a file: what its rows lead to."""

    hash: str
    status: str
    views: dict[str, object]
    """Of each seat, and of a spectator under an empty name."""


def seen(game: Game[Any], state: Any, seat: int | None) -> object:
    """A view as clients get it."""
    return msgspec.json.decode(msgspec.json.encode(game.view(state, seat)))


def expected(table: Playout) -> Expected:
    state = table.state
    seats = ["", *map(str, sorted(state.chairs))]
    views = {seat: seen(table.game, state.game, int(seat) if seat else None) for seat in seats}
    return Expected(table.chain, state.status, views)


def main() -> None:
    folder = FOLDER / __version__
    folder.mkdir()
    for game in GAMES:
        seats = game.seats(game.options())
        for seed in SEEDS:
            # Whoever is called out to has to be there, whoever walks in has not.
            table = Playout(game, seed=seed, people=3 if seats.kept and not seats.least else None)
            for _ in range(ROUNDS[seats.kept]):
                table.run()
            lines = [*table.lines, msgspec.json.encode(expected(table))]
            (folder / f"{game.name}-{seed}.jsonl").write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    main()
