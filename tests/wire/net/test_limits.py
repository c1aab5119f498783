"""The gate and the deadlines, by themselves."""

from __future__ import annotations

import pytest

from gamehall.limits import Gate, Limits
from gamehall.wire.net import keeper
from gamehall.wire.net.keeper import Deadlines


def test_the_gate_counts_by_address_and_in_all() -> None:
    gate = Gate(Limits(connections=3, connections_per_address=2))
    assert gate.admit("a") is None
    assert gate.admit("a") is None
    assert "address" in (gate.admit("a") or "")
    assert gate.admit("b") is None
    assert "full" in (gate.admit("c") or "")
    gate.release("a")
    assert gate.admit("c") is None
    assert len(gate) == 3
    for address in "abc":
        gate.release(address)
    assert len(gate) == 0
    with pytest.raises(KeyError):
        gate.release("a")


def test_zero_switches_the_gate_off() -> None:
    gate = Gate(Limits(connections=0, connections_per_address=0))
    assert all(gate.admit("a") is None for _ in range(1000))


def test_deadlines_expire_in_order_and_only_what_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(keeper, "monotonic", lambda: now)
    expired: list[str] = []
    deadlines: Deadlines[str] = Deadlines(10, expired.append)
    deadlines.add("first")
    now = 105.0
    deadlines.add("second")
    deadlines.add("kept")
    deadlines.discard("kept")
    deadlines.sweep(112.0)
    assert expired == ["first"]
    deadlines.sweep(116.0)
    assert expired == ["first", "second"]
    assert len(deadlines) == 0


def test_zero_seconds_are_for_ever() -> None:
    deadlines: Deadlines[str] = Deadlines(0, lambda _: None)
    deadlines.add("for ever")
    assert len(deadlines) == 0
