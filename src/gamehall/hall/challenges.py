"""Who challenges whom: gone with the process, never durable.

What follows from it, a table, is: a challenge opens one table only, by its origin. Each challenge
has one end, and whoever waits for it is told: a game, or why there is none.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from gamehall.errors import BadRequest, NoSuchChallenge, NoSuchPlayer, NotFree, TooMany
from gamehall.hall.clock import Alarm, Clock
from gamehall.hall.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Notice,
)
from gamehall.hall.players import Online, Players
from gamehall.hall.seating import Seating
from gamehall.hall.tables import Tables

CHALLENGES_MAX = 16
"""Challenges that one player may have sent, and as many that it may have received."""


class Challenge:
    __slots__ = ("accepting", "alarm", "due_ms", "game", "id", "options", "sender", "target")

    def __init__(
        self, id: int, sender: Online, target: Online, game: str, options: dict[str, Any]
    ) -> None:
        self.id = id
        self.sender = sender
        self.target = target
        self.game = game
        self.options = options
        self.accepting = False
        self.alarm: Alarm | None = None
        self.due_ms = 0


class Challenges:
    def __init__(
        self,
        *,
        players: Players,
        tables: Tables,
        seating: Seating,
        clock: Clock,
        seconds: float,
    ) -> None:
        """`seconds`: after which a challenge that nobody has answered is over."""
        self._players = players
        self._tables = tables
        self._seating = seating
        self._clock = clock
        self._seconds = seconds
        # A start in the dark, so that ids from before a restart name nothing.
        self._next = secrets.randbelow(1 << 24) * 64 + 1
        self._open: dict[int, Challenge] = {}
        self._of: dict[int, list[Challenge]] = {}
        """By player: those it has sent and those it has received."""

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
        if not target.challengeable:
            raise NotFree
        options = msgspec.to_builtins(read)
        if not target.can_play(kind.game.name, options):
            raise NotFree("This player's program cannot play that.")
        for other in self._of.get(player, ()):
            if other.sender is target and other.target is online and not other.accepting:
                if other.game == kind.game.name and other.options == options:
                    await self.accept(online, other.id)
                    return other.id
            elif other.sender is online and other.target is target:
                raise TooMany("You have challenged this player already.")
        if sum(c.sender is online for c in self._of.get(online.player.id, ())) >= CHALLENGES_MAX:
            raise TooMany
        if sum(c.target is target for c in self._of.get(player, ())) >= CHALLENGES_MAX:
            raise NotFree("This player has too many challenges to answer. Try again later.")
        return self._send(online, target, kind.game.name, options)

    def _send(self, sender: Online, target: Online, game: str, options: dict[str, Any]) -> int:
        id = self._next
        self._next += 1
        challenge = self._open[id] = Challenge(id, sender, target, game, options)
        for side in (sender, target):
            self._of.setdefault(side.player.id, []).append(challenge)
        challenge.due_ms = self._clock.now_ms() + int(self._seconds * 1000)
        challenge.alarm = self._clock.call_at(challenge.due_ms, lambda: self._expire(challenge))
        who = sender.player
        _tell(target, Challenged(id, who.id, who.name, game, options, self._seconds))
        return id

    def of(self, online: Online) -> list[Challenge]:
        """Those that it has sent or received and that are still open, the oldest first."""
        return [each for each in self._of.get(online.player.id, ()) if not each.accepting]

    def received(self, online: Online, sender: int) -> int:
        """The challenge that this player has from that one. Raises NoSuchChallenge."""
        for challenge in self._of.get(online.player.id, ()):
            if challenge.target is online and challenge.sender.player.id == sender:
                return challenge.id
        raise NoSuchChallenge

    async def accept(self, online: Online, id: int) -> int:
        """The table, at which both are seated: the challenger begins."""
        challenge = self._answered(online, id)
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        challenge.accepting = True
        try:
            table = await self._seating.open_match(
                (challenge.sender, challenge.target),
                challenge.game,
                challenge.options,
                drawn=False,
                rated=False,
                origin=f"challenge:{id}:{challenge.sender.player.id}:{online.player.id}",
            )
        except BaseException:
            challenge.accepting = False
            if self._clock.now_ms() >= challenge.due_ms:
                self._expire(challenge)
            # What was put off while it was being accepted.
            for side in (challenge.sender, challenge.target):
                if not side.free:
                    self.drop(side)
            raise
        self._end(challenge)
        return table

    def refuse(self, online: Online, id: int) -> None:
        challenge = self._answered(online, id)
        self._end(challenge)
        _tell(challenge.sender, ChallengeRefused(id, online.player.id, "refused"))

    def _answered(self, online: Online, id: int) -> Challenge:
        challenge = self._open.get(id)
        if challenge is None or challenge.target is not online or challenge.accepting:
            raise NoSuchChallenge
        return challenge

    def withdraw(self, online: Online, id: int) -> None:
        challenge = self._open.get(id)
        if challenge is None or challenge.sender is not online or challenge.accepting:
            raise NoSuchChallenge
        self._end(challenge)
        _tell(challenge.target, ChallengeWithdrawn(id, "withdrawn"))

    def _expire(self, challenge: Challenge) -> None:
        if challenge.accepting:
            return
        self._end(challenge)
        for side in (challenge.sender, challenge.target):
            _tell(side, ChallengeExpired(challenge.id))

    def _end(self, challenge: Challenge) -> None:
        if self._open.pop(challenge.id, None) is None:
            return
        for side in (challenge.sender, challenge.target):
            mine = self._of[side.player.id]
            mine.remove(challenge)
            if not mine:
                del self._of[side.player.id]
        if challenge.alarm is not None:
            challenge.alarm.cancel()

    def drop(self, online: Online) -> None:
        """Whoever sits down or goes neither challenges any more nor is challenged."""
        reason = "playing" if online.here else "gone"
        for challenge in tuple(self._of.get(online.player.id, ())):
            if challenge.accepting:
                continue
            self._end(challenge)
            if challenge.target is online and not challenge.sender.busy:
                refused = ChallengeRefused(challenge.id, online.player.id, reason)
                _tell(challenge.sender, refused)
            elif challenge.sender is online:
                _tell(challenge.target, ChallengeWithdrawn(challenge.id, reason))


def _tell(online: Online, notice: Notice) -> None:
    for link in tuple(online.links):
        link.tell(notice)
