"""Challenges between people at different nodes: what their nodes say to each other.

Everything may be lost: then a challenge runs out at each node by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from gamehall.errors import HallError, NoSuchChallenge, NoSuchPlayer, TooMany, Unavailable
from gamehall.hall.lobby.challenge_book import (
    Accept,
    Accepted,
    Accepting,
    Challenge,
    ChallengeBook,
    Offer,
    Offered,
    Opened,
    Over,
    StillOpen,
)
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Answering, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.notices import Notice
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.holds import ASK_SECONDS, HOLD_MS, OPEN_MS, Held, Holds

ACCEPT_SECONDS = ASK_SECONDS + OPEN_MS / 1000


class Home(Protocol):
    """The challenges of this node, as the others need them."""

    def open(
        self, sender: Online, target: Online, game: str, options: dict[str, Any], asked_at: str
    ) -> Challenge: ...
    def add(self, challenge: Challenge) -> None: ...
    async def accept(self, online: Online, id: int) -> int: ...
    def reopen(self, challenge: Challenge) -> None: ...
    def end(
        self, challenge: Challenge, by: int = 0, reason: str = "", *, pass_on: bool = True
    ) -> None: ...
    def lose(self, challenge: Challenge) -> None: ...
    def player_changed(self, online: Online) -> None: ...


class _Offering:
    """A challenge that its target's node is being asked for."""

    __slots__ = ("early", "game", "options")

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game = game
        self.options = options
        self.early: list[Notice] = []
        """What the sender is told when it knows the challenge's id."""


