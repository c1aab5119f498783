"""What a client follows: tables, so that each event reaches the caller once and in order, and what
else the hall tells a connection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Verdict = Literal["pass", "drop", "gap"]

SEQUENCED = frozenset({"table_view", "table_events", "table_over", "player_left"})
"""Notices that are part of a table's story, and are told again when it is resumed."""


class Following(msgspec.Struct, eq=False):
    """One table. `judge` says for each notice whether it is passed on."""

    seq: int | None = None
    """The last row that was told of; None: whatever comes next is where the story begins."""
    resuming: bool = False
    """Whether `resume` is on its way: its answer covers all that comes before it."""
    _over_seq: int = 0
    _over: set[str] = set()

    def judge(self, action: str, payload: Mapping[str, Any]) -> Verdict:
        """`gap`: something is missing before this notice, so `resume` has to be sent."""
        if self.resuming:
            return "drop"
        match action:
            case "table_view":
                return self._view(payload["seq"])
            case "table_events":
                return self._events(payload["seq"], payload["after"])
            case "table_over":
                return self._ended(payload["seq"], payload["secret"])
        return "pass"

    def resumed(self, missed: int | None) -> None:
        """The answer to `resume` has come; without a number, a view follows that counts."""
        self.resuming = False
        if missed is None:
            self.seq = None

    def _view(self, seq: int) -> Verdict:
        if self.seq is not None and seq < self.seq:
            return "drop"
        self.seq = seq
        return "pass"

    def _events(self, seq: int, after: int) -> Verdict:
        if self.seq is not None and seq <= self.seq:
            return "drop"
        if self.seq is not None and after > self.seq:
            return "gap"
        self.seq = seq
        return "pass"

    def _ended(self, seq: int, secret: str) -> Verdict:
        """An end comes behind the events it rests on, with the same `seq`."""
        if self.seq is not None and seq > self.seq:
            return "gap"
        if seq > self._over_seq:
            self._over_seq, self._over = seq, set()
        # One beat can end several rounds; each has a secret of its own.
        if seq < self._over_seq or secret in self._over:
            return "drop"
        self._over.add(secret)
        return "pass"


class Tables(dict[int, Following]):
    """All tables that a client follows, as a player or as a spectator."""

    def follow(self, table: int) -> Following:
        return self.setdefault(table, Following())

    def judge(self, action: str, payload: Mapping[str, Any], player: int) -> Verdict:
        """As Following's; what never belongs to a table's story passes."""
        if action not in SEQUENCED:
            return "pass"
        table = payload["table"]
        verdict = self.follow(table).judge(action, payload)
        if verdict == "pass" and _is_last(action, payload, player):
            self.pop(table, None)
        return verdict


def _is_last(action: str, payload: Mapping[str, Any], player: int) -> bool:
    """Whether nothing more will be told of this table."""
    if action == "table_events":
        return any(event["type"] == "closed" for event in payload["events"])
    return action == "player_left" and payload["player"] == player


class Subscriptions:
    """What the hall forgets when a connection ends, so that a client asks for it again on the next:
    tables that are watched, the lobby, and wait lists. Told of every request once answered."""

    def __init__(self) -> None:
        self._requests: dict[str, tuple[str, dict[str, Any]]] = {}

    def requests(self) -> list[tuple[str, str, dict[str, Any]]]:
        """A key for `drop`, the action and the payload of each."""
        return [(key, action, payload) for key, (action, payload) in self._requests.items()]

    def drop(self, key: str) -> None:
        self._requests.pop(key, None)

    def answered(self, action: str, payload: dict[str, Any]) -> None:
        match action:
            case "watch":
                self._requests[f"watch {payload['table']}"] = (action, payload)
            case "unwatch":
                self.drop(f"watch {payload['table']}")
            case "watch_lobby":
                self._requests["lobby"] = (action, payload)
            case "unwatch_lobby":
                self.drop("lobby")
            case "seek":
                self._requests[f"seek {payload}"] = (action, payload)
            case "cancel_seek":
                self.drop_seeks(payload.get("game"))
            case "sit":
                self.drop(f"watch {payload['table']}")
                self.drop_seeks()
            case "logout":
                self._requests.clear()

    def drop_seeks(self, game: str | None = None) -> None:
        for key, action, payload in self.requests():
            if action == "seek" and game in (None, payload["game"]):
                self.drop(key)


def goes_on(view: Mapping[str, Any]) -> bool:
    """Whether the next round of a `table_view` opens by itself."""
    return view["outcome"] is not None and view["outcome"].get("again_ms") is not None
