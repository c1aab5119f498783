"""What all tests of nodes in one process share."""

from __future__ import annotations

import pytest

from gamehall.hall.nodes import nodes


@pytest.fixture(autouse=True)
def _nodes_hear_of_each_other_several_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though their leases are long."""
    monkeypatch.setattr(nodes, "RENEWALS", 16)
