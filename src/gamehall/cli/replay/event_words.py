"""What has happened at a table, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gamehall.games.game import Event
from gamehall.table_log import house


def event_words(event: Event, names: Mapping[int, str]) -> str:
    """What has happened, in a line; `names` are those of the seats."""
    match event:
        case house.Opened():
            return f"Round {event.round} opens. The commitment is {event.commitment}."
        case house.Seated():
            return f"{event.person.name} sits down."
        case house.SeatsDrawn():
            seats = ", ".join(f"{name} on seat {seat}" for seat, name in sorted(names.items()))
            return f"The draw seats {seats}."
        case house.Started():
            return "The game begins."
        case house.Left():
            return f"{names.get(event.seat)} leaves ({event.reason})."
        case house.RematchWanted():
            return f"{names.get(event.seat)} wants another game."
        case house.ReservationsLapsed():
            return "The time to claim a reserved seat is over."
        case house.RoundEnded():
            winners = " and ".join(str(names.get(seat)) for seat in event.outcome.winners)
            # Where rounds follow by themselves, nobody plays against another.
            nobody = "Nobody won" if event.outcome.again_ms is None else "The round is over"
            result = f"{winners} won" if winners else nobody
            return f"{result} ({event.outcome.reason}). The secret was {event.secret}."
        case house.RoundVoided():
            return f"The round is void ({event.reason}). The secret was {event.secret}."
        case house.Closed():
            return f"The table closes ({event.reason})."
    return _game_words(event, names)


def _game_words(event: Event, names: Mapping[int, str]) -> str:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    what = str(fields.pop("type")).replace("_", " ")
    fields.pop("at_ms", None)
    seat = fields.pop("seat", None)
    who = f"{names.get(seat, f'seat {seat}')}: " if isinstance(seat, int) else ""
    details = "".join(
        f" {name}={msgspec.json.encode(value).decode()}" for name, value in fields.items()
    )
    return f"{who}{what}{details}"
