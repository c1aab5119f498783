"""Members who bet while the hall is killed under them, and whether the books agree with them.

They log in again, send again what was not answered, with the same id, and go on. In a round no two
bets of one of them have the same amount, so that each is found again in the journal.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json, Lost
from tests.system.e2e.sicbo_bettors import PASSWORD, mario_urls, open_round, rfc_urls
from tests.system.e2e.sicbo_clients import MarioClient, RfcClient
from tests.system.e2e.sicbo_connection import RequestId, SicBoClient
from tests.system.e2e.sicbo_ledger import Books
from tests.system.e2e.sicbo_rounds import Bet, Book, number_of
from tests.system.e2e.survivors import Shore

IN_ROUND = ("BETTING_OPEN", "BETTING_CLOSE", "reveal_result", "payout")


@dataclass
class Wager:
    """A bet as it was asked for, and what became of it."""

    id: RequestId
    round: str
    side: str
    amount: int
    answers: list[Json] = field(default_factory=list)
    """The payloads of `bet_accepted`, one for each time it was answered."""
    refused: str | None = None
    doubtful: bool = False
    """Refused when it was sent again after its round: whether it had counted is not told."""

    @property
    def payload(self) -> Json:
        return {"roundId": self.round, "side": self.side, "amount": self.amount}


class Gambler:
    """One member on many connections, all of the same door."""

    def __init__(self, shore: Shore, name: str, door: str, seed: int) -> None:
        self.name = name
        self.book = Book()
        self.wagers: list[Wager] = []
        self.connections: list[SicBoClient] = []
        self._shore = shore
        self._door = door
        self._seed = seed

    async def connected(self) -> SicBoClient:
        """A connection on which this member is logged in and hears of every round."""
        while True:
            if self.connections and self.connections[-1].alive:
                return self.connections[-1]
            await self._shore.stands()
            try:
                return await self._come_back()
            except Lost:
                continue

    async def _come_back(self) -> SicBoClient:
        hall, seed = self._shore.hall, self._seed + len(self.connections)
        if self._door == "rfc":
            rfc = await RfcClient.connect(rfc_urls(hall)[seed % 2], self.book, seed)
            self.connections.append(rfc)
            await rfc.login(self.name, PASSWORD)
            await rfc.subscribe()
            return rfc
        mario = await MarioClient.connect(mario_urls(hall)[seed % 2], self.book, seed)
        self.connections.append(mario)
        await mario.login(self.name, PASSWORD)
        return mario

    async def wager(self, round: str, side: str) -> Wager:
        """A new bet, not sent yet."""
        client = await self.connected()
        amount = 1000 + sum(wager.round == round for wager in self.wagers)
        wager = Wager(client.new_id(), round, side, amount)
        self.wagers.append(wager)
        return wager

    async def post(self, wager: Wager, *, again: bool = False) -> asyncio.Future[Json]:
        client = await self.connected()
        return await client.post("place_bet", wager.payload, id=wager.id, again=again)

    async def place(self, wager: Wager, *, again: bool = False) -> None:
        """Returns when it is answered, however often the hall is killed before."""
        while True:
            try:
                answered = await self.post(wager, again=again)
                async with asyncio.timeout(WAIT_SECONDS):
                    answer = await answered
            except Lost:
                again = True
                continue
            break
        await self._shore.count_answer()
        if answer["action"] == "bet_accepted":
            wager.answers.append(answer["payload"])
            return
        wager.refused = answer["payload"]["code"]
        follower = self.connections[-1].follower
        still_there = follower.step in IN_ROUND and [*follower.rounds][-1] == wager.round
        wager.doubtful = again and not still_there

    async def bet_until(self, enough: asyncio.Event) -> None:
        """Bets in every round that comes, now and then the same bet twice."""
        while not enough.is_set():
            try:
                client = await self.connected()
                round = await open_round(client, 0)
            except Lost:
                continue
            wager = await self.wager(round, client.rng.choice(["BIG", "SMALL"]))
            await self.place(wager)
            if wager.answers and client.rng.random() < 0.3:
                await self.place(wager, again=True)

    async def close(self) -> None:
        for client in self.connections:
            await client.close()


def check_gamblers(gamblers: list[Gambler], books: Books) -> None:
    """What was acknowledged is there once, nothing else is, and every balance follows from it."""
    numbers = [round.number for round in books.rounds]
    assert numbers == list(range(1, len(numbers) + 1)), "a round is missing, or there twice"
    placed: dict[tuple[str, str, str, int], list[str]] = {}
    for round in books.rounds:
        for id, bet in round.bets.items():
            who = books.names[bet["player"]]
            key = (who, f"R{round.number}", bet["side"], bet["amount"])
            placed.setdefault(key, []).append(id)
    for gambler in gamblers:
        for wager in gambler.wagers:
            key = (gambler.name, wager.round, wager.side, wager.amount)
            ids = placed.pop(key, [])
            assert len(ids) <= 1, f"{key} was counted twice"
            _check_wager(gambler, wager, ids)
        for round in books.rounds:
            if round.over:
                gambler.book.results.setdefault(f"R{round.number}", round.result)
        _check_told(gambler, books)
        told = gambler.book.balance
        assert books.balance_of(gambler.name) == told, f"{gambler.name} reckons with {told}"
    names = {gambler.name for gambler in gamblers}
    unasked = [key for key in placed if key[0] in names]
    assert unasked == [], f"nobody asked for {unasked}"


def _check_wager(gambler: Gambler, wager: Wager, ids: list[str]) -> None:
    what = f"{gambler.name}: {wager}"
    assert all(answer == wager.answers[0] for answer in wager.answers), what
    if wager.answers:
        assert ids == [wager.answers[0]["betId"]], f"{what} is lost: {ids}"
    elif wager.doubtful and ids:
        gambler.book.bets[ids[0]] = Bet(wager.round, wager.side, wager.amount)
    else:
        assert ids == [], f"{what} was refused, and counted"


def _check_told(gambler: Gambler, books: Books) -> None:
    """No connection was told of a round otherwise than the journal has it, nor went back."""
    kept = {f"R{round.number}": round for round in books.rounds}
    last = 0
    for client in gambler.connections:
        for id, told in client.follower.rounds.items():
            assert told.commitment in (kept[id].commitment, None), id
            if told.dice:
                assert (told.dice, told.secret) == (kept[id].dice, kept[id].secret), id
        numbers = [number_of(id) for id in client.follower.rounds]
        assert numbers == sorted(numbers)
        assert not numbers or numbers[0] >= last, "an earlier round came again"
        last = max([last, *numbers])
