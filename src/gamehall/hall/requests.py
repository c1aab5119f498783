"""Requests that are sent again: in flight they join the first, later they get its answer."""

from __future__ import annotations

from gamehall.errors import BadRequest, Unavailable
from gamehall.hall.asks import Ask, Done
from gamehall.store.store import Request

JOINED_MAX = 16
"""How often one request may be repeated while it is in flight."""
OTHER_CONTENT = "This request id was used before, with other content."


class RoundRequests:
    """The requests of a table's running round, and of the one before.

    A refusal is not remembered: it had no effect.
    """

    __slots__ = ("_answered", "_before", "_flying")

    def __init__(self) -> None:
        self._flying: dict[tuple[int, str], tuple[Ask, ...]] = {}
        """Those on their way, each with the asks that repeat it."""
        self._answered: dict[tuple[int, str], tuple[bytes, Done]] = {}
        self._before: dict[tuple[int, str], tuple[bytes, Done]] = {}
        """Those of the round before: rounds that open by themselves do not wait for a retry."""

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

    def answer(self, request: Request, *, before: bool = False) -> Done | None:
        """What this request was answered, in this round or the one before.

        Raises:
            BadRequest: its content was another.
        """
        answered = self._before if before else self._answered
        known = answered.get((request.player, request.id))
        if known is None:
            return None
        digest, answer = known
        if digest != request.digest:
            raise BadRequest(OTHER_CONTENT)
        return answer

    def remember(self, request: Request, answer: Done) -> None:
        self._answered[(request.player, request.id)] = (request.digest, answer)

    def succeed(self, other: RoundRequests) -> None:
        """Remembers what another has remembered."""
        self._answered, self._before = other._answered, other._before

    def next_round(self) -> None:
        """A new round: its requests are another scope."""
        self._before, self._answered = self._answered, {}
