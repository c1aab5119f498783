"""Money: chips change hands, and are neither made nor lost."""

from __future__ import annotations

from random import Random

from gamehall.checking.finding import Broken, Check
from gamehall.table_log import house
from gamehall.testing import Playout


def _given_back(table: Playout, _: Random) -> None:
    if table.ended:
        return  # What was won before stays won.
    fork = table.fork()
    fork.act(None, house.Close("void"))
    kept = {name: chips for name, chips in fork.chips.items() if chips}
    if kept:
        raise Broken(
            f"A round that is called off gives not every stake back, but leaves {kept}."
            " Stakes go from a seat to the pot, and come out of it at the end."
        )


def _pot_is_empty(table: Playout) -> None:
    for name, chips in table.chips.items():
        if str(name).startswith("pot:") and chips:
            raise Broken(f"The round is over, and {chips} chips are left in its pot.")
    if sum(table.chips.values()):
        raise Broken("The chips that all have won and lost do not sum to zero.")


CHECK = Check(
    "Money",
    "Pots are empty in the end, and a round that is called off gives every stake back.",
    at_moment=_given_back,
    at_end=_pot_is_empty,
)
