"""Whatever stops a run is a broken promise, and says what could not be understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn
from unittest.mock import patch

import pytest

from gamehall.simulation import run
from gamehall.simulation.broken import broken_by
from gamehall.simulation.clients.person import Person
from gamehall.simulation.network import Network
from gamehall.simulation.run import violation
from gamehall.simulation.story import story_of

STORY = story_of(3)


def _fails(*_: Any) -> NoReturn:
    raise KeyError("seq")


def _before(tell: Callable[..., None]) -> Callable[..., None]:
    def without_a_number(self: Person, action: str, payload: dict[str, Any]) -> None:
        if action == "table_events":
            payload = {name: value for name, value in payload.items() if name != "seq"}
        tell(self, action, payload)

    return without_a_number


@pytest.mark.parametrize(
    ("what", "place"),
    [
        (lambda: patch.object(Person, "_told", _before(Person._told)), "clients/person.py"),
        (lambda: patch.object(run, "judge", _fails), "run.py"),
        (lambda: patch.object(Network, "__init__", _fails), "run.py"),
    ],
    ids=["a client", "the checker", "the world"],
)
def test_what_is_not_understood_breaks_a_promise(what: Callable[[], Any], place: str) -> None:
    with what():
        broken = violation(STORY)
    assert broken is not None
    assert broken.startswith("could not understand: KeyError: 'seq'")
    assert place in broken


def test_a_promise_speaks_for_itself() -> None:
    assert broken_by(AssertionError("a row is lost")) == "a row is lost"


def test_a_promise_that_says_nothing_is_not_understood() -> None:
    assert broken_by(AssertionError()) == "could not understand: AssertionError"
