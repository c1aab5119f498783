"""Requests that are sent again: in flight they join the first, later they get its answer.

An id counts at its table for as long as there is one, or in one round alone (`Request.by_round`).
The running round and the one before are in memory, with their answers; of what lies further back
memory has ids alone, and only of those who ask. The rest is in the journal (recalling.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gamehall.errors import BadRequest, Unavailable
from gamehall.hall.beat.requests import Ask, Done
from gamehall.store.appends import Request

JOINED_MAX = 16
"""How often one request may be repeated while it is in flight."""
IDS_MAX = 1000
"""Ids of one player's earlier requests in memory; of one who has more, each is looked up."""
ALL_IDS_MAX = 20_000
"""Those of all players at one table; with more, all are read again."""
NOTED_MAX = 20_000
"""Players whose last note is remembered."""
OTHER_CONTENT = "This request id was used before, with other content."

_Answers = dict[tuple[int, str], tuple[Request, Done]]


class NotInMemory(Exception):
    """Only the journal can tell whether a request was answered before."""


@dataclass(slots=True, eq=False, repr=False)
class RoundRequests:
    """The requests of a table, as far as they are in memory.

    A refusal is not remembered: it had no effect.
    """

    round: int = 0
    """The running one."""
    _flying: dict[tuple[int, str], tuple[Ask, ...]] = field(default_factory=dict)
    """Those on their way, each with the asks that repeat it."""
    _answered: _Answers = field(default_factory=dict)
    _before: _Answers | None = None
    """Those of the round before, unless they were never here."""
    _earlier: dict[int, set[str] | None] = field(default_factory=dict)
    """By player, ids that count at the table, from rounds before those; None for too many."""
    _noted: dict[int, tuple[Request, Done]] = field(default_factory=dict)
    """By player, what was noted last: no journal has it."""

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

    def repeating(self, ask: Ask) -> tuple[Ask, ...]:
        """The asks that repeat this one, which is in flight."""
        request = ask.request
        return () if request is None else self._flying.get((request.player, request.id), ())

    # What was answered

    def answer(self, ask: Ask, request: Request, open_round: int) -> Done | None:
        """What this request was answered; None if it is new.

        Raises:
            BadRequest: its content was another.
            NotInMemory
        """
        key, by_round = (request.player, request.id), request.by_round
        first, last = scope(ask, request, open_round) if by_round else (1, open_round)
        if last < 1:
            return None  # There is no such round, as the rules will say.
        found = None
        if by_round or self.round <= last:
            found = self._answered.get(key)
            if found is not None and by_round and not first <= found[1].round <= last:
                found = None  # Unlike the row that ends a round and opens the next.
        if found is None and self._before and first < self.round <= last + 1:
            found = self._before.get(key)
            if found is not None and found[0].by_round and not by_round:
                found = None
        if found is not None:
            return same(found[0], request, found[1])
        oldest = self.round if self._before is None else self.round - 1
        if first < oldest and not ask.looked_back and self.may_be_earlier(request):
            raise NotInMemory
        return None

    def may_be_earlier(self, request: Request) -> bool:
        """Whether it may have been answered in a round that is not in memory."""
        if request.by_round:
            return True
        earlier = self._earlier.get(request.player)
        return earlier is None or request.id in earlier

    def recent(self, request: Request) -> Done | None:
        """What this request was answered, in the running round or the one before."""
        key = (request.player, request.id)
        found = self._answered.get(key) or (self._before or {}).get(key)
        return None if found is None else same(found[0], request, found[1])

    def caused(self, request: Request, seq: int) -> Done | None:
        """The answer that lies in this row, if it is of the running round or the one before."""
        key = (request.player, request.id)
        for answered in (self._answered, self._before or {}):
            found = answered.get(key)
            if found is not None and found[1].seq == seq:
                return found[1]
        return None

    def remember(self, request: Request, answer: Done) -> None:
        self._answered[(request.player, request.id)] = (request, answer)

    def noted(self, request: Request) -> Done | None:
        """What a request was answered that is only noted. Raises BadRequest."""
        found = self._noted.get(request.player)
        if found is not None and found[0].id == request.id:
            return same(found[0], request, found[1])
        return self.recent(request)

    def remember_note(self, request: Request, answer: Done) -> None:
        if len(self._noted) >= NOTED_MAX:
            self._noted.clear()
        self._noted[request.player] = (request, answer)

    # What lies further back

    def has_earlier(self, player: int) -> bool:
        """Whether ids of this player's earlier requests were read."""
        return player in self._earlier

    def take_earlier(self, player: int, ids: list[str]) -> None:
        """Takes the ids of a player's requests in rounds before the running one."""
        if sum(1 + len(known or ()) for known in self._earlier.values()) > ALL_IDS_MAX:
            self._earlier.clear()
        self._earlier[player] = set(ids) if len(ids) <= IDS_MAX else None

    def succeed(self, other: RoundRequests) -> None:
        """Remembers what another has remembered."""
        self.round = other.round
        self._answered, self._before = other._answered, other._before
        self._earlier, self._noted = other._earlier, other._noted

    def next_round(self, round: int) -> None:
        """A round opens: what is remembered from now on belongs to it."""
        if self._earlier:
            self._keep_ids(self._before or {})
        # The first round that is loaded has others before it, which are in the journal alone.
        self._before = self._answered if round == self.round + 1 else None
        self._answered = {}
        self.round = round

    def _keep_ids(self, answers: _Answers) -> None:
        """Those of the players whose ids are here."""
        for (player, id), (request, _) in answers.items():
            known = self._earlier.get(player)
            if known is not None and not request.by_round:
                known.add(id)
                if len(known) > IDS_MAX:
                    self._earlier[player] = None


def scope(ask: Ask, request: Request, open_round: int) -> tuple[int, int]:
    """The first and the last round in which this request may have been answered."""
    if not request.by_round:
        return 1, open_round
    named = ask.named_round
    if named is not None:
        return named, named
    if ask.again:
        return max(1, ask.since or open_round - 1), open_round
    return open_round, open_round


def same(first: Request, request: Request, answer: Done) -> Done:
    """The answer of the first one, which this one repeats. Raises BadRequest if it does not."""
    if first.digest != request.digest:
        raise BadRequest(OTHER_CONTENT)
    return answer
