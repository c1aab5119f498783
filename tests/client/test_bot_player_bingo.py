"""A bot at called Bingo: it may sit without a card, and rounds end and open in one moment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from gamehall.client.bot_player import BotPlayer
from gamehall.client.engagement import Engagement
from gamehall.games.bingo import Claim, Deal, Ready
from gamehall.games.game import Command
from tests.client.fake_hall import Json
from tests.client.joined import Joined
from tests.games.bingo_play import GAME, Hand
from tests.support.waiting import WAIT_SECONDS

TABLE, SEAT = 5, 0
READY, CLAIM = {"type": "ready"}, {"type": "claim"}


class Hasty:
    """Says that it has a line, and only then that it is ready."""

    def __init__(self) -> None:
        self._says: list[Command] = []

    def choose(self, view: Any, legal: Sequence[Command], seat: int, rng: Random) -> Command | None:
        if Deal() in legal:
            return None
        self._says = self._says or [Claim(), Ready()]
        return self._says.pop(0)


class Listener:
    """The bot at work, and what it has said."""

    def __init__(self, joined: Joined) -> None:
        self.said: list[str] = []
        self.seq = 0
        self.peer = joined.peer
        self.joined = joined
        self.player = BotPlayer(
            joined.client, GAME, Hasty(), None, Engagement(games=2), self.said.append
        )
        self.playing = asyncio.create_task(self.player.play())

    async def comes(self) -> None:
        request = await self.peer.read("seek")
        assert request["payload"] == {"game": "bingo"}
        self.peer.answer(request, {})

    def shows(self, hand: Hand, round: int = 1) -> None:
        self.seq = round * 100 + len(hand.state.called)
        self.peer.send(
            "table_view",
            {
                "table": TABLE,
                "seq": self.seq,
                "game": "bingo",
                "seat": SEAT,
                "status": "playing",
                "round": round,
                "view": msgspec.to_builtins(GAME.view(hand.state, SEAT)),
                "legal": msgspec.to_builtins(list(GAME.legal(hand.state, SEAT))),
                "players": [],
                "count": 2,
                "outcome": None,
            },
        )

    async def acts(self) -> Json:
        """What it wants next."""
        request = await self.peer.read("act")
        assert request["payload"]["table"] == TABLE
        return request

    async def answers(self, hand: Hand, round: int = 1) -> None:
        """It claims wrongly, and then is ready."""
        self.shows(hand, round)
        claim = await self.acts()
        assert claim["payload"]["command"] == CLAIM
        self.peer.refuse(claim, "no_bingo")
        ready = await self.acts()
        assert ready["payload"]["command"] == READY
        self.peer.answer(ready, {"table": TABLE, "seq": self.seq})

    def ends(self, round: int, winner: int | None, reason: str = "bingo") -> None:
        winners = [] if winner is None else [winner]
        outcome = {"winners": winners, "reason": reason, "again_ms": 0}
        over = {"table": TABLE, "round": round, "outcome": outcome, "secret": "", "hash": ""}
        self.peer.send("table_over", {**over, "seq": self.seq, "after": self.seq})

    async def asks_nothing(self) -> None:
        # The first time it hears what was sent before; by the second it would have asked.
        for _ in range(2):
            await self.joined.asks_nothing_by_itself()


@pytest.fixture
async def listener(joined: Joined) -> Listener:
    return Listener(joined)


async def test_what_the_rules_refuse_it_thinks_over_once(listener: Listener) -> None:
    await listener.comes()
    hand = Hand().deal().call()
    await listener.answers(hand)
    await listener.asks_nothing()
    listener.shows(hand.call())
    for _ in range(2):
        listener.peer.refuse(await listener.acts(), "no_bingo")
    await listener.asks_nothing()


async def test_a_round_without_a_card_is_no_game(listener: Listener) -> None:
    await listener.comes()
    waiting = Hand()
    listener.shows(waiting)
    waiting.part(SEAT)
    waiting.do(1, Deal())
    waiting.join(SEAT)
    listener.shows(waiting.call())
    listener.ends(1, winner=1)
    listener.shows(Hand(), round=2)
    await listener.asks_nothing()
    assert (listener.player.played, listener.said) == (0, [])


async def test_the_end_of_a_round_is_told_and_counted_once(listener: Listener) -> None:
    await listener.comes()
    await listener.answers(Hand().deal().call())
    listener.ends(1, winner=1)
    listener.shows(Hand(), round=2)
    await listener.asks_nothing()
    assert listener.player.played == 1
    await listener.answers(Hand().deal().call(), round=2)
    listener.ends(2, winner=SEAT)
    async with asyncio.timeout(WAIT_SECONDS):
        await listener.playing
    assert listener.said == [
        "Table 5, round 1: plays on seat 0.",
        "Table 5, round 1: lost (bingo).",
        "Table 5, round 2: plays on seat 0.",
        "Table 5, round 2: won (bingo).",
    ]


async def test_a_round_that_nobody_won_is_over(listener: Listener) -> None:
    await listener.comes()
    await listener.answers(Hand().deal().call())
    listener.ends(1, winner=None, reason="all_called")
    await listener.asks_nothing()
    assert listener.said[-1] == "Table 5, round 1: over (all_called)."


async def test_an_end_that_it_did_not_hear_of_counts(listener: Listener) -> None:
    await listener.comes()
    await listener.answers(Hand().deal().call())
    for _ in range(2):
        listener.shows(Hand(), round=2)
    await listener.asks_nothing()
    assert listener.player.played == 1
