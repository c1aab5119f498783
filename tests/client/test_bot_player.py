"""A bot where people walk in: one bet a round, rounds counted, and what it does without chips."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from gamehall.bots.sicbo import SensibleBettor
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.engagement import Engagement
from gamehall.games.sicbo import State
from tests.client.fake_hall import Json
from tests.client.joined import Joined
from tests.games.sicbo_play import GAME, bet, new, roll
from tests.support.waiting import WAIT_SECONDS

TABLE = 5


def seq_of(state: State) -> int:
    """The table's head, if nothing but bets is written."""
    return state.round * 100 + state.bets


class Bettor:
    """The bot at work, and what it has said."""

    def __init__(self, joined: Joined, games: int) -> None:
        self.said: list[str] = []
        self.peer = joined.peer
        self.joined = joined
        self.player = BotPlayer(
            joined.client,
            GAME,
            SensibleBettor(),
            engagement=Engagement(games=games),
            say=self.said.append,
        )
        self.playing = asyncio.create_task(self.player.play())

    async def asks(self, action: str) -> Json:
        return await self.peer.read(action)

    async def walks_in(self, state: State) -> None:
        request = await self.asks("seek")
        assert request["payload"] == {"game": "sicbo"}
        self.peer.answer(request, {})
        self.shows(state)

    def shows(self, state: State, seat: int | None = None, **fields: Any) -> None:
        """Sends how the table stands."""
        over = GAME.outcome(state)
        self.peer.send(
            "table_view",
            {
                "table": TABLE,
                "seq": seq_of(state),
                "game": "sicbo",
                "seat": seat,
                "status": "playing" if over is None else "over",
                "round": state.round,
                "view": msgspec.to_builtins(GAME.view(state, seat)),
                "legal": msgspec.to_builtins(list(GAME.legal(state, seat or 0))),
                "players": [],
                "count": len(state.bettors),
                "outcome": None if over is None else msgspec.to_builtins(over),
                **fields,
            },
        )

    async def bets(self, state: State) -> None:
        """Takes the bet, and shows the bot that it has a seat now."""
        request = await self.asks("act")
        command = request["payload"]["command"]
        assert (request["payload"]["table"], command["round"]) == (TABLE, state.round)
        bet(state, 0, command["side"], command["amount"])
        self.peer.answer(request, {"table": TABLE, "seq": seq_of(state)})

    async def asks_nothing(self) -> None:
        # The first time it hears what was sent before; by the second it would have asked.
        for _ in range(2):
            await self.joined.asks_nothing_by_itself()
        assert not self.playing.done()

    async def ends(self) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await self.playing


@pytest.fixture
async def bettor(joined: Joined) -> Bettor:
    return Bettor(joined, games=2)


async def test_it_bets_once_in_each_round_until_it_has_played_enough(bettor: Bettor) -> None:
    await bettor.walks_in(first := new())
    await bettor.bets(first)
    bettor.shows(first, seat=0)
    await bettor.asks_nothing()
    roll(first, 4, 4, 4)
    bettor.shows(first, seat=0)
    await bettor.asks_nothing()
    bettor.shows(second := new(round=2))
    await bettor.bets(second)
    roll(second, 1, 2, 3)
    bettor.shows(second, seat=0)
    await bettor.ends()
    assert bettor.player.played == 2
    assert bettor.said == [
        "Table 5, round 1: plays.",
        "Table 5, round 1: over (big).",
        "Table 5, round 2: plays.",
        "Table 5, round 2: over (small).",
    ]


async def test_an_old_view_does_not_make_it_bet_again(bettor: Bettor) -> None:
    await bettor.walks_in(state := new())
    bettor.shows(state)
    await bettor.bets(state)
    await bettor.asks_nothing()


async def test_rounds_in_which_it_has_not_bet_do_not_count(bettor: Bettor) -> None:
    closed = new()
    roll(closed, 1, 1, 2)
    await bettor.walks_in(closed)
    for round in (2, 3):
        missed = new(round=round)
        bettor.shows(missed, legal=[])
        roll(missed, 1, 1, 2)
        bettor.shows(missed)
    await bettor.asks_nothing()
    assert (bettor.player.played, bettor.said) == (0, [])


async def test_an_end_that_it_did_not_see_counts_and_is_the_last(bettor: Bettor) -> None:
    await bettor.walks_in(first := new())
    await bettor.bets(first)
    for _ in range(3):
        bettor.shows(second := new(round=2), legal=[])
    await bettor.asks_nothing()
    assert bettor.player.played == 1
    bettor.shows(second)
    await bettor.bets(second)
    # It takes bets, but that would be one more than it was told.
    bettor.shows(new(round=3))
    await bettor.ends()
    assert bettor.player.played == 2


async def test_without_chips_it_asks_for_new_ones_and_bets_again(bettor: Bettor) -> None:
    state = new()
    await bettor.walks_in(state)
    bettor.peer.refuse(await bettor.asks("act"), "no_funds")
    bettor.peer.answer(await bettor.asks("refill"), {"balance": 1_000_000})
    bettor.peer.answer(await bettor.asks("resume"), {"table": TABLE, "missed": None})
    bettor.shows(state)
    await bettor.bets(state)
    assert bettor.said[0].startswith("Out of chips")


async def test_if_there_are_none_it_waits_for_the_next_round(bettor: Bettor) -> None:
    await bettor.walks_in(new())
    bettor.peer.refuse(await bettor.asks("act"), "no_funds")
    bettor.peer.refuse(await bettor.asks("refill"), "not_broke")
    await bettor.asks_nothing()
    assert bettor.said == ["Table 5: not enough chips for this bet."]
    bettor.shows(second := new(round=2))
    await bettor.bets(second)


async def test_if_there_are_none_for_long_it_ends(bettor: Bettor) -> None:
    await bettor.walks_in(new())
    for round in range(2, 4):
        bettor.peer.refuse(await bettor.asks("act"), "no_funds")
        bettor.peer.refuse(await bettor.asks("refill"), "not_broke")
        bettor.shows(new(round=round))
    bettor.peer.refuse(await bettor.asks("act"), "no_funds")
    bettor.peer.refuse(await bettor.asks("refill"), "not_broke")
    with pytest.raises(CannotPlay, match="Not enough chips"):
        await bettor.playing


async def test_if_it_had_new_ones_today_it_ends(bettor: Bettor) -> None:
    await bettor.walks_in(new())
    bettor.peer.refuse(await bettor.asks("act"), "no_funds")
    bettor.peer.refuse(await bettor.asks("refill"), "refilled_today")
    with pytest.raises(CannotPlay, match="refilled_today"):
        await bettor.playing


async def test_a_void_round_is_no_game(bettor: Bettor) -> None:
    await bettor.walks_in(state := new())
    await bettor.bets(state)
    bettor.shows(state, seat=0, status="over", legal=[])
    bettor.peer.answer(await bettor.asks("seek"), {})
    bettor.shows(state, seat=0, status="over", legal=[])
    await bettor.asks_nothing()
    assert bettor.player.played == 0
    assert bettor.said[-1] == "Table 5, round 1: void."
