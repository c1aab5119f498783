"""Programs in the manner of the original clients, and who plays with whom.

Few of them can come back by themselves. As its user would, a party starts a program again when it
has ended, until each of its members was told of the end of enough games.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.support.processes import HallProcess, Process

ROOT = Path(__file__).parents[3]
"""Programs are started from here, and know nothing else of this repository."""
LOST = 3
"""The exit code of a program whose connection ended."""


def command(program: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"{__package__}.programs.{program}")


class Original(Process):
    def __init__(self, program: str, *arguments: str, sign: Path | None = None) -> None:
        """`sign` is put up by a program that waits for onlookers."""
        super().__init__(program=command(program), folder=ROOT)
        self.arguments = arguments
        self.sign = sign

    @property
    def games(self) -> int:
        """The games whose end it was told."""
        return sum(line.startswith("over") for line in self.stdout)


class DuelPage(Original):
    @property
    def games(self) -> int:
        """Started again, it is told of the same ones."""
        return len({line for line in self.stdout if line.startswith("over")})

    @property
    def picks(self) -> int:
        """How often it was seen that a match had gone on."""
        return sum(line.startswith("followed") for line in self.stdout)


class Party:
    def __init__(self, name: str, game: str, games: int, members: Sequence[Original]) -> None:
        """`game` is what they play at tables of the hall, if they do."""
        self.name = name
        self.game = game
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
                if member.sign is not None:
                    member.sign.unlink(missing_ok=True)
                member.start()

    def signs(self) -> list[Path]:
        """Of members who wait until their table is watched."""
        return [each.sign for each in self._members if each.sign is not None and each.sign.exists()]

    def leave(self) -> None:
        for member in self._members:
            if member.running:
                member.kill()

    def report(self) -> str:
        return "\n".join([f"{self.name}: {m.games} games\n{m.report()}" for m in self._members])


def take_down(signs: Iterable[Path]) -> None:
    for sign in signs:
        sign.unlink(missing_ok=True)


def parties(hall: HallProcess, signs: Path, page: DuelPage, games: int) -> list[Party]:
    """One of each original system. Numbers and names are the same for every game."""
    duel, caller, four, arena = (
        str(hall.ports[door]) for door in ("duel", "caller", "four", "arena-tcp")
    )
    rfc, mario, practice = (
        f"ws://127.0.0.1:{hall.ports[door]}/{path}"
        for door, path in (("rfc", ""), ("mario", "websocket"), ("practice", ""))
    )
    hello = "1:2:77:secret"
    token = (hall.data / "operator-token").read_text().strip()
    duels = [signs / "uid1", signs / "uid2"]
    a, b, fire, water = (signs / name for name in ("player_a", "player_b", "fire", "water"))
    return [
        Party(
            "duel",
            "bingo-duel",
            games,
            [Original("duel_player", duel, hello, str(sign), sign=sign) for sign in duels],
        ),
        Party("watch", "", games, [page]),
        Party(
            "caller",
            "bingo",
            games,
            [Original("caller_player", caller, name) for name in ("ada", "ben", "cyd")],
        ),
        Party(
            "four",
            "connect-four",
            games,
            [
                Original("four_player", four, str(a), a.name, sign=a),
                Original("four_player", four, str(b), b.name, a.name, sign=b),
            ],
        ),
        Party(
            "practice",
            "four-stone",
            games,
            [
                Original(
                    "practice_player",
                    practice,
                    str(sign),
                    f"secret of {sign.name}",
                    sign.name,
                    sign=sign,
                )
                for sign in (fire, water)
            ],
        ),
        Party("rfc", "sicbo", games, [Original("sicbo_page", rfc, "rfc", "-")]),
        Party("mario", "sicbo", games, [Original("sicbo_page", mario, "mario", "mario player")]),
        Party(
            "arena",
            "",
            games,
            [
                Original("game_server", arena),
                Original("arena_operator", hall.web_url, token),
            ],
        ),
    ]
