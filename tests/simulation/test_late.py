"""An append in doubt that reaches the simulated store late."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import pytest

from gamehall.simulation.store import LATE_SECONDS, Fate, SimulatedStore, Way
from gamehall.simulation.vault import Vault
from gamehall.simulation.world import Machine, World
from gamehall.store.appends import Answer, Append, Durable, NotWritten, Overtaken, Unknown
from tests.contract.store_builders import append


class Owned:
    """A table in a world of its own, and the store of the node that owns it."""

    def __init__(self) -> None:
        self.world = World(1)
        self.vault = Vault(self.world)
        self._store = SimulatedStore(self.vault, Machine(self.world))
        self._main = Machine(self.world)
        assert self.write(append(1)) == Durable()

    def write(self, what: Append, fate: Fate = "well") -> Answer:
        """What the owner is told."""
        answers: list[Answer] = []
        with patch.object(Way, "fate", lambda way: fate):
            self._store.append(what, answers.append)
        self.wait(0.05)
        [answer] = answers
        return answer

    def wait(self, seconds: float) -> None:
        self.world.run(asyncio.sleep(seconds), self._main)

    @property
    def head(self) -> int:
        [head] = self.vault.heads([1])
        return head.head


@pytest.fixture
def table() -> Owned:
    return Owned()


def test_it_lands_later(table: Owned) -> None:
    late = append(1, 1)
    assert table.write(late, "late") == Unknown()
    assert table.head == 1
    table.wait(LATE_SECONDS[1])
    assert table.head == 2
    assert table.write(late) == Durable()


def test_it_is_in_doubt_until_then(table: Owned) -> None:
    late = append(1, 1)
    fates: tuple[Fate, ...] = ("late", "well", "lost", "late")
    assert [table.write(late, fate) for fate in fates] == [Unknown()] * 4
    table.wait(LATE_SECONDS[1])
    assert table.write(late) == Durable()
    assert table.head == 2


def test_it_cannot_pass_the_fence(table: Owned) -> None:
    late = append(1, 1)
    table.write(late, "late")
    table.vault.claim(1, "another")
    assert table.head == 1
    table.wait(LATE_SECONDS[1])
    assert table.head == 1
    assert table.write(late) == Overtaken()


def test_another_append_does_not_wait_for_it(table: Owned) -> None:
    table.write(append(1, 1), "late")
    assert table.write(append(2)) == Durable()
    assert table.write(append(2, 1), "lost") in (NotWritten(), Unknown())
