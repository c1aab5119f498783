"""A player who comes back while the store is in trouble is asked to register again, and can."""

from __future__ import annotations

from unittest.mock import patch

from gamehall.errors import Unavailable
from gamehall.hall.people.guests import Guests
from gamehall.simulation.run import Run
from gamehall.simulation.step import Step
from gamehall.simulation.story import Story
from gamehall.store.people import Player

is_seated = Guests.is_seated


def test_registering_again() -> None:
    refused: list[Player] = []

    async def refuse_once(self: Guests, player: Player) -> bool:
        online = self._players.online.get(player.id)
        if online is not None and online.links and not refused:
            refused.append(player)
            raise Unavailable
        return await is_seated(self, player)

    deeds = [(0.5, "act"), (0.7, "act"), (1.5, "hang up")]
    run = Run(Story(1, 1, ("nele", "otto"), tuple(Step(at, "nele", it, 0.5) for at, it in deeds)))
    with patch.object(Guests, "is_seated", refuse_once):
        run.play()
    assert refused
