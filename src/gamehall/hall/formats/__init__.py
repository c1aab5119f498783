"""How tournaments are played: one module a format, as pure as the rules of a game."""

from __future__ import annotations

from gamehall.hall.formats.arena_time import ArenaByTime
from gamehall.hall.formats.derby import Derby
from gamehall.hall.formats.elimination import DoubleElimination, SingleElimination
from gamehall.hall.formats.format import Format
from gamehall.hall.formats.round_robin import RoundRobin
from gamehall.hall.formats.swiss import Swiss

FORMATS: dict[str, Format] = {
    "derby": Derby(),
    "round-robin": RoundRobin(),
    "swiss": Swiss(),
    "single-elimination": SingleElimination(),
    "double-elimination": DoubleElimination(),
    "arena": ArenaByTime(),
}
