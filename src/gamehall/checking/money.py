"""Money: chips change hands, and are neither made nor lost.

The rules of a table look after its pots themselves (`UnsoundMoney`).
"""

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


CHECK = Check(
    "Money",
    "Pots are empty in the end, and a round that is called off gives every stake back.",
    at_moment=_given_back,
)
