"""Who is free, who waits for a game, who challenges whom: gone with the process, never durable.

What follows from it, a table, is: a pairing or challenge opens one table only, by its origin.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from gamehall.bus.bus import Told
from gamehall.errors import (
    BadRequest,
    NoSuchChallenge,
    NoSuchPlayer,
    NotFree,
    TooMany,
)
from gamehall.hall.clock import Alarm, Clock
from gamehall.hall.link import Link
from gamehall.hall.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Lobby,
    LobbyPlayer,
    LobbyTable,
    Notice,
)
from gamehall.hall.players import Online, Players
from gamehall.hall.seating import Seating
from gamehall.hall.tables import Tables

CHALLENGES_MAX = 16
"""Challenges that one player may have open, sent and received."""
SEEKS_MAX = 8
LOBBY_MS = 100
"""Changes are gathered this long for those who watch the lobby."""
CHANGES_MAX = 500
"""Changes of one kind in one notice; a client that needs all asks for the list."""

SeekKey = tuple[str, bytes, bool]


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


class LobbyHall:
    def __init__(
        self,
        *,
        players: Players,
        tables: Tables,
        seating: Seating,
        clock: Clock,
        challenge_seconds: float,
    ) -> None:
        self._players = players
        self._tables = tables
        self._seating = seating
        self._clock = clock
        self._challenge_seconds = challenge_seconds
        # A start in the dark, so that ids from before a restart name nothing.
        self._next_challenge = secrets.randbelow(1 << 24) * 64 + 1
        self._challenges: dict[int, Challenge] = {}
        self._seeks: dict[SeekKey, list[Online]] = {}
        self._watchers: set[Link] = set()
        self._changed_players: dict[int, Online] = {}
        self._changed_tables: dict[int, LobbyTable] = {}
        self._alarm: Alarm | None = None

    # The wait list

    async def seek(self, online: Online, game: str, options: dict[str, Any], rated: bool) -> None:
        """Waits for someone who wants the same; then both are `seated`."""
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        kind = self._tables.kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game needs no opponent: open a table, or watch one and play.")
        if sum(online in waiting for waiting in self._seeks.values()) >= SEEKS_MAX:
            raise TooMany
        key = (kind.game.name, msgspec.json.encode(read), rated)
        waiting = self._seeks.setdefault(key, [])
        if online in waiting:
            return
        other = next((o for o in waiting if o.free), None)
        if other is None:
            waiting.append(online)
            return
        # Both leave every wait list before anything is awaited, so that nobody is paired twice.
        self.cancel_seeks(online)
        self.cancel_seeks(other)
        try:
            await self._seating.open_match(
                (other, online),
                kind.game.name,
                options,
                drawn=True,
                rated=rated,
                origin=f"pair:{secrets.token_hex(12)}",
            )
        except BaseException:
            # The one who waited goes on waiting; the other hears why.
            if other.free:
                self._seeks.setdefault(key, []).insert(0, other)
            raise

    def cancel_seeks(self, online: Online, game: str | None = None) -> None:
        for key, waiting in list(self._seeks.items()):
            if online in waiting and (game is None or key[0] == game):
                waiting.remove(online)
            if not waiting:
                del self._seeks[key]

    # Challenges

    async def challenge(
        self, online: Online, player: int, game: str, options: dict[str, Any]
    ) -> int:
        """The challenge's id. One that crosses the other's accepts it."""
        target = self._players.online.get(player)
        if target is None or not target.links:
            raise NoSuchPlayer
        if target is online:
            raise BadRequest("You cannot challenge yourself.")
        if target.player.kind == "bot":
            raise NotFree("Bots of the house answer no challenges: open a table with `bots`.")
        kind = self._tables.kind(game)
        read = kind.rules.read_options(options)
        if kind.game.seats(read).least != 2:
            raise BadRequest("This game is not for two.")
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        if not target.free:
            raise NotFree
        options = msgspec.to_builtins(read)
        for crossing in list(self._challenges.values()):
            if crossing.sender is target and crossing.target is online and not crossing.accepting:
                if crossing.game == kind.game.name and crossing.options == options:
                    await self.accept(online, crossing.id)
                    return crossing.id
            elif crossing.sender is online and crossing.target is target:
                raise TooMany("You have challenged this player already.")
        for side in (online, target):
            if (
                sum(side in (c.sender, c.target) for c in self._challenges.values())
                >= CHALLENGES_MAX
            ):
                raise TooMany
        return self._challenge(online, target, kind.game.name, options)

    def _challenge(self, sender: Online, target: Online, game: str, options: dict[str, Any]) -> int:
        id = self._next_challenge
        self._next_challenge += 1
        challenge = self._challenges[id] = Challenge(id, sender, target, game, options)
        challenge.due_ms = self._clock.now_ms() + int(self._challenge_seconds * 1000)
        challenge.alarm = self._clock.call_at(challenge.due_ms, lambda: self._expire(challenge))
        who = sender.player
        seconds = self._challenge_seconds
        _tell(target, Challenged(id, who.id, who.name, game, options, seconds))
        return id

    async def accept(self, online: Online, id: int) -> int:
        """The table, at which both are seated: the challenger begins."""
        challenge = self._challenges.get(id)
        if challenge is None or challenge.target is not online or challenge.accepting:
            raise NoSuchChallenge
        if online.busy:
            raise NotFree("Finish your game first, or leave it.")
        if not challenge.sender.free:
            self._end(challenge)
            raise NotFree
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
            raise
        self._end(challenge)
        for side in (challenge.sender, challenge.target):
            self.sat_down(side)
        return table

    def refuse(self, online: Online, id: int) -> None:
        challenge = self._challenges.get(id)
        if challenge is None or challenge.target is not online or challenge.accepting:
            raise NoSuchChallenge
        self._end(challenge)
        _tell(challenge.sender, ChallengeRefused(id, online.player.id, "refused"))

    def withdraw(self, online: Online, id: int) -> None:
        challenge = self._challenges.get(id)
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
        self._challenges.pop(challenge.id, None)
        if challenge.alarm is not None:
            challenge.alarm.cancel()

    def sat_down(self, online: Online) -> None:
        """Whoever sits down or goes is no longer sought and no longer challenged."""
        self.cancel_seeks(online)
        reason = "playing" if online.links else "gone"
        for challenge in list(self._challenges.values()):
            if challenge.accepting:
                continue
            if challenge.target is online:
                self._end(challenge)
                player = online.player.id
                _tell(challenge.sender, ChallengeRefused(challenge.id, player, reason))
            elif challenge.sender is online:
                self._end(challenge)
                _tell(challenge.target, ChallengeWithdrawn(challenge.id, reason))

    # Who is here, live

    def list_players(self, free: bool | None, after: int, limit: int) -> list[LobbyPlayer]:
        everyone = sorted(
            id
            for id, online in self._players.online.items()
            if online.links and online.player.kind != "bot"
        )
        listed = (_listed(self._players.online[id]) for id in everyone if id > after)
        if free is not None:
            listed = (p for p in listed if (p.status == "free") == free)
        return [player for _, player in zip(range(limit), listed, strict=False)]

    def watch(self, link: Link) -> None:
        link.in_lobby = True
        self._watchers.add(link)

    def unwatch(self, link: Link) -> None:
        link.in_lobby = False
        self._watchers.discard(link)

    def player_changed(self, online: Online) -> None:
        if online.busy or not online.links:
            self.sat_down(online)
        if self._watchers and online.player.kind != "bot":
            self._changed_players[online.player.id] = online
            self._tell_soon()

    def told(self, told: Told) -> None:
        """A table has changed: those who watch the lobby hear of it."""
        if not self._watchers:
            return
        table = self._tables.loaded(told.table)
        if table is None or table.state is None or table.state.opened.private:
            return
        chairs = table.state.chairs
        seats = [] if told.walk_in else sorted(table.state.seat_of.values())
        self._changed_tables[told.table] = LobbyTable(
            told.table,
            table.kind.game.name,
            told.status,
            tuple(chairs[seat].name for seat in seats[:50]),
            len(table.state.seat_of),
        )
        self._tell_soon()

    def _tell_soon(self) -> None:
        if self._alarm is None:
            self._alarm = self._clock.call_at(self._clock.now_ms() + LOBBY_MS, self._tell_changes)

    def _tell_changes(self) -> None:
        self._alarm = None
        notice = Lobby(
            tuple(self._changed_tables.values())[:CHANGES_MAX],
            tuple(_listed(online) for online in self._changed_players.values())[:CHANGES_MAX],
        )
        self._changed_tables.clear()
        self._changed_players.clear()
        for link in tuple(self._watchers):
            link.tell(notice)


def _listed(online: Online) -> LobbyPlayer:
    status = "gone" if not online.links else "free" if online.free else "busy"
    return LobbyPlayer(online.player.id, online.player.name, status)


def _tell(online: Online, notice: Notice) -> None:
    for link in list(online.links):
        link.tell(notice)
