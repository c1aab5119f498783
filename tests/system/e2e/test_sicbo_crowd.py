"""One table of thousands."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.processes import HallProcess, allow_many_files
from tests.system.e2e.sicbo_bettors import DOORS, open_round, over, rfc_urls
from tests.system.e2e.sicbo_clients import RfcClient
from tests.system.e2e.sicbo_ledger import Books
from tests.system.e2e.sicbo_rounds import number_of

CROWD = 2000
BETTORS = 500
AT_ONCE = 50
"""Connections that are being opened at a time."""
SETTINGS = (
    "sicbo.betting_seconds=20",
    "sicbo.reveal_seconds=1",
    "sicbo.pause_seconds=3",
    "limits.connections_per_address=0",
)
TOLD_TO_ALL = ("new_round", "round_state", "reveal_result", "game_over")


async def arrive(hall: HallProcess, stack: AsyncExitStack) -> list[RfcClient]:
    """The crowd, subscribed."""
    urls = rfc_urls(hall)
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(seed: int) -> RfcClient:
        async with turn:
            client = await RfcClient.connect(urls[seed % 2], seed=seed)
            await stack.enter_async_context(client)
            await client.subscribe()
            return client

    return list(await asyncio.gather(*(one(seed) for seed in range(CROWD))))


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_everyone_in_a_crowd_is_told_the_same(tmp_path: Path) -> None:
    allow_many_files(CROWD + 500)
    async with AsyncExitStack() as stack:
        hall = stack.enter_context(HallProcess(tmp_path, settings=SETTINGS, doors=DOORS))
        crowd = await arrive(hall, stack)
        last = max(number_of(id) for client in crowd for id in client.follower.rounds)
        rounds = {await open_round(client, last) for client in crowd}
        (round,) = rounds
        bettors = crowd[:BETTORS]
        bets = [(client, client.rng.choice(["BIG", "SMALL"])) for client in bettors]
        await asyncio.gather(*(client.bet(round, side, 1000) for client, side in bets))
        for client in crowd:
            await over(client, round)
        for client in bettors:
            assert len(client.book.of_round(round)) == 1
            assert await client.balance() == client.book.balance
        told = {tuple(told_of(client, round)) for client in crowd}
        assert len(told) == 1, "some were told something else"
        assert len(next(iter(told))) == len(("new", "open", "close", "reveal", "finish", "over"))
        kept = next(r for r in Books(tmp_path).rounds if f"R{r.number}" == round)
        assert len({bet["player"] for bet in kept.bets.values()}) == BETTORS
        histories = (await crowd[-1].ask("get_table_info"))["datas"]["histories"]
        assert [past["betPlayer"] for past in histories if past["roundId"] == round] == [BETTORS]


def told_of(client: RfcClient, round: str) -> list[str]:
    """The texts that went to everyone in that round, from its beginning to its end."""
    both = list(zip(client.heard, client.raw, strict=True))
    actions = [message["action"] for message in client.heard]
    (end,) = [
        place
        for place, message in enumerate(client.heard)
        if message["action"] == "game_over" and message["payload"]["roundId"] == round
    ]
    start = max(place for place in range(end) if actions[place] == "new_round")
    return [raw for message, raw in both[start : end + 1] if message["action"] in TOLD_TO_ALL]
