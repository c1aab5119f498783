"""The lead's desk: who waits, who challenges whom, and who plays whom. It alone decides.

    a person's node  --wish-->  the lead's desk  --told-->  the nodes of the people concerned

A wish is a question to the lead (`messages.Wish`): wait for a game, challenge, accept, refuse,
withdraw. The desk decides it at once, in memory. When it pairs two people it holds both, so that
nobody is brought to two tables, and names the node that opens the table: of those who wait, the
node of the second; of a challenge, the node that accepts. When the table is there, that node asks
whether it still stands (`Begin`), and tells everyone what came of it (`Outcome`).

Nothing here is durable. Each node keeps what its own people wait for and says all of it every
second (`Again`): a new lead takes it up from there, unless it is over (`Ends`). A node that has
missed the end of a challenge, or its beginning, is told again. What follows from a pairing, a
table, is durable: its origin opens one table only, at any node.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass

import msgspec

from gamehall.errors import NoSuchChallenge, NoSuchPlayer, NotFree, TooMany, Unavailable
from gamehall.hall.lobby.challenge_book import ChallengeBook
from gamehall.hall.lobby.messages import (
    Again,
    Answer,
    Begin,
    Challenge,
    Heard,
    Noted,
    Over,
    Pairing,
    Propose,
    Proposed,
    SeekKey,
    Seeks,
    TakeUp,
    Wish,
)
from gamehall.hall.lobby.pairings import ABOUT_TO_BEGIN, Pairings, Tell
from gamehall.hall.lobby.seek_book import SeekBook
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.exchange import Body
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.holds import Holds

PAIR = "pair:"
"""How the origins of tables begin for those who waited."""
CHALLENGES_MAX = 16
"""Challenges that one player may have sent, and as many that it may have received."""
TAKEN_UP_MAX = 100
"""Challenges that a new lead asks a node for at once."""
ID_BITS = 52
"""So that no two leads make the same, and none from before a restart names anything."""


class _Case(msgspec.Struct, eq=False):
    """An open challenge, as the lead has it."""

    alarm: Alarm
    accepted: bool = False
    """A table is being opened for it."""
    nodes: set[str] = set()
    """Those that were told of it."""


@dataclass(eq=False, repr=False)
class Desk:
    _nodes: Nodes
    _players: Players
    _holds: Holds
    _clock: Clock
    _tell: Tell
    _find_ends: Callable[[Sequence[Challenge]], Awaitable[list[Over]]]
    """Of challenges that this node has not seen begin."""
    _: KW_ONLY
    challenge_seconds: float
    """After which a challenge that nobody has answered is over."""

    def __post_init__(self) -> None:
        self._pairings = Pairings(
            self._nodes, self._players, self._holds, self._clock, self._tell, self._hear_outcome
        )
        self.hear_outcome = self._pairings.hear
        self.clear()

    def clear(self) -> None:
        """Forgets everything: another node may lead."""
        self._seeks = SeekBook()
        self._book = ChallengeBook(self._clock)
        self._cases: dict[int, _Case] = {}
        self._pairings.clear()

    def decide(self, node: str, asked: Wish) -> Body:
        """The answer to a node's wish. Raises HallError."""
        match asked.wish:
            case Seeks() as seeks:
                given_up = {*self._seeks.of(seeks.player, node)} - {*seeks.keys}
                # What its node says is noted, also if it is too late to cancel.
                self._wait(node, seeks)
                self._give_up(seeks.player, given_up)
                return Noted()
            case Propose() as propose:
                return self._propose(node, propose)
            case Answer() as answer:
                challenge = self._answered(answer)
                if answer.deed == "accept":
                    return self._accept(node, challenge)
                reason = "refused" if answer.deed == "refuse" else "withdrawn"
                return self._end(challenge, answer.player, reason)
            case Begin(origin):
                self._pairings.begin(node, origin)
                return Noted()
            case Again() as again:
                return self._hear_again(node, again)

    # Who waits

    def _give_up(self, player: int, keys: set[SeekKey]) -> None:
        """It does not wait for these any more. Raises NotFree: its game has begun."""
        online = self._players.online.get(player)
        if keys and online is not None and online.playing:
            raise NotFree(ABOUT_TO_BEGIN)  # Its node may not have heard of that yet.
        self._pairings.cancel(player, keys)

    def _wait(self, node: str, seeks: Seeks) -> None:
        for key in self._seeks.set(node, seeks):
            self._pair(key)

    def _pair(self, key: SeekKey) -> None:
        free: dict[int, str] = {}
        for player, node in self._seeks.waiting(key):
            online = self._players.online.get(player)
            if online is not None and online.free:
                free.setdefault(player, node)
        people = list(free)
        for first, second in zip(people[::2], people[1::2], strict=False):
            origin = f"{PAIR}{secrets.token_hex(12)}"
            pairing = Pairing(origin, (first, second), free[second], key)
            self._pairings.start(pairing)
            # The second may have said so at a node that it has left since, for another.
            self._tell(self._pairings.nodes_of(pairing.people) | {pairing.by}, pairing)

    # Challenges

    def _hear_outcome(self, pairing: Pairing, opened: bool) -> None:
        challenge, case = self._book.get(pairing.challenge), self._cases.get(pairing.challenge)
        if challenge is None or case is None:
            return
        case.accepted = False
        if opened:
            self._forget(Over(challenge.id, 0, ""))
        else:
            # What was put off meanwhile is done now.
            self._maybe_expire(challenge)
            self._look_at(challenge)

    def _propose(self, node: str, asked: Propose) -> Proposed:
        sender, target = (self._players.online.get(p) for p in (asked.sender.id, asked.target))
        if target is None or not target.here:
            raise NoSuchPlayer
        if sender is None or not sender.here:
            raise Unavailable  # Not heard of yet.
        if not target.challengeable:
            raise NotFree
        if not target.can_answer(asked.game, asked.options, usual=asked.usual):
            raise NotFree("This player's program cannot play that.")
        mine = self._book.of(asked.sender.id)
        for other in self._book.of(asked.target):
            if other.people == (asked.sender.id, asked.target):
                raise TooMany("You have challenged this player already.")
            crosses = other.people == (asked.target, asked.sender.id)
            same = (other.game, other.options) == (asked.game, asked.options)
            is_open = not self._cases[other.id].accepted and not self._is_due(other)
            if crosses and same and is_open:
                return Proposed(other, self._accept(node, other))
        if sum(each.sender.id == asked.sender.id for each in mine) >= CHALLENGES_MAX:
            raise TooMany
        received = sum(each.target.id == asked.target for each in self._book.of(asked.target))
        if received >= CHALLENGES_MAX:
            raise NotFree("This player has too many challenges to answer. Try again later.")
        id = 0
        while id == 0 or id in self._book or self._book.ended(id):
            id = secrets.randbits(ID_BITS)
        due_ms = self._clock.now_ms() + int(self.challenge_seconds * 1000)
        challenge = Challenge(id, asked.sender, target.player, asked.game, asked.options, due_ms)
        self._open(challenge).nodes.add(node)
        self._spread(challenge)
        return Proposed(challenge)

    def _open(self, challenge: Challenge) -> _Case:
        self._book.add(challenge)
        alarm = self._clock.call_at(challenge.due_ms, lambda: self._maybe_expire(challenge))
        case = self._cases[challenge.id] = _Case(alarm)
        return case

    def _spread(self, challenge: Challenge) -> None:
        """Tells every node of the two."""
        case = self._cases[challenge.id]
        nodes = self._pairings.nodes_of(challenge.people) - case.nodes
        case.nodes |= nodes
        self._tell(nodes, challenge)

    def _answered(self, answer: Answer) -> Challenge:
        """The challenge, which this player may answer so. Raises NoSuchChallenge."""
        challenge = self._book.get(answer.challenge)
        if challenge is None or self._cases[challenge.id].accepted or self._is_due(challenge):
            raise NoSuchChallenge
        whose = challenge.sender if answer.deed == "withdraw" else challenge.target
        if whose.id != answer.player:
            raise NoSuchChallenge
        return challenge

    def _accept(self, node: str, challenge: Challenge) -> Pairing:
        """Lets the node that accepts open the table: the challenger begins. Raises NotFree."""
        target = self._players.online.get(challenge.target.id)
        if target is None or not target.free:
            raise NotFree("Finish your game first, or leave it.")
        key = SeekKey(challenge.game, msgspec.json.encode(challenge.options), False)
        pairing = Pairing(challenge.origin, challenge.people, node, key, challenge.id)
        self._pairings.start(pairing)
        self._cases[challenge.id].accepted = True
        self._tell(self._pairings.nodes_of(pairing.people) - {node}, pairing)
        return pairing

    def _maybe_expire(self, challenge: Challenge) -> None:
        case = self._cases.get(challenge.id)
        is_due = self._is_due(challenge) and self._nodes.decides
        if is_due and case is not None and not case.accepted:
            self._end(challenge, 0, "expired")

    def _is_due(self, challenge: Challenge) -> bool:
        """Whether it may have been told that it is over, by any lead."""
        return self._clock.now_ms() >= challenge.due_ms

    def _end(self, challenge: Challenge, by: int, reason: str) -> Over:
        nodes = self._cases[challenge.id].nodes
        over = Over(challenge.id, by, reason)
        self._forget(over)
        self._tell(nodes, over)
        return over

    def _forget(self, over: Over) -> None:
        self._book.end(over)
        self._cases.pop(over.challenge).alarm.cancel()

    def hear_over(self, over: Over) -> bool:
        """Its end was decided before this node led. Whether that stands: if it was accepted anew
        meanwhile, its game may have begun."""
        challenge, case = self._book.get(over.challenge), self._cases.get(over.challenge)
        if challenge is None or case is None:
            return True
        if case.accepted and not self._pairings.call_off(challenge.origin):
            return False
        if over.challenge in self._cases:
            self._end(challenge, over.by, over.reason)
        return True

    def _look_at(self, challenge: Challenge) -> None:
        """Who sits down or goes neither challenges any more nor is challenged."""
        for player in challenge.people:
            case, online = self._cases.get(challenge.id), self._players.online.get(player)
            if case is not None and not case.accepted and (online is None or online.is_out):
                here = online is not None and online.here
                self._end(challenge, player, "playing" if here else "gone")

    # What changes by itself

    def player_changed(self, online: Online) -> None:
        if not self._nodes.decides:
            return
        for challenge in self._book.of(online.player.id):
            self._look_at(challenge)
            if challenge.id in self._cases:
                self._spread(challenge)

    def look_again(self) -> None:
        """Does what could not be done when it was due."""
        if not self._nodes.decides:
            self.clear()
            return
        self._book.forget_old()
        for challenge in self._book.all():
            self._maybe_expire(challenge)
            self._look_at(challenge)
        for key in self._seeks.shared():
            self._pair(key)

    def _hear_again(self, node: str, again: Again) -> Heard:
        self._seeks.remove_node(node, but=[each.player for each in again.seeks])
        for each in again.seeks:
            self._wait(node, each)
        over, unknown = [], []
        for id in again.open:
            if id in self._cases:
                self._cases[id].nodes.add(node)
            elif ended := self._book.ended(id):
                over.append(ended)
            else:
                unknown.append(id)
        self._pairings.find_unheard(node, again.opening)
        known = set(again.open)
        for challenge in self._book.all():
            if node in self._cases[challenge.id].nodes and challenge.id not in known:
                self._tell((node,), challenge)  # It has missed that.
        return Heard(tuple(over), tuple(unknown[:TAKEN_UP_MAX]))

    async def take_up(self, node: str, told: TakeUp) -> Noted:
        """Challenges that are not over go on here. Raises Unavailable: nobody can say so now."""
        book = self._book
        ends = await self._find_ends(told.challenges)
        if book is not self._book or not self._nodes.decides:
            raise Unavailable  # Another may have led meanwhile.
        for over in ends:
            if over.challenge not in book:
                book.remember(over)
        for challenge in told.challenges:
            if challenge.id not in book and not book.ended(challenge.id):
                self._open(challenge).nodes.add(node)
                self._spread(challenge)
        return Noted()

    def node_gone(self, node: str) -> None:
        if node < self._nodes.name:
            self.clear()  # It may have led, after this one.
        self._seeks.remove_node(node)
        for case in self._cases.values():
            case.nodes.discard(node)
        self._pairings.node_gone(node)
