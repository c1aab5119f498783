"""Lies at the other doors: a word of a line is another, or a line is missing.

Those of the `rfc` door, and of game servers, are in files of their own.
"""

from __future__ import annotations

import re
from functools import partial

from tests.simulation.honest_doors import honest_doors
from tests.simulation.lies.forgery import LIES, Forgery

NOT_THERE = "told what is not in the journal"
IN_NONE = "what is in no journal"

ALTERED = {
    "mario": ("ida", '"reveal_result"', r'"sum":\d+', '"sum":99', NOT_THERE),
    "caller": ("kim", "CHECK_NUMBER", r"\d+", "99", NOT_THERE),
    "four": ("otto", "GAME_UPDATE", '"current_player":1', '"current_player":2', NOT_THERE),
    "duel": ("quin", "[205,", r"\d+\]", "99]", IN_NONE),
    "watch": ("sven", '"next_move"', r'"next_move":"\d+"', '"next_move":"99"', IN_NONE),
    "practice": ("tina", '"position_init"', r'_init":\[\d', '_init":[9', "heard what is not so"),
}
"""By the door: who heard such lines, what is another in the first of them, and what is found."""
MISSING = {
    "mario": ("ida", '"reveal_result"', NOT_THERE),
    "caller": ("kim", "CHECK_NUMBER", NOT_THERE),
    # Without the first board it would have come to the game a move later.
    "four": ("otto", '"current_player":2', NOT_THERE),
    "duel": ("quin", "[205,", IN_NONE),
    # What is answered next is not what was asked.
    "watch": ("sven", '"res"', IN_NONE),
    "practice": ("tina", '"position_init"', "heard what is not so"),
}
"""By the door: who did not hear the first of such lines, and what is found."""


def first(forged: Forgery, name: str, marker: str) -> int:
    lines = enumerate(forged.of(name).lines)
    return next(n for n, line in lines if line.what == "heard" and marker in line.text)


def alter(name: str, marker: str, old: str, new: str, forged: Forgery) -> None:
    place, lines = first(forged, name, marker), forged.of(name).lines
    text, count = re.subn(old, new, lines[place].text, count=1)
    assert count, f"nothing of this is in {lines[place].text}"
    lines[place] = lines[place]._replace(text=text)


def leave_out(name: str, marker: str, forged: Forgery) -> None:
    forged.unsay(name, first(forged, name, marker))


for _door, (_name, _marker, _old, _new, _found) in ALTERED.items():
    LIES[f"a_word_at_the_{_door}_door_is_another"] = (
        partial(alter, _name, _marker, _old, _new),
        f"{_name} .*{_found}",
        honest_doors,
    )
for _door, (_name, _marker, _found) in MISSING.items():
    LIES[f"a_line_at_the_{_door}_door_is_missing"] = (
        partial(leave_out, _name, _marker),
        f"{_name} .*{_found}",
        honest_doors,
    )
