"""What the `watch` door tells: matches that are played, and how those before have ended."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists
from tests.doors.duel.judge import DRAWN, LOST, WON, marks, match_that_ends, turns
from tests.doors.watch.pages import Page
from tests.support.processes import HallProcess

SETTINGS = ("duel.size=3", "duel.close_seconds=0")
WINNERS = {WON: "7", LOST: "8", DRAWN: None}


@pytest.fixture
def page(hall: HallProcess) -> Iterator[Page]:
    with Page(f"ws://127.0.0.1:{hall.ports['watch']}/") as page:
        yield page


def newest(page: Page) -> str:
    """The room of the match that began last."""
    rooms: list[str] = list(page.ping()["game_state"])
    return max(rooms, key=int)


def finish(first: Client, second: Client, picks: list[int]) -> None:
    for picker, other, number in turns(first, second, picks):
        picker.pick(number)
        other.take(p.PICKED)
        if number != picks[-1]:
            other.take(p.YOURS)
    first.read()
    first.take(p.OTHER_BOARD)


def test_a_running_match(at: Duelists, page: Page) -> None:
    first, second, _ = at.pair()
    room = newest(page)
    assert page.ping()["game_state"][room] == {"players": ["7", "8"], "next_move": "8"}
    boards = first.board, second.board
    assert page.detail(room) == {
        "msg": "get",
        "res": [
            {"uid": uid, "board": board, "history": {}}
            for uid, board in zip(("7", "8"), boards, strict=True)
        ],
        "next_move": "8",
        "winner": None,
    }
    second.pick(5)
    first.take(p.PICKED, p.YOURS)
    first.pick(9)
    second.take(p.PICKED, p.YOURS)
    second.pick(2)
    first.take(p.PICKED, p.YOURS)
    assert page.ping()["game_state"][room]["next_move"] == "7"
    detail = page.detail(room)
    assert [side["history"] for side in detail["res"]] == [
        marks(board, [5, 9, 2]) for board in boards
    ]
    assert list(detail["res"][0]["history"]) == ["5", "9", "2"]
    assert detail["next_move"] == "7"


@pytest.mark.parametrize("ends", [WON, LOST, DRAWN])
def test_a_finished_match(at: Duelists, page: Page, ends: str) -> None:
    first, second, picks = match_that_ends(at, ends)
    room = newest(page)
    finish(first, second, picks)
    answer = page.ping()
    assert room not in answer["game_state"]
    latest = answer["game_history"][0]
    boards = first.board, second.board
    assert latest == {
        "time": latest["time"],
        "data": {
            "match_id": at.new_match() - 1,
            "room_id": room,
            "uid_1": "7",
            "uid_2": "8",
            "game_board_1": boards[0],
            "game_board_2": boards[1],
            "history_1": marks(boards[0], picks),
            "history_2": marks(boards[1], picks),
            "winner": WINNERS[ends],
        },
    }
    assert isinstance(latest["time"], int)
    detail = page.detail(room)
    assert (detail["next_move"], detail["winner"]) == ("", WINNERS[ends])
    assert [side["board"] for side in detail["res"]] == list(boards)


def test_the_newest_come_first_and_no_more_than_fifty(at: Duelists, page: Page) -> None:
    for _ in range(52):
        first, second, picks = match_that_ends(at, WON)
        finish(first, second, picks)
        first.close()
        second.close()
    history = page.ping()["game_history"]
    assert len(history) == 50
    times = [item["time"] for item in history]
    assert times == sorted(times, reverse=True)
    assert history[0]["data"]["match_id"] == at.new_match() - 1


def test_what_ended_last_comes_first_though_it_began_before(at: Duelists, page: Page) -> None:
    slow_first, slow_second, picks = match_that_ends(at, WON)
    slow = newest(page)
    quick = match_that_ends(at, LOST)
    finish(*quick)
    finish(slow_first, slow_second, picks)
    rooms = [item["data"]["room_id"] for item in page.ping()["game_history"][:2]]
    assert rooms[0] == slow
    assert int(rooms[1]) > int(slow)


def test_a_room_may_be_asked_for_by_its_number(at: Duelists, page: Page) -> None:
    at.pair()
    room = newest(page)
    assert page.detail(int(room)) == page.detail(room)


@pytest.mark.parametrize(
    "message",
    [
        {"msg": "detail", "room_id": "999999"},
        {"msg": "detail", "room_id": "0"},
        {"msg": "detail", "room_id": "-1"},
        {"msg": "detail", "room_id": "1.0"},
        {"msg": "detail", "room_id": "٣"},
        {"msg": "detail", "room_id": "9" * 400},
        {"msg": "detail", "room_id": 10**30},
        {"msg": "detail", "room_id": 1.5},
        {"msg": "detail", "room_id": None},
        {"msg": "detail", "room_id": True},
        {"msg": "detail", "room_id": ["1"]},
        {"msg": "detail"},
        {"msg": "pong"},
        {"msg": "x" * 5000},
        {"msg": 1},
        {},
        [],
        "ping",
        "{",
        "null",
        "[" * 5000,
        b'{"msg": "ping"}',
    ],
)
def test_what_is_not_understood_is_said_so(page: Page, message: object) -> None:
    assert len(page.error(message)) <= 500
    page.ping()


def test_a_match_that_has_not_begun_is_no_room(at: Duelists, page: Page) -> None:
    at.pair()
    running = newest(page)
    at.enters(f"7:8:{at.new_match()}:the key", 7)
    room = int(running) + 1
    assert str(room) not in page.ping()["game_state"]
    assert "begun" in page.error({"msg": "detail", "room_id": str(room)})


def test_more_fields_and_blank_messages_do_no_harm(page: Page) -> None:
    page.send("")
    page.send("  \n")
    assert page.ask({"msg": "ping", "since": 3})["msg"] == "get"


def test_answers_come_in_the_order_of_the_questions(at: Duelists, page: Page) -> None:
    at.pair()
    room = newest(page)
    messages = [{"msg": "ping"}, {"msg": "detail", "room_id": room}, {"msg": "?"}] * 10
    for message in messages:
        page.send(message)
    kinds = [list(page.receive())[1] for _ in messages]
    assert kinds == ["game_state", "res", "error"] * 10


def test_many_pages_ask_again_and_again(at: Duelists, hall: HallProcess) -> None:
    first, second, picks = match_that_ends(at, WON)

    def look(_: int) -> int:
        with Page(f"ws://127.0.0.1:{hall.ports['watch']}/") as page:
            return sum(bool(page.ping()["game_history"]) for _ in range(15))

    finish(first, second, picks)
    with ThreadPoolExecutor(10) as pages:
        assert list(pages.map(look, range(10))) == [15] * 10


@pytest.mark.parametrize("path", ["/", "/any/path?at=all"])
def test_any_path_of_its_own_port(hall: HallProcess, path: str) -> None:
    with Page(f"ws://127.0.0.1:{hall.ports['watch']}{path}") as page:
        page.ping()


def test_its_path_at_the_web_port_and_pages_of_other_sites(hall: HallProcess) -> None:
    url = f"ws://127.0.0.1:{hall.ports['native']}/watch"
    with Page(url, origin="https://elsewhere.example") as page:
        page.ping()
