"""How tournaments are played: one module a format, as pure as the rules of a game."""

from __future__ import annotations

from gamehall.hall.tournaments.formats.arena_time import ArenaByTime
from gamehall.hall.tournaments.formats.bracket import double, single
from gamehall.hall.tournaments.formats.derby import Derby
from gamehall.hall.tournaments.formats.elimination import Elimination
from gamehall.hall.tournaments.formats.format import Format
from gamehall.hall.tournaments.formats.round_robin import RoundRobin
from gamehall.hall.tournaments.formats.swiss import Swiss

FORMATS: dict[str, Format] = {
    "derby": Derby(),
    "round-robin": RoundRobin(),
    "swiss": Swiss(),
    "single-elimination": Elimination(single),
    "double-elimination": Elimination(double),
    "arena": ArenaByTime(),
}
