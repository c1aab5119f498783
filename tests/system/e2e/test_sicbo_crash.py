"""kill -9 while people bet, dice roll and chips move: nothing is lost and nothing is doubled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Lost
from tests.system.e2e.programs import faulty, write_number
from tests.system.e2e.sicbo_bettors import DOORS, guests, open_round, over
from tests.system.e2e.sicbo_connection import SicBoClient
from tests.system.e2e.sicbo_ledger import Books
from tests.system.e2e.sicbo_rounds import Book, number_of
from tests.system.e2e.sicbo_survivors import Gambler, Wager, check_gamblers
from tests.system.e2e.survivors import Shore

LONG = ("sicbo.betting_seconds=30", "sicbo.reveal_seconds=0.2", "sicbo.pause_seconds=0.2")
"""Time enough to start a hall while people may still bet."""
SHORT = ("sicbo.betting_seconds=4", "sicbo.reveal_seconds=0.3", "sicbo.pause_seconds=0.3")
QUICK = (
    "sicbo.betting_seconds=0.3",
    "sicbo.reveal_seconds=0.1",
    "sicbo.pause_seconds=0.1",
    "limits.messages_per_second=0",  # Tests are faster than people.
)
ANSWERS_MAX = 60
"""Between two kills."""


class Scene:
    """A hall whose commits can be held, two members at different doors and a guest."""

    def __init__(self, folder: Path, fault: str, settings: tuple[str, ...]) -> None:
        self.data = folder / "data"
        self.hall = HallProcess(self.data, settings=settings, doors=DOORS, **faulty(fault))
        self._held, self._hold = folder / "held", folder / "hold"
        shore = Shore(self.hall)
        self.gamblers = [Gambler(shore, "anna", "rfc", 1), Gambler(shore, "bob", "mario", 2)]

    async def clients(self) -> list[SicBoClient]:
        return [await gambler.connected() for gambler in self.gamblers]

    async def new_round(self) -> str:
        """A round that has just begun to take bets, and that all are told of."""
        clients = await self.clients()
        last = max(number_of(id) for client in clients for id in client.follower.rounds)
        return await self.round_after(last)

    async def round_after(self, last: int) -> str:
        clients = await self.clients()
        ids = [await open_round(client, last) for client in clients]
        assert len(set(ids)) == 1
        return ids[0]

    async def bet(self, round: str) -> list[Wager]:
        """Everyone bets on both sides, and all bets are acknowledged."""
        both = [(gambler, side) for gambler in self.gamblers for side in ("BIG", "SMALL")]
        wagers = [await gambler.wager(round, side) for gambler, side in both]
        placing = [gambler.place(wager) for (gambler, _), wager in zip(both, wagers, strict=True)]
        await asyncio.gather(*placing)
        assert all(wager.answers for wager in wagers), wagers
        return wagers

    def hold_commits(self) -> None:
        self._held.unlink(missing_ok=True)
        write_number(self._hold, 0)

    async def until_held(self) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while not (self._held.exists() and self._held.read_text() == "1"):
                await asyncio.sleep(0.002)

    async def kill(self) -> None:
        """Kills the hall, be it while it holds a commit, and starts it again."""
        await asyncio.to_thread(self.hall.kill)
        self._hold.unlink(missing_ok=True)
        for gambler in self.gamblers:
            with pytest.raises(Lost):
                await gambler.connections[-1].until(lambda: False)
        await asyncio.to_thread(self.hall.start)

    async def finish(self) -> Books:
        """The books after everyone has gone and the hall has stopped; the doctor agrees."""
        for gambler in self.gamblers:
            await gambler.close()
        assert await asyncio.to_thread(self.hall.stop) == 0
        books = Books(self.data)
        check_gamblers(self.gamblers, books)
        await asyncio.to_thread(doctor_finds_nothing, self.data)
        return books


def doctor_finds_nothing(data: Path) -> None:
    with Process("doctor", f"--data={data}") as doctor:
        assert doctor.wait() == 0, doctor.report()


async def at_both_moments(
    run: Callable[[Path, str], Coroutine[None, None, None]], folder: Path
) -> None:
    """Killed before the commit has written anything, and when all of it is written.

    In two halls side by side, since most of the time is spent waiting.
    """
    async with asyncio.TaskGroup() as group:
        for moment in ("before", "after"):
            (folder / moment).mkdir()
            group.create_task(run(folder / moment, moment))


@pytest.mark.slow
async def test_a_kill_while_bets_are_written(tmp_path: Path) -> None:
    """The round goes on; a bet that was not acknowledged counts once, however often it is sent."""
    await at_both_moments(kill_while_bets_are_written, tmp_path)


async def kill_while_bets_are_written(folder: Path, moment: str) -> None:
    scene = Scene(folder, f"{moment}={folder}", LONG)
    with scene.hall:
        round = await scene.round_after(0)
        acknowledged = await scene.bet(round)
        scene.hold_commits()
        wagers = [await gambler.wager(round, "BIG") for gambler in scene.gamblers]
        both = list(zip(scene.gamblers, wagers, strict=True))
        posted = [await gambler.post(wager) for gambler, wager in both]
        await scene.until_held()
        assert not any(answered.done() for answered in posted)
        await scene.kill()
        clients = await scene.clients()
        for client in clients:
            # The same round, with the same promise.
            assert [*client.follower.rounds] == [round]
        for gambler, wager in both:
            await gambler.place(wager, again=True)
            await gambler.place(wager, again=True)
        # What was written is acknowledged however late it is; the rest as long as one may bet.
        open_still = all(client.follower.step == "BETTING_OPEN" for client in clients)
        for wager in wagers:
            assert len(wager.answers) == 2 or (moment == "before" and not open_still), wager
        first = scene.gamblers[0]
        await first.place(acknowledged[0], again=True)
        for client in clients:
            await over(client, round)
        assert len(acknowledged[0].answers) == 2
        books = await scene.finish()
    in_round = next(r for r in books.rounds if f"R{r.number}" == round)
    assert len(in_round.bets) == len(acknowledged) + sum(bool(w.answers) for w in wagers)


async def before_the_close(scene: Scene, round: str) -> None:
    scene.hold_commits()


async def before_the_reveal(scene: Scene, round: str) -> None:
    for client in await scene.clients():
        await client.until(lambda client=client: client.follower.step == "BETTING_CLOSE")  # type: ignore[misc]
    scene.hold_commits()


async def before_the_next_round(scene: Scene, round: str) -> None:
    for client in await scene.clients():
        await over(client, round)
    scene.hold_commits()


STEPS: dict[str, Callable[[Scene, str], Awaitable[None]]] = {
    "BETTING_OPEN": before_the_close,
    "BETTING_CLOSE": before_the_reveal,
    "game_over": before_the_next_round,
}
"""What was told last when the hall dies: what comes next is being written, or is written."""


@pytest.mark.slow
async def test_a_kill_at_every_step_of_a_round(tmp_path: Path) -> None:
    """Closing, rolling and paying, and opening the next round, each interrupted in its commit."""
    await at_both_moments(kill_at_every_step, tmp_path)


async def kill_at_every_step(folder: Path, moment: str) -> None:
    scene = Scene(folder, f"{moment}={folder}", SHORT)
    async with AsyncExitStack() as stack:
        stack.enter_context(scene.hall)
        guest_books: list[Book] = []
        for told_last, go_there in STEPS.items():
            (guest,) = await guests(scene.hall, 1, stack)
            guest_books.append(guest.book)
            round = await scene.new_round()
            await scene.bet(round)
            await guest.bet(round, "BIG", 5000)
            await go_there(scene, round)
            await scene.until_held()
            for client in await scene.clients():
                assert client.follower.step == told_last, "told before it was written"
            Books(scene.data)
            await scene.kill()
            Books(scene.data)
        round = await scene.new_round()
        await scene.bet(round)
        for client in await scene.clients():
            await over(client, round)
        books = await scene.finish()
    check_guests(guest_books, books)


def check_guests(guest_books: list[Book], books: Books) -> None:
    """Guests can't come back; their bets stand all the same."""
    results = {f"R{round.number}": round.result for round in books.rounds}
    bets = {id: bet for round in books.rounds for id, bet in round.bets.items()}
    for book in guest_books:
        book.results.update(results)
        (id,) = book.bets
        assert books.balances[bets[id]["player"]] == book.balance


