"""Who challenges whom. The lead decides; each challenge has one end, of which both are told."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import msgspec

from gamehall.errors import BadRequest, NoSuchChallenge, NoSuchPlayer, NotFree, Unavailable
from gamehall.hall.lobby.front import Front
from gamehall.hall.lobby.messages import (
    Answer,
    Challenge,
    Outcome,
    Over,
    Pairing,
    Propose,
    Proposed,
)
from gamehall.hall.nodes.exchange import Body
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables

T = TypeVar("T", bound=Body)

LATE_SECONDS, LATE_TRIES = 0.1, 3
"""How long, and how often, a challenge waits for news that its target is free."""


class Challenges:
    def __init__(self, front: Front, nodes: Nodes, players: Players, tables: Tables) -> None:
        self._front = front
        self._nodes = nodes
        self._players = players
        self._tables = tables

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
        named, usual = msgspec.to_builtins(read), read == kind.rules.read_options({})
        wish = Propose(online.player, player, kind.game.name, named, usual)
        proposed = await self._propose(wish)
        if proposed.pairing is None:
            self._front.know(proposed.challenge)
        else:
            await self._front.open(proposed.pairing)
        return proposed.challenge.id

    async def _propose(self, wish: Propose) -> Proposed:
        for _ in range(0 if self._nodes.alone else LATE_TRIES):
            try:
                return await self._front.ask(wish.sender.id, wish, Proposed)
            except NotFree:
                # That its game is over the lead may hear a moment later than its opponent.
                await asyncio.sleep(LATE_SECONDS)
        return await self._front.ask(wish.sender.id, wish, Proposed)

    def of(self, online: Online) -> list[Challenge]:
        """Those that it has sent or received and that are still open, the oldest first."""
        return list(self._front.book.of(online.player.id))

    def received(self, online: Online, sender: int) -> int:
        """The challenge that this player has from that one. Raises NoSuchChallenge."""
        for challenge in self._front.book.of(online.player.id):
            if challenge.people == (sender, online.player.id):
                return challenge.id
        raise NoSuchChallenge

    async def accept(self, online: Online, id: int) -> int:
        """The table, at which both are seated: the challenger begins."""
        challenge = self._front.book.get(id)
        try:
            pairing = await self._answer(Answer(online.player.id, id, "accept"), Pairing)
        except Unavailable:
            if challenge is not None:
                # If the lead has decided all the same, nothing comes of it.
                failed = Outcome(challenge.origin, challenge.people, self._nodes.name)
                self._front.tell_people(failed, challenge.people)
            raise
        return await self._front.open(pairing)

    async def refuse(self, online: Online, id: int) -> None:
        self._front.hear_over(await self._answer(Answer(online.player.id, id, "refuse"), Over))

    async def withdraw(self, online: Online, id: int) -> None:
        self._front.hear_over(await self._answer(Answer(online.player.id, id, "withdraw"), Over))

    async def _answer(self, answer: Answer, kind: type[T]) -> T:
        try:
            return await self._front.ask(answer.player, answer, kind)
        except NoSuchChallenge:
            # Its end was not heard here; or the lead is new, and has not heard of it.
            await self._front.again()
            if answer.challenge not in self._front.book:
                raise
            return await self._front.ask(answer.player, answer, kind)
