"""People who act at the last moment do so at the deadline that they hear of next."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from gamehall.simulation.clients.lateness import LATE_SECONDS, Lateness
from gamehall.simulation.clients.picks import Picks

CLOCK = {"due_ms": 9000, "now_ms": 7000}


class Late:
    def __init__(self) -> None:
        self.done: list[tuple[Any, str, Any]] = []
        self._now = 0.0
        self.lateness = Lateness(
            Random(1),
            self._soon,
            lambda action, **payload: self.done.append((self._now, action, payload)),
            lambda _, tables: self.done.append((self._now, "act", tables)),
        )

    def _soon(self, seconds: float, act: Callable[[], None]) -> None:
        self._now = seconds
        act()

    def begin(self) -> None:
        self.lateness.begin(Picks(0.5), {})


def _view(status: str, clock: Any = CLOCK) -> dict[str, Any]:
    return {"table": 3, "game": "sicbo", "status": status, "clock": clock}


@pytest.mark.parametrize(
    ("status", "action", "about"),
    [
        ("playing", "act", [3]),
        ("waiting", "sit", {"table": 3}),
        ("over", "rematch", {"table": 3}),
    ],
)
def test_at_a_table_it_acts_as_the_clock_ends(status: str, action: str, about: object) -> None:
    late = Late()
    late.begin()
    late.lateness.shown(_view(status, None))
    late.lateness.shown(_view(status))
    late.lateness.shown(_view(status))
    assert late.done == [(pytest.approx(2.0, abs=LATE_SECONDS), action, about)]


def test_it_accepts_a_challenge_as_it_ends() -> None:
    late = Late()
    late.begin()
    late.lateness.challenged({"challenge": 7, "seconds": 6.0})
    assert late.done == [(pytest.approx(6.0, abs=LATE_SECONDS), "accept", {"challenge": 7})]


def test_who_is_not_late_lets_the_deadline_be() -> None:
    late = Late()
    late.lateness.shown(_view("playing"))
    late.begin()
    late.lateness.end()
    late.lateness.shown(_view("playing"))
    assert late.done == []


def test_what_it_has_put_off_it_does_not_do_when_it_is_in_time_again() -> None:
    put_off: list[Callable[[], None]] = []
    done: list[str] = []
    lateness = Lateness(
        Random(1),
        lambda seconds, act: put_off.append(act),
        lambda action, **payload: done.append(action),
        lambda rng, tables: done.append("act"),
    )
    lateness.begin(Picks(0.5), {})
    lateness.shown(_view("waiting"))
    lateness.end()
    put_off.pop()()
    assert not done
