"""Matches that were not made at the `duel` door, rounds after a crash, and what is hidden."""

from __future__ import annotations

from pathlib import Path

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Duelists, open_hall
from tests.doors.duel.judge import marks, played_out, turns
from tests.doors.native.clients import Client
from tests.doors.native.visitors import Visitors
from tests.doors.watch.pages import Page
from tests.support.processes import HallProcess

SETTINGS = ("duel.size=3", "duel.close_seconds=0")


async def challenged(anna: Client, bob: Client) -> int:
    await anna.ask("challenge", player=bob.id, game="bingo-duel", options={"size": 3})
    challenge = (await bob.notice("challenged"))["challenge"]
    table: int = (await bob.ask("accept", challenge=challenge))["table"]
    for client in (anna, bob):
        await client.notice("table_view", table=table, status="playing")
    return table


async def pick(client: Client, table: int, number: int) -> None:
    await client.ask("act", table=table, command={"type": "pick", "number": number})


def page_at(hall: HallProcess) -> Page:
    return Page(f"ws://127.0.0.1:{hall.ports['watch']}/")


async def test_native_tables_are_shown_by_their_players_names(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Visitors(hall)
        anna, bob = await at.guest("anna"), await at.guest("bob")
        table = await challenged(anna, bob)
        with page_at(hall) as page:
            room = str(table)
            assert page.ping()["game_state"][room]["players"] == ["anna", "bob"]
            await bob.ask("act", table=table, command={"type": "resign"})
            data = page.ping()["game_history"][0]["data"]
            assert (data["uid_1"], data["uid_2"], data["winner"]) == ("anna", "bob", "anna")
            assert (data["match_id"], data["room_id"]) == (None, room)
            # Another round at the same table, with the seats the other way round.
            for client in (anna, bob):
                await client.ask("rematch", table=table)
            assert page.ping()["game_state"][room]["players"] == ["bob", "anna"]
            assert page.detail(room)["next_move"] == "anna"
            assert len(page.ping()["game_history"]) == 1
        await at.leave()


async def test_of_a_rated_game_only_what_was_picked_is_shown_before_the_end(
    tmp_path: Path,
) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Visitors(hall)
        both = [await at.guest("anna"), await at.guest("bob")]
        for client in both:
            await client.ask("seek", game="bingo-duel", options={"size": 3}, rated=True)
        seats = [(await client.notice("seated"))["seat"] for client in both]
        first, second = (both[seats.index(seat)] for seat in (0, 1))
        boards = [
            (await client.notice("table_view", status="playing"))["view"]["sides"][seat]["board"]
            for seat, client in enumerate((first, second))
        ]
        await pick(second, 1, 5)
        await pick(first, 1, 7)
        with page_at(hall) as page:
            shown = page.detail("1")["res"]
            for side, board in zip(shown, boards, strict=True):
                hidden = [[n if n in (5, 7) else 0 for n in row] for row in board]
                assert side["board"] == hidden != board
                assert side["history"] == marks(board, [5, 7])
            await first.ask("act", table=1, command={"type": "resign"})
            assert [side["board"] for side in page.detail("1")["res"]] == boards
            data = page.ping()["game_history"][0]["data"]
            assert [data["game_board_1"], data["game_board_2"]] == boards
        await at.leave()


async def test_private_tables_and_other_games_are_no_rooms(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Visitors(hall)
        anna, bob = await at.guest("anna"), await at.guest("bob")
        private = await anna.ask("open_table", game="bingo-duel", private=True)
        await anna.ask("sit", table=private["table"])
        await bob.ask("sit", table=private["table"], key=private["key"])
        other = (await anna.ask("open_table", game="connect-four", bots=["random"]))["table"]
        await anna.ask("sit", table=other)
        with page_at(hall) as page:
            assert page.ping()["game_state"] == {}
            for table in (private["table"], other):
                page.error({"msg": "detail", "room_id": str(table)})
        await at.leave()


def test_the_same_after_the_hall_was_killed(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Duelists(hall)
        first, second, _ = at.pair()
        picks, _ = played_out(first.board, second.board, list(range(1, 10)))
        for picker, other, number in turns(first, second, picks):
            picker.pick(number)
            other.take(p.PICKED)
            if number != picks[-1]:
                other.take(p.YOURS)
        running, opponent, _ = at.pair()
        opponent.pick(1)
        running.take(p.PICKED, p.YOURS)
        with page_at(hall) as page:
            before = page.ping(), page.detail("1"), page.detail("2")
        hall.restart()
        with page_at(hall) as page:
            # Nobody is back yet: this comes from the journal alone, also when asked again.
            for _ in range(2):
                assert (page.ping(), page.detail("1"), page.detail("2")) == before
        assert before[0]["game_state"] == {"2": {"players": ["7", "8"], "next_move": "7"}}
        at.leave()
