"""Values as they are compared: what can be seen of a table, and of what a state is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gamehall.games.game import Event, Game
from gamehall.table_log.table_state import TableState


def plain(value: object) -> Any:
    """The value after it has been JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def shown(value: object) -> str:
    """The value for a sentence, not too long."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else f"{text[:197]}…"


def sight(game: Game[Any], state: TableState, observer: int | None) -> Any:
    """What this seat, or a spectator, can learn of a running round by coming back to it."""
    legal = [] if observer is None else plain(list(game.legal(state.game, observer)))
    timer = game.timer(state.game)
    clock = None if timer is None else [timer.due_ms, timer.waits_for]
    return {"view": plain(game.view(state.game, observer)), "legal": legal, "clock": clock}


def whole(game: Game[Any], state: TableState) -> Any:
    """All that can be seen of a state by anyone."""
    if state.game is None:
        return None
    sights = [sight(game, state, observer) for observer in (None, *sorted(state.chairs))]
    return [*sights, plain(game.outcome(state.game)), plain(game.points(state.game))]


def told(game: Game[Any], events: tuple[Event, ...], observer: int | None) -> list[Any]:
    """The game's events as this seat, or a spectator, hears of them."""
    heard = []
    for event in events:
        if isinstance(event, game.events):
            inside = observer is not None and observer in set(game.insiders(event))
            heard.append(game.seen(event, observer if inside else None))
    return [plain(event) for event in heard if event is not None]


def anatomy(value: Any, depth: int = 0) -> Any:
    """Of what a value is made, whatever its type, to compare states of two worlds."""
    if depth > 30 or value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value if depth <= 30 else None
    if isinstance(value, Mapping):
        return {repr(key): anatomy(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(repr(anatomy(item, depth + 1)) for item in value)
    if isinstance(value, (list, tuple)):
        return [anatomy(item, depth + 1) for item in value]
    fields = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name):
                fields[name] = getattr(value, name)
    return [type(value).__name__, anatomy(fields, depth + 1)]
