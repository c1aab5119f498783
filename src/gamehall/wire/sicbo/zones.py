"""The zones of the `mario` door: the lobby, and one for each game, all named by one rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gamehall.games.game import Game


class Zone(msgspec.Struct, frozen=True):
    name: str
    plugin: str
    game: str
    """Empty for the lobby, where none is played."""

    @property
    def group(self) -> str:
        """The one kind of room that the zone has: `CONNECT_FOUR`."""
        return self.game.upper().replace("-", "_")


LOBBY = Zone("LOBBY", "LOBBY", "")
"""Gives out tokens for the zones of games."""


def zone_of(game: str) -> Zone:
    """`connect-four` is played in `ConnectFourZone`, with the plugin `connectFourPlugin`."""
    first, *rest = game.split("-")
    words = "".join(word.capitalize() for word in rest)
    return Zone(f"{first.capitalize()}{words}Zone", f"{first}{words}Plugin", game)


def zones_of(games: Iterable[Game[Any]]) -> dict[str, Zone]:
    """The lobby and the zones of these games, by name."""
    zones = [LOBBY, *(zone_of(game.name) for game in games)]
    return {zone.name: zone for zone in zones}