class ChallengeTalk:
    def __init__(
        self,
        *,
        exchange: Exchange,
        nodes: Nodes,
        players: Players,
        holds: Holds,
        clock: Clock,
        book: ChallengeBook,
        home: Home,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        before_telling: Callable[[], None],
    ) -> None:
        self._exchange = exchange
        self._players = players
        self._holds = holds
        self._clock = clock
        self._book = book
        self._home = home
        self._spawn = spawn
        self._offering: dict[tuple[int, int], _Offering] = {}
        """By sender and target."""
        self._before_telling = before_telling
        nodes.on_gone.append(self._node_gone)
        exchange.answer("offer", Offer, self._asked_for)
        exchange.on("challenge_opened", Opened, self._hear_opened)
        exchange.on("challenge_over", Over, self._hear_over)
        exchange.answer("accept", Accept, self._asked_to_accept)
        exchange.answer("accepting", Accepting, self._asked_to_hold)
        exchange.on("still_open", StillOpen, self._hear_still_open)

    # The sender's node

    def count_offered(self, online: Online) -> int:
        return sum(sender == online.player.id for sender, _ in self._offering)

    async def offer(
        self, node: str, sender: Online, target: Online, game: str, options: dict[str, Any]
    ) -> int | Challenge:
        """The id of a new challenge, known here too; or the one that it has crossed."""
        pair = (sender.player.id, target.player.id)
        if pair in self._offering:
            raise TooMany("You have challenged this player already.")
        offering = self._offering[pair] = _Offering(game, options)
        answer: asyncio.Future[Offered | HallError] = asyncio.get_running_loop().create_future()

        def answered(said: Offered | HallError) -> None:
            # At once: what is heard next may be how it ended.
            if isinstance(said, Offered) and said.challenge:
                known = (sender, target, game, options, said.due_ms, node, self._exchange.node)
                self._know(Challenge(said.challenge, *known))
            if not answer.done():
                answer.set_result(said)

        self._before_telling()
        offer = Offer(*pair, game, options)
        self._exchange.ask(node, "offer", offer, Offered, answered, ASK_SECONDS)
        try:
            offered = await answer
        finally:
            del self._offering[pair]
            if offering.early:
                asyncio.get_running_loop().call_soon(_tell_all, sender, offering.early)
        if isinstance(offered, HallError):
            raise offered
        if offered.challenge:
            return offered.challenge
        for challenge in self._book.of(sender):
            if challenge.sender is target and not challenge.accepting:
                return challenge
        raise Unavailable

    def early(self, challenge: Challenge) -> list[Notice] | None:
        """Takes what the sender is told, as long as it does not know the challenge's id."""
        pair = (challenge.sender.player.id, challenge.target.player.id)
        offering = self._offering.get(pair)
        here = challenge.asked_at == self._exchange.node
        return offering.early if offering is not None and here else None

    def _asked_to_hold(self, node: str, asked: Accepting, reply: Answering) -> None:
        challenge = self._book.get(asked.challenge)
        if challenge is None or challenge.home != node:
            raise NoSuchChallenge  # Withdrawn, say.
        challenge.accepting = True
        self._spawn(self._hold(challenge, asked.origin, reply))

    async def _hold(self, challenge: Challenge, origin: str, reply: Answering) -> None:
        until_ms = self._clock.now_ms() + HOLD_MS
        self._clock.call_at(until_ms, lambda: self._maybe_reopen(challenge))
        try:
            await self._holds.hold((challenge.sender,), origin, challenge.home)
        except HallError as error:
            self._maybe_reopen(challenge)
            reply(error)
        else:
            reply(Held())

    def _hear_still_open(self, node: str, said: StillOpen) -> None:
        challenge = self._book.get(said.challenge)
        if challenge is not None and challenge.home == node:
            self._maybe_reopen(challenge)

    def _maybe_reopen(self, challenge: Challenge) -> None:
        if self._book.get(challenge.id) is challenge and challenge.accepting:
            self._home.reopen(challenge)

    # Its home: a node of the target

    def _asked_for(self, node: str, offer: Offer, reply: Answering) -> None:
        sender = self._players.online.get(offer.sender)
        target = self._players.online.get(offer.target)
        if target is None or not target.links:
            raise NoSuchPlayer
        if sender is None:
            raise Unavailable  # Not heard of yet.
        mine = self._offering.get((offer.target, offer.sender))
        crosses = mine is not None and (mine.game, mine.options) == (offer.game, offer.options)
        if crosses and offer.target < offer.sender:
            # Both nodes are asked at once: that of the lower id lets its player's offer stand.
            reply(Offered(0))
            return
        challenge = self._home.open(sender, target, offer.game, offer.options, node)
        reply(Offered(challenge.id, challenge.due_ms))

    def spread(self, challenge: Challenge) -> None:
        """Has every node of the two know it."""
        if challenge.home != self._exchange.node:
            return
        nodes = {challenge.asked_at, *challenge.sender.elsewhere, *challenge.target.elsewhere}
        nodes -= challenge.told | {self._exchange.node}
        challenge.told |= nodes
        opened = Opened(
            challenge.id,
            challenge.sender.player.id,
            challenge.target.player.id,
            challenge.game,
            challenge.options,
            challenge.due_ms,
            challenge.asked_at,
        )
        self._exchange.tell_each(nodes, "challenge_opened", opened)

    async def hold_sender(self, challenge: Challenge, origin: str) -> bool:
        """Whether the node that the sender has asked holds it now; False if that is this one."""
        if challenge.asked_at == self._exchange.node:
            return False
        asked = Accepting(challenge.id, origin)
        node = challenge.asked_at
        await self._exchange.question(node, "accepting", asked, Held, ASK_SECONDS)
        return True

    def still_open(self, challenge: Challenge) -> None:
        self._exchange.tell(challenge.asked_at, "still_open", StillOpen(challenge.id))

    def _asked_to_accept(self, node: str, asked: Accept, reply: Answering) -> None:
        challenge = self._book.get(asked.challenge)
        if challenge is None or challenge.home != self._exchange.node:
            raise NoSuchChallenge
        if challenge.target.player.id != asked.player:
            raise NoSuchChallenge
        self._spawn(self._accept(challenge, reply))

    async def _accept(self, challenge: Challenge, reply: Answering) -> None:
        try:
            reply(Accepted(await self._home.accept(challenge.target, challenge.id)))
        except HallError as error:
            reply(error)

    # Every node of the two

    async def accept(self, challenge: Challenge) -> int:
        """The table that its home has opened."""
        asked = Accept(challenge.id, challenge.target.player.id)
        accepted = await self._exchange.question(
            challenge.home, "accept", asked, Accepted, ACCEPT_SECONDS
        )
        return accepted.table

    def tell_over(self, challenge: Challenge, over: Over) -> None:
        home = challenge.home
        nodes = challenge.told if home == self._exchange.node else (home,)
        self._exchange.tell_each(nodes, "challenge_over", over)

    def _hear_opened(self, node: str, opened: Opened) -> None:
        sender = self._players.online.get(opened.sender)
        target = self._players.online.get(opened.target)
        if sender is not None and target is not None:
            known = (sender, target, opened.game, opened.options, opened.due_ms, node)
            self._know(Challenge(opened.challenge, *known, opened.asked_at))

    def _know(self, challenge: Challenge) -> None:
        if self._book.get(challenge.id) is not None:
            return
        self._home.add(challenge)
        for side in (challenge.sender, challenge.target):
            # It may have gone or sat down meanwhile.
            self._home.player_changed(side)

    def _hear_over(self, node: str, over: Over) -> None:
        challenge = self._book.get(over.challenge)
        if challenge is None:
            return
        if challenge.home == node:
            self._home.end(challenge, over.by, over.reason, pass_on=False)
        elif node in challenge.told and not challenge.accepting:
            self._home.end(challenge, over.by, over.reason)

    def _node_gone(self, node: str) -> None:
        for challenge in self._book.all():
            challenge.told.discard(node)
            if challenge.home == node:
                self._home.lose(challenge)
            elif challenge.asked_at == node and not challenge.accepting:
                self._home.end(challenge, challenge.sender.player.id, "gone")


def _tell_all(online: Online, notices: list[Notice]) -> None:
    for link in tuple(online.links):
        for notice in notices:
            link.tell(notice)
