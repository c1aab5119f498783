"""Requests that are sent again: in flight they join the first, later they get its answer."""

from __future__ import annotations

from gamehall.bus.bus import Ask, Done
from gamehall.errors import BadRequest, Unavailable
from gamehall.store.store import Request

JOINED_MAX = 16
"""How often one request may be repeated while it is in flight."""
OTHER_CONTENT = "This request id was used before, with other content."


class RoundRequests:
    """The requests of one table's running round. A refusal is not remembered: it had no effect."""

    __slots__ = ("_answered", "_flying")

    def __init__(self) -> None:
        self._flying: dict[tuple[int, str], tuple[Ask, ...]] = {}
        """Those on their way, each with the asks that repeat it."""
        self._answered: dict[tuple[int, str], tuple[bytes, Done]] = {}

    def joins(self, ask: Ask, request: Request) -> bool:
        """Whether the same request is in flight; then `ask` waits for its answer."""
        key = (request.player, request.id)
        flying = self._flying.get(key)
        if flying is None:
            self._flying[key] = ()
            return False
        if len(flying) >= JOINED_MAX:
            ask.reply(Unavailable())
        else:
            self._flying[key] = (*flying, ask)
        return True

    def knows(self, player: int, id: str) -> bool:
        return (player, id) in self._answered or (player, id) in self._flying

    def release(self, ask: Ask) -> tuple[Ask, ...]:
        """The asks that repeated this one, which is in flight no more."""
        if ask.request is None:
            return ()
        return self._flying.pop((ask.request.player, ask.request.id), ())

    def answer(self, request: Request) -> Done | None:
        """What this request was answered. Raises BadRequest if its content was another."""
        known = self._answered.get((request.player, request.id))
        if known is None:
            return None
        digest, answer = known
        if digest != request.digest:
            raise BadRequest(OTHER_CONTENT)
        return answer

    def remember(self, request: Request, answer: Done) -> None:
        self._answered[(request.player, request.id)] = (request.digest, answer)

    def forget(self) -> None:
        """A new round: its requests are another scope."""
        self._answered.clear()
