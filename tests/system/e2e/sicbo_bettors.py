"""Players of Sic Bo for the tests, at every place where the doors stand open."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from itertools import cycle

import pytest

from tests.support.processes import HallProcess
from tests.system.e2e.clients import Refused
from tests.system.e2e.sicbo_clients import MarioClient, RfcClient
from tests.system.e2e.sicbo_connection import SicBoClient
from tests.system.e2e.sicbo_rounds import number_of

DOORS = ("native-tcp", "rfc", "mario")
FAST = ("sicbo.betting_seconds=0.5", "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=0.1")
AMOUNT_MAX = 10_000
"""So that nobody is broke before the end."""
BETS_MAX = 4
"""Of one player in one round."""
LATE_SHARE = 0.1
"""Of the rounds in which a player tries again after the close."""
PASSWORD = "a long enough password"


def rfc_urls(hall: HallProcess) -> list[str]:
    """The door's own port, and its path on the hall's."""
    web = hall.web_url.replace("http:", "ws:")
    return [f"ws://127.0.0.1:{hall.ports['rfc']}/", f"{web}/rfc"]


def mario_urls(hall: HallProcess) -> list[str]:
    web = hall.web_url.replace("http:", "ws:")
    return [f"ws://127.0.0.1:{hall.ports['mario']}/websocket", f"{web}/websocket"]


async def guests(hall: HallProcess, number: int, stack: AsyncExitStack) -> list[RfcClient]:
    """That many connections without a name, none of which has subscribed yet."""
    urls = cycle(rfc_urls(hall))
    return [
        await stack.enter_async_context(await RfcClient.connect(next(urls), seed=seed))
        for seed in range(number)
    ]


async def members(hall: HallProcess, number: int, stack: AsyncExitStack) -> list[MarioClient]:
    """That many members, who are new, with names that count from `member0` on."""
    urls = cycle(mario_urls(hall))
    clients = [
        await stack.enter_async_context(await MarioClient.connect(next(urls), seed=1000 + seed))
        for seed in range(number)
    ]
    logins = [client.login(f"member{place}", PASSWORD) for place, client in enumerate(clients)]
    await asyncio.gather(*logins)
    return clients


async def open_round(client: SicBoClient, after: int) -> str:
    """A round with a higher number than that, as soon as it takes bets."""

    def is_open() -> bool:
        rounds = client.follower.rounds
        return client.follower.step == "BETTING_OPEN" and number_of([*rounds][-1]) > after

    await client.until(is_open)
    return [*client.follower.rounds][-1]


async def over(client: SicBoClient, round: str) -> None:
    """Returns when that round is over."""
    await client.until(lambda: round in client.follower.ended)


async def bet_at_random(client: SicBoClient, round: str) -> int:
    """Places some bets, and returns how many were taken before the close."""
    taken = 0
    for _ in range(client.rng.randrange(BETS_MAX + 1)):
        await asyncio.sleep(client.rng.random() / 20)  # As people do, not all at once.
        side = client.rng.choice(["BIG", "SMALL", "TAI", "XIU"])
        amount = client.rng.randint(1, AMOUNT_MAX)
        try:
            await client.bet(client.rng.choice([round, None]), side, amount)
        except Refused as refusal:
            assert refusal.code == "BET_WINDOW_CLOSED"  # noqa: PT017 (else it is ours)
            continue
        taken += 1
    return taken


async def bet_too_late(client: SicBoClient, round: str) -> None:
    """Is refused: it has been told that the round is closed."""
    await client.until(lambda: client.follower.rounds[round].status != "BETTING_OPEN")
    with pytest.raises(Refused, match="BET_WINDOW_CLOSED"):
        await client.bet(round, "BIG", 1)


async def play_rounds(client: SicBoClient, rounds: int) -> None:
    """Bets in that many rounds, one after the other; the balance is right after each."""
    last = 0
    for _ in range(rounds):
        round = await open_round(client, last)
        await bet_at_random(client, round)
        if client.rng.random() < LATE_SHARE:
            await bet_too_late(client, round)
        await over(client, round)
        assert await client.balance() == client.book.balance
        last = number_of(round)


async def play_blindly(client: RfcClient, bets: int) -> None:
    """Without subscribing: all that is heard are one's own bets and what each has brought."""
    for number in range(bets):
        while True:
            side = client.rng.choice(["BIG", "SMALL"])
            try:
                accepted = await client.bet(None, side, client.rng.randint(1, AMOUNT_MAX))
                break
            except Refused as refusal:
                assert refusal.code == "BET_WINDOW_CLOSED"  # noqa: PT017 (else it is ours)
                await asyncio.sleep(0.02)
        await client.message("payout", betId=accepted["betId"])
        assert await client.balance() == client.book.balance
        actions = [heard["action"] for heard in client.heard]
        assert actions.count("payout") == actions.count("bet_accepted") == number + 1
