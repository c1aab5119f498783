"""What a run that has broken off says of the hall."""

from __future__ import annotations

import traceback
from pathlib import Path

HALL = Path(__file__).parents[1]


def broken_by(error: Exception) -> str:
    """The promise that is broken. Client, checker and world raise other errors too, where they meet
    what they do not know: until someone has looked, that is the hall's fault as well."""
    if isinstance(error, AssertionError) and str(error):
        return str(error)
    return f"could not understand: {what_and_where(error)}"


def what_and_where(error: BaseException) -> str:
    """The last line of its traceback, and the last place in our own code."""
    what = traceback.format_exception_only(error)[-1].strip()
    places = traceback.extract_tb(error.__traceback__)
    ours = [place for place in places if HALL in Path(place.filename).parents]
    if not ours:
        return what
    place = ours[-1]
    return f"{what} ({Path(place.filename).relative_to(HALL)}:{place.lineno}, in {place.name})"
