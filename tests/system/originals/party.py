"""Programs in the manner of the original clients, and who plays with whom.

None of them can come back by itself. As its user would, a party starts a program again when it has
ended, until each of its members was told of the end of enough games.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.processes import HallProcess, Process

PROGRAMS = Path(__file__).parent / "programs"
LOST = 3
"""The exit code of a program whose connection ended."""


class Original(Process):
    def __init__(self, program: str, *arguments: str) -> None:
        super().__init__(program=(sys.executable, str(PROGRAMS / program)))
        self.arguments = arguments

    @property
    def games(self) -> int:
        """The games whose end it was told."""
        return sum(line.startswith("over") for line in self.stdout)


class Party:
    def __init__(self, name: str, games: int, members: Sequence[Original]) -> None:
        self.name = name
        self._games = games
        self._members = members

    @property
    def games(self) -> int:
        return min(member.games for member in self._members)

    @property
    def done(self) -> bool:
        return self.games >= self._games

    def start(self) -> None:
        for member in self._members:
            member.start()

    def tend(self) -> None:
        """Starts whoever has ended again. Fails if one ended otherwise than its user expects."""
        for member in self._members:
            if not member.running:
                assert member.wait() in (0, LOST), f"{self.name}: {member.report()}"
                member.start()

    def leave(self) -> None:
        for member in self._members:
            if member.running:
                member.kill()

    def report(self) -> str:
        return "\n".join([f"{self.name}: {m.games} games\n{m.report()}" for m in self._members])


def parties(hall: HallProcess, games: int) -> list[Party]:
    """One of each original system. Numbers and names are the same for every game."""
    duel, caller, four = (str(hall.ports[door]) for door in ("duel", "caller", "four"))
    rfc, mario, practice = (
        f"ws://127.0.0.1:{hall.ports[door]}/{path}"
        for door, path in (("rfc", ""), ("mario", "websocket"), ("practice", ""))
    )
    return [
        Party("duel", games, [Original("duel_player.py", duel, "1:2:77:secret") for _ in "ab"]),
        Party(
            "caller",
            games,
            [Original("caller_player.py", caller, name) for name in ("ada", "ben", "cyd")],
        ),
        Party(
            "four",
            games,
            [
                Original("four_player.py", four, "player_a"),
                Original("four_player.py", four, "player_b", "player_a"),
            ],
        ),
        Party(
            "practice",
            games,
            [
                Original("practice_player.py", practice, f"secret of {name}", name)
                for name in ("fire", "water")
            ],
        ),
        Party("rfc", games, [Original("sicbo_page.py", rfc, "rfc", "-")]),
        Party("mario", games, [Original("sicbo_page.py", mario, "mario", "mario player")]),
    ]