@pytest.mark.slow
async def test_a_kill_between_close_and_reveal(tmp_path: Path) -> None:
    """Whoever is back in time sees the dice roll; the commitment was made before the kill."""
    settings = ("sicbo.betting_seconds=4", "sicbo.reveal_seconds=30", "sicbo.pause_seconds=0.2")
    scene = Scene(tmp_path, f"before={tmp_path}", settings)
    with scene.hall:
        round = await scene.round_after(0)
        await scene.bet(round)
        for client in await scene.clients():
            await client.until(lambda client=client: client.follower.step == "BETTING_CLOSE")  # type: ignore[misc]
        await scene.kill()
        for client in await scene.clients():
            assert [*client.follower.rounds] == [round]
            if client.follower.step != "game_over":
                await over(client, round)
                assert await client.balance() == client.book.balance
        await scene.finish()


async def kills_are_survived(data: Path, kills: int, seed: int) -> None:
    rng = Random(seed)
    with HallProcess(data, settings=QUICK, doors=DOORS) as hall:
        shore = Shore(hall)
        gamblers = [
            Gambler(shore, f"member{n}", ("rfc", "mario")[n % 2], seed * 10_000 + n * 1000)
            for n in range(4)
        ]
        enough = asyncio.Event()

        async def kill_often() -> None:
            for _ in range(kills):
                await shore.more_answers(rng.randrange(ANSWERS_MAX))
                await asyncio.sleep(rng.random() / 2)  # Anywhere in a round.
                await shore.crash()
                Books(data)
            await shore.more_answers(ANSWERS_MAX)
            enough.set()

        async with asyncio.TaskGroup() as group:
            group.create_task(kill_often())
            for gambler in gamblers:
                group.create_task(gambler.bet_until(enough))
        for gambler in gamblers:
            client = await gambler.connected()
            await over(client, await open_round(client, 0))
            await gambler.close()
        assert hall.stop() == 0
    books = Books(data)
    check_gamblers(gamblers, books)
    doctor_finds_nothing(data)
    # It was a storm, and not a lull.
    assert sum(len(gambler.connections) for gambler in gamblers) > kills
    assert sum(len(round.bets) for round in books.rounds) > ANSWERS_MAX


@pytest.mark.slow
async def test_kills_at_random_moments(tmp_path: Path) -> None:
    await kills_are_survived(tmp_path, 3, 1)


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_many_kills_at_random_moments(tmp_path: Path) -> None:
    await kills_are_survived(tmp_path, 60, 2)


# That these tests can fail


async def test_a_hall_that_accepts_bets_too_early_is_found_out(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "early", LONG)
    with scene.hall:
        round = await scene.round_after(0)
        for _ in range(2):  # This hall is honest about the first rows.
            await scene.bet(round)
        scene.hall.kill()
        for gambler in scene.gamblers:
            await gambler.close()
    with pytest.raises(AssertionError, match="is lost"):
        check_gamblers(scene.gamblers, Books(scene.data))
