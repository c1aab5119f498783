"""The suite of buses, for a hall of one process."""

from __future__ import annotations

import pytest

from gamehall.bus.local import LocalBus
from tests.contract.bus_contract import BusContract, NewBus


class TestContract(BusContract):
    @pytest.fixture
    def new_bus(self) -> NewBus:
        return LocalBus


def test_it_is_alone() -> None:
    assert LocalBus().alone
