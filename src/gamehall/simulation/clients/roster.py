"""Who comes to which door."""

from __future__ import annotations

from gamehall.simulation.clients.bettor import Bettor
from gamehall.simulation.clients.client import Client

VISITORS: dict[str, type[Client]] = {kind.door: kind for kind in (Bettor,)}
"""The clients of every door but the native one, by its name."""
