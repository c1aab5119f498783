"""Values of command lines that are checked as they are read: argparse says what is wrong."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"This is a whole number, 1 or more, not {text!r}.")
    return int(text)


def minutes(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise ArgumentTypeError(f"This is a number of minutes above 0, not {text!r}.")
    return number
