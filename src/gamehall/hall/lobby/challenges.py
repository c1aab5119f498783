"""Who challenges whom: gone with the process, never durable.

What follows from it, a table, is: a challenge opens one table only, by its origin. Each challenge
has one end, and whoever waits for it is told: a game, or why there is none.

A node of the target decides what becomes of a challenge (`Challenge.home`); the other nodes of the
two have a copy, which is over at the same time at the latest, whatever messages are lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from gamehall.errors import (
    BadRequest,
    NoSuchChallenge,
    NoSuchPlayer,
    NotFree,
    TooMany,
)
from gamehall.hall.lobby.challenge_book import Challenge, ChallengeBook, Over
from gamehall.hall.lobby.challenge_talk import ChallengeTalk
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Notice,
)
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.holds import ABOUT_TO_SIT, Holds
from gamehall.hall.seats.seating import Seating
from gamehall.hall.tables.tables import Tables

CHALLENGES_MAX = 16
"""Challenges that one player may have sent, and as many that it may have received."""
ID_BITS = 52
"""So that no two nodes make the same, and none from before a restart names anything."""


class Challenges:
    def __init__(
        self,
        *,
        exchange: Exchange,
        nodes: Nodes,
        players: Players,
        tables: Tables,
        seating: Seating,
        holds: Holds,
        clock: Clock,
        seconds: float,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        before_telling: Callable[[], None],
    ) -> None:
        """`seconds`: after which a challenge that nobody has answered is over."""
        self._players = players
        self._tables = tables
        self._seating = seating
        self._holds = holds
        self._clock = clock
        self._seconds = seconds
        self._node = exchange.node
        self._book = ChallengeBook()
        self.talk = ChallengeTalk(
            exchange=exchange,
            nodes=nodes,
            players=players,
            holds=holds,
            clock=clock,
            book=self._book,
            home=self,
            spawn=spawn,
            before_telling=before_telling,
        )

    async def challenge(
        self, online: Online, player: int, game: str, options: dict[str, Any]
    ) -> int:
        """The challenge's id. One that crosses the other's accepts it."""
        target = self._players.online.get(player)
        if target is None or not target.here:
            raise NoSuchPlayer
        if target is online:
            raise BadRequest("You cannot challenge yourself.")
        if target.player.kind == "bot":
            raise NotFree("Bots of the house answer no challenges: open a table with `bots`.")
        kind = self._tables.public_kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game is not for two.")
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        options, game = msgspec.to_builtins(read), kind.game.name
        home = self._home_of(target, game, options)
        if home == self._node:
            self._check_can_answer(target, game, options)
        for other in self._book.of(target):
            if other.sender is target and other.target is online and not other.accepting:
                if other.game == game and other.options == options:
                    await self.accept(online, other.id)
                    return other.id
            elif other.sender is online and other.target is target:
                raise TooMany("You have challenged this player already.")
        if self._book.count_sent(online) + self.talk.count_offered(online) >= CHALLENGES_MAX:
            raise TooMany
        if home == self._node:
            return self.open(online, target, game, options, home).id
        crossed = await self.talk.offer(home, online, target, game, options)
        if isinstance(crossed, Challenge):
            await self.accept(online, crossed.id)
            return crossed.id
        return crossed

    def _home_of(self, target: Online, game: str, options: dict[str, Any]) -> str:
        """A node at which a client of this player can answer."""
        if not target.elsewhere or target.can_play(game, options):
            return self._node
        nodes = sorted(target.elsewhere)
        return next((node for node in nodes if game in target.elsewhere[node].plays), nodes[0])

    def _check_can_answer(self, target: Online, game: str, options: dict[str, Any]) -> None:
        if not target.challengeable:
            raise NotFree
        if not target.can_play(game, options):
            raise NotFree("This player's program cannot play that.")

    def open(
        self, sender: Online, target: Online, game: str, options: dict[str, Any], asked_at: str
    ) -> Challenge:
        """A new challenge, at its home. Raises NotFree, TooMany."""
        self._check_can_answer(target, game, options)
        if any(each.sender is sender and each.target is target for each in self._book.of(target)):
            raise TooMany("You have challenged this player already.")
        if self._book.count_received(target) >= CHALLENGES_MAX:
            raise NotFree("This player has too many challenges to answer. Try again later.")
        id = 0
        while id == 0 or self._book.get(id) is not None:
            id = secrets.randbits(ID_BITS)
        due_ms = self._clock.now_ms() + int(self._seconds * 1000)
        challenge = Challenge(id, sender, target, game, options, due_ms, self._node, asked_at)
        self.add(challenge)
        self.talk.spread(challenge)
        return challenge

    def add(self, challenge: Challenge) -> None:
        """Knows it from now on, whichever node is its home."""
        self._book.add(challenge)
        challenge.alarm = self._clock.call_at(challenge.due_ms, lambda: self._expire(challenge))
        id, who, game, options = (
            challenge.id,
            challenge.sender.player,
            challenge.game,
            challenge.options,
        )
        _tell(challenge.target, Challenged(id, who.id, who.name, game, options, self._seconds))

    def of(self, online: Online) -> list[Challenge]:
        """Those that it has sent or received and that are still open, the oldest first."""
        return [each for each in self._book.of(online) if not each.accepting]

    def received(self, online: Online, sender: int) -> int:
        """The challenge that this player has from that one. Raises NoSuchChallenge."""
        for challenge in self._book.of(online):
            if challenge.target is online and challenge.sender.player.id == sender:
                return challenge.id
        raise NoSuchChallenge

    async def accept(self, online: Online, id: int) -> int:
        """The table, at which both are seated: the challenger begins."""
        challenge = self._answered(online, id)
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        if challenge.home != self._node:
            return await self.talk.accept(challenge)
        sender = challenge.sender
        origin = f"challenge:{id}:{sender.player.id}:{online.player.id}"
        challenge.accepting = True
        try:
            held = await self.talk.hold_sender(challenge, origin)
            table = await self._seating.open_match(
                (sender, challenge.target),
                challenge.game,
                challenge.options,
                drawn=False,
                rated=False,
                origin=origin,
                held=(sender,) if held else (),
            )
        except BaseException as error:
            self._holds.let_go((sender,), origin)
            self.talk.still_open(challenge)
            self.reopen(challenge)
            if isinstance(error, NoSuchChallenge):
                self.end(challenge, sender.player.id, "withdrawn")  # Which was not heard here.
            raise
        self.end(challenge)
        return table

    def reopen(self, challenge: Challenge) -> None:
        """Accepting it came to nothing; what was put off meanwhile is done now."""
        challenge.accepting = False
        if self._clock.now_ms() >= challenge.due_ms:
            self._expire(challenge)
        for side in (challenge.sender, challenge.target):
            if is_out(side):
                self.drop(side)

    def refuse(self, online: Online, id: int) -> None:
        self.end(self._answered(online, id), online.player.id, "refused")

    def _answered(self, online: Online, id: int) -> Challenge:
        challenge = self._book.get(id)
        if challenge is None or challenge.target is not online or challenge.accepting:
            raise NoSuchChallenge
        return challenge

    def withdraw(self, online: Online, id: int) -> None:
        challenge = self._book.get(id)
        if challenge is None or challenge.sender is not online or challenge.accepting:
            raise NoSuchChallenge
        self.end(challenge, online.player.id, "withdrawn")

    def _expire(self, challenge: Challenge) -> None:
        # Every node that knows it says so by its own clock.
        if not challenge.accepting and self._book.remove(challenge):
            self._tell_sender(challenge, ChallengeExpired(challenge.id))
            _tell(challenge.target, ChallengeExpired(challenge.id))

    def end(
        self, challenge: Challenge, by: int = 0, reason: str = "", *, pass_on: bool = True
    ) -> None:
        """It is over, by that player, if it was not before; 0: their game has begun."""
        if not self._book.remove(challenge):
            return
        sender, target = challenge.sender, challenge.target
        # Whoever is about to play someone else needs no such news.
        if by == target.player.id and (reason == "refused" or not sender.busy):
            self._tell_sender(challenge, ChallengeRefused(challenge.id, by, reason))
        elif by == sender.player.id:
            _tell(target, ChallengeWithdrawn(challenge.id, reason))
        if pass_on:
            self.talk.tell_over(challenge, Over(challenge.id, by, reason))

    def lose(self, challenge: Challenge) -> None:
        """The node that decides of it is gone."""
        if self._book.remove(challenge):
            target, gone = challenge.target, "gone"
            self._tell_sender(challenge, ChallengeRefused(challenge.id, target.player.id, gone))
            _tell(target, ChallengeWithdrawn(challenge.id, gone))

    def player_changed(self, online: Online) -> None:
        """Whoever sits down or goes neither challenges any more nor is challenged."""
        if is_out(online):
            self.drop(online)
        else:
            for challenge in self._book.of(online):
                self.talk.spread(challenge)

    def drop(self, online: Online) -> None:
        for challenge in self._book.of(online):
            if not challenge.accepting:
                self.end(challenge, online.player.id, "playing" if online.here else "gone")

    def _tell_sender(self, challenge: Challenge, notice: Notice) -> None:
        early = self.talk.early(challenge)
        if early is None:
            _tell(challenge.sender, notice)
        else:
            early.append(notice)


def is_out(online: Online) -> bool:
    """Whether it has gone, or has a game. Who is only about to sit may not come to it."""
    return not online.here or bool(online.busy - {ABOUT_TO_SIT})


def _tell(online: Online, notice: Notice) -> None:
    for link in tuple(online.links):
        link.tell(notice)
