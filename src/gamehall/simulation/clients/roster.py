"""Who comes to which door."""

from __future__ import annotations

from gamehall.simulation.clients.bettor import Bettor, RoomBettor
from gamehall.simulation.clients.caller import Caller
from gamehall.simulation.clients.challenger import Challenger
from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.duellist import Duellist
from gamehall.simulation.clients.game_server import GameServer
from gamehall.simulation.clients.stone_player import StonePlayer
from gamehall.simulation.clients.watcher import Watcher

KINDS: dict[str, type[Client]] = {
    kind.door: kind
    for kind in (
        Bettor,
        RoomBettor,
        Caller,
        Challenger,
        Duellist,
        Watcher,
        StonePlayer,
        GameServer,
    )
}
"""The clients of every door but the native one, by its name."""
