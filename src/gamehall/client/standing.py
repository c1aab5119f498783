"""What the hall forgets when a connection ends, so that a client asks for it again on the next."""

from __future__ import annotations

from typing import Any


class Standing:
    """Tables that are watched, the lobby, and wait lists. Told of every request once answered."""

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
