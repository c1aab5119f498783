"""Sic Bo from outside: fast rounds, many bettors at both doors, every chip accounted for."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.processes import HallProcess
from tests.system.e2e.clients import Client, Json
from tests.system.e2e.sicbo_bettors import (
    DOORS,
    FAST,
    PASSWORD,
    guests,
    mario_urls,
    members,
    open_round,
    over,
    play_blindly,
    play_rounds,
    rfc_urls,
)
from tests.system.e2e.sicbo_clients import MarioClient, RfcClient
from tests.system.e2e.sicbo_connection import SicBoClient
from tests.system.e2e.sicbo_ledger import Books, JournalRound
from tests.system.e2e.sicbo_rounds import Book, number_of

ROUNDS = 20
GUESTS, BLIND = 25, 5
MEMBERS = 25
STATEMENTS = 5
"""Members whose statement is read through the native door too; a log-in takes its time."""


@pytest.mark.slow
async def test_twenty_rounds_with_fifty_bettors(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        hall = stack.enter_context(HallProcess(tmp_path, settings=FAST, doors=DOORS))
        marios = await members(hall, MEMBERS, stack)
        rfcs = await guests(hall, GUESTS, stack)
        (observer,) = await guests(hall, 1, stack)
        for rfc in (observer, *rfcs[BLIND:]):
            await rfc.subscribe()
        async with asyncio.TaskGroup() as group:
            group.create_task(add_up_after_every_round(observer, tmp_path))
            for mario in marios:
                group.create_task(play_rounds(mario, ROUNDS))
            for rfc in rfcs[BLIND:]:
                group.create_task(play_rounds(rfc, ROUNDS))
            for rfc in rfcs[:BLIND]:
                group.create_task(play_blindly(rfc, ROUNDS // 2))
        bettors: list[SicBoClient] = [*marios, *rfcs]
        # Nobody bets any more: once the next round has ended, all is settled.
        last = await open_round(observer, number_of(observer.follower.ended[-1]))
        for client in (*marios, *rfcs[BLIND:], observer):
            await over(client, last)
        books = Books(tmp_path)
        check_same_rounds([observer, *marios, *rfcs[BLIND:]], books)
        check_bets([client.book for client in bettors], books)
        for place, mario in enumerate(marios):
            assert books.balance_of(f"member{place}") == mario.book.balance
            assert await mario.balance() == mario.book.balance
        for place in range(STATEMENTS):
            await check_statement(hall, f"member{place}", marios[place].book.balance)
        await check_table_info([observer, marios[0]], books)


async def add_up_after_every_round(observer: RfcClient, data: Path) -> None:
    for number in range(1, ROUNDS + 1):
        await observer.until(lambda number=number: len(observer.follower.ended) >= number)  # type: ignore[misc]
        books = await asyncio.to_thread(Books, data)
        assert sum(round.over for round in books.rounds) >= number


def check_same_rounds(clients: list[SicBoClient], books: Books) -> None:
    """Everyone saw the same rounds, and the journal has them."""
    kept = {f"R{round.number}": round for round in books.rounds}
    numbers = [round.number for round in books.rounds]
    assert all(before < after for before, after in pairwise(numbers)), numbers
    assert len(kept) == len(books.rounds)
    for client in clients:
        assert len(client.follower.ended) >= ROUNDS
        assert len(set(client.follower.ended)) == len(client.follower.ended)
        for id, told in client.follower.rounds.items():
            assert told.commitment in (kept[id].commitment, None)
            if told.dice:
                assert (told.dice, told.secret) == (kept[id].dice, kept[id].secret)


def check_bets(bettors: list[Book], books: Books) -> None:
    """Every bet that was accepted is in the journal, once, for one player, and no other is."""
    kept = {id: bet for round in books.rounds for id, bet in round.bets.items()}
    rounds = {id: f"R{round.number}" for round in books.rounds for id in round.bets}
    assert sum(len(round.bets) for round in books.rounds) == len(kept), "two bets have one id"
    assert sum(len(book.bets) for book in bettors) == len(kept)
    owners = []
    for book in bettors:
        for id, bet in book.bets.items():
            written = (rounds[id], kept[id]["side"], kept[id]["amount"])
            assert written == (bet.round, bet.side, bet.amount), id
        (player,) = {kept[id]["player"] for id in book.bets}
        assert books.balances[player] == book.balance
        owners.append(player)
    assert len(set(owners)) == len(bettors), "two bettors are one player"
    full = [round for round in books.rounds if is_full(round, owners)]
    assert len(full) >= ROUNDS // 2, "it was to be a full table"


def is_full(round: JournalRound, owners: list[int]) -> bool:
    """Whether bets came through both doors, on both sides."""
    bets = round.bets.values()
    places = {(bet["player"] in owners[:MEMBERS], bet["side"]) for bet in bets}
    return len(places) == 4


async def check_statement(hall: HallProcess, name: str, balance: int) -> None:
    """What the native door tells the same account adds up to what it has."""
    async with await Client.connect(hall.tcp_url) as native:
        await native.ask("login", name=name, password=PASSWORD)
        items: list[Json] = []
        before = None
        while True:
            page = await native.ask("statement", **({"before": before} if before else {}))
            items += page["items"]
            before = page["next"]
            if before is None:
                break
        assert sum(item["chips"] for item in items) == balance
        assert len({item["id"] for item in items}) == len(items)
        assert (await native.ask("balance"))["balance"] == balance


async def check_table_info(clients: list[SicBoClient], books: Books) -> None:
    """The history that clients show is what the journal says."""
    kept = {f"R{round.number}": round for round in books.rounds}
    for client in clients:
        histories = (await client.ask("get_table_info"))["datas"]["histories"]
        numbers = [number_of(past["roundId"]) for past in histories]
        assert len(numbers) >= ROUNDS
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        for past in histories:
            if past["roundId"] in kept and kept[past["roundId"]].over:
                assert_same_round(past, kept[past["roundId"]])


def assert_same_round(told: Json, kept: JournalRound) -> None:
    assert (told["dice"], told["result"]) == (kept.dice, kept.result)
    bets = kept.bets.values()
    for side in ("Big", "Small"):
        own = [bet for bet in bets if bet["side"] == side.upper()]
        assert told[f"totalBet{side}"] == sum(bet["amount"] for bet in own)
        assert told[f"betPlayer{side}"] == len({bet["player"] for bet in own})
    assert told["betPlayer"] == len({bet["player"] for bet in bets})


async def test_one_account_at_all_doors(tmp_path: Path) -> None:
    """The same name is one player: bets and balance are the same everywhere, at the same time."""
    settings = ("sicbo.betting_seconds=1.5", "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=0.1")
    async with AsyncExitStack() as stack:
        hall = stack.enter_context(HallProcess(tmp_path, settings=settings, doors=DOORS))
        book = Book()
        mario = await MarioClient.connect(mario_urls(hall)[0], book, seed=1)
        rfc = await RfcClient.connect(rfc_urls(hall)[0], book, seed=2)
        for client in (mario, rfc):
            await stack.enter_async_context(client)
        await mario.login("anna", PASSWORD)
        await rfc.login("anna", PASSWORD)
        await rfc.subscribe()
        for _ in range(2):
            last = max(number_of(id) for id in (*mario.follower.rounds, *rfc.follower.rounds))
            round = await open_round(rfc, last)
            assert await open_round(mario, last) == round
            for client in (mario, rfc):
                await client.bet(round, "BIG", 1000)
                await client.bet(round, "SMALL", 700)
            for client in (mario, rfc):
                await over(client, round)
                assert await client.balance() == book.balance
        await check_statement(hall, "anna", book.balance)
        assert Books(tmp_path).balance_of("anna") == book.balance
