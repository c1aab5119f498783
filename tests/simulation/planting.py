"""The list of planted bugs, and what the checker says of each of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

Plant = Callable[[], Any]
"""Has the bug in the hall for as long as its context lasts."""


class Bug(NamedTuple):
    plant: Plant
    found: str
    """A pattern of what is said of it: whatever else is broken does not show this bug, such as a
    plant that does not fit the hall any more."""

    def is_found(self, broken: str | None) -> bool:
        return broken is not None and re.search(self.found, broken, re.DOTALL) is not None


BUGS: dict[str, Bug] = {}


def planted(found: str) -> Callable[[Plant], Plant]:
    def listed(plant: Plant) -> Plant:
        BUGS[plant.__name__] = Bug(plant, found)
        return plant

    return listed
