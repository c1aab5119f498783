"""The zones of the `mario` door: one for each game, all named by one rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gamehall.games.game import Game


class Zone(msgspec.Struct, frozen=True):
    name: str
    plugin: str
    game: str


def zone_of(game: str) -> Zone:
    """`connect-four` is played in `ConnectFourZone`, with the plugin `connectFourPlugin`."""
    first, *rest = game.split("-")
    words = "".join(word.capitalize() for word in rest)
    return Zone(f"{first.capitalize()}{words}Zone", f"{first}{words}Plugin", game)


def zones_of(games: Iterable[Game[Any]]) -> dict[str, Zone]:
    """The zones of these games, by name."""
    zones = [zone_of(game.name) for game in games]
    return {zone.name: zone for zone in zones}
