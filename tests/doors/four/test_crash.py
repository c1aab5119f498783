"""The hall is killed in the middle of games: all who come back find them as they were."""

from __future__ import annotations

from pathlib import Path

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors, new_name, open_hall
from tests.doors.four.natives import Native
from tests.doors.four.playing import (
    WON_BY_FIRST,
    WON_BY_SECOND,
    all_of,
    back_in_game,
    over,
    over_for,
    play,
    start,
    update,
    whole_game,
)
from tests.doors.native.playing import drop
from tests.support.processes import HallProcess, Process


def kill(hall: HallProcess) -> None:
    hall.restart()


async def test_a_game_goes_on_after_each_kill(tmp_path: Path) -> None:
    with open_hall(tmp_path) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        free = await at.four("carl")
        game = await start(anna, bob)
        columns = WON_BY_SECOND
        for turn in range(0, len(columns), 3):
            end = min(turn + 3, len(columns) - 1)
            # Both were told of the last move, so it is on the board for ever.
            await play(anna, bob, columns[:end], turn)
            kill(hall)
            for player in (anna, bob):
                await player.end()
            if turn % 2:
                bob = await back_in_game(at.port, bob, 2, anna.name, game, columns[:end])
                anna = await back_in_game(at.port, anna, 1, bob.name, game, columns[:end])
            else:
                anna = await back_in_game(at.port, anna, 1, bob.name, game, columns[:end])
                bob = await back_in_game(at.port, bob, 2, anna.name, game, columns[:end])
        await play(anna, bob, columns, len(columns) - 1)
        await over(anna, bob, bob)
        # Who was not in a game is somebody new.
        again = await (await at.stranger()).register(free.name)
        assert again.id not in (anna.id, bob.id, free.id)
        await whole_game(again, anna)
        await verified(hall, game)
        at.check_log()


async def test_a_move_of_which_the_answer_was_lost(tmp_path: Path) -> None:
    """It is on the board or it is not, and then it can be made; in both cases once."""
    with open_hall(tmp_path) as hall:
        at = Visitors(hall)
        pairs = [await at.pair() for _ in range(10)]
        for pair in pairs:
            await start(*pair)
        for anna, _ in pairs:
            anna.play(2)
        # By then some are written, some are not, and some have not even arrived.
        await pairs[0][0].until(lambda: bool(pairs[0][0].left_over))
        kill(hall)
        await all_of(*(player.end() for pair in pairs for player in pair))
        await all_of(*(moved_once(at, *pair) for pair in pairs))
        at.check_log()


async def moved_once(at: Visitors, anna: Four, bob: Four) -> None:
    told = any(stone for m in anna.left_over for stone in m["data"]["board"][5])
    again = await (await at.stranger()).register(anna.name)
    other = await (await at.stranger()).register(bob.name)
    for player, before in ((again, anna), (other, bob)):
        assert player.id == before.id
        await player.take("GAME_START")
    boards = [(await player.take("GAME_UPDATE"))["board"] for player in (again, other)]
    assert boards[0] == boards[1]
    if not any(boards[0][5]):
        assert not told, "it was told and is gone"
        again.play(2)
        for player in (again, other):
            assert await player.take("GAME_UPDATE") == update((2,), anna.id, bob.id)
    else:
        assert boards[0] == update((2,), anna.id, bob.id)["board"]
    again.play(2)
    await again.error()
    for player in (again, other):
        await player.quiet()


async def test_against_a_native_player_and_with_one_name(tmp_path: Path) -> None:
    with open_hall(tmp_path) as hall:
        at = Visitors(hall)
        anna, nora = await at.four("anna"), Native(await at.native("nora"))
        await nora.meets(anna, first=True)
        await drop(nora.client, nora.table, 3)
        await anna.take("GAME_UPDATE")
        name = new_name("namesake")
        twins = [await (await at.stranger()).register(name) for _ in range(2)]
        twins[0].challenge(twins[1])
        await twins[1].take("CHALLENGE_RECEIVED")
        twins[1].accept(twins[0])
        starts = {twin.id: await twin.take("GAME_START") for twin in twins}
        kill(hall)
        # The hall knows who they are, although one of them is shown under another name.
        again = [await (await at.stranger()).register(name) for _ in range(2)]
        assert {twin.id for twin in again} == set(starts)
        for twin in again:
            assert await twin.take("GAME_START") == starts[twin.id]
            await twin.take("GAME_UPDATE")
        third = await (await at.stranger()).register(name)
        assert third.id not in starts
        first, second = sorted(again, key=lambda twin: starts[twin.id]["your_number"])
        await play(first, second, WON_BY_FIRST)
        anna = await back_in_game(at.port, anna, 2, nora.name, nora.table, (3,))
        client = await at.native_again(nora.client.token)
        anna.play(3)
        assert await anna.take("GAME_UPDATE") == update((3, 3), nora.id, anna.id)
        await client.ask("leave", table=nora.table)
        await over_for(anna, anna)
        at.check_log()


async def test_from_another_address_one_is_somebody_else(tmp_path: Path) -> None:
    with open_hall(tmp_path) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        game = await start(anna, bob)
        kill(hall)
        thief = await (await at.stranger(address="127.0.0.2")).register(bob.name)
        assert thief.id not in (anna.id, bob.id)
        await thief.quiet()
        again = await back_in_game(at.port, bob, 2, anna.name, game, ())
        await again.quiet()


async def verified(hall: HallProcess, game: int) -> None:
    with Process("verify", f"{hall.web_url}/api/tables/{game}/journal") as process:
        assert process.wait() == 0, process.report()
    assert process.stdout[-1].startswith("Verified"), process.report()
