"""Called Bingo: the hall's own table, to which everyone is taken at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.shapes import LOGOUT, OVER, ROOM, SEEK, START, TOLD, WAITING

Card = list[list[int]]
"""Five columns of five; a free centre is 0."""
EMPTY: Json = {
    "playing": False, "card": None, "called": [], "players": 0, "ready": 0, "winner": None,
}  # fmt: skip


async def sit(player: Practice) -> tuple[int, int]:
    """The room and the seat."""
    player.seek("bingo")
    assert await player.take(WAITING) is None
    return await start(player)


async def start(player: Practice) -> tuple[int, int]:
    told = await player.take(START, game_id="bingo")
    options = {"pause_seconds": 0.005, "ready_seconds": 3600, "free_centre": True}
    assert told["content"] == {"options": options, "view": EMPTY}
    return told["room"], told["move_turn"]


def lines(card: Card) -> list[list[int]]:
    rows = [list(row) for row in zip(*card, strict=True)]
    diagonals = [[card[n][n] for n in range(5)], [card[n][4 - n] for n in range(5)]]
    return [*card, *rows, *diagonals]


def has_bingo(card: Card, called: Iterable[int]) -> bool:
    done = {0, *called}
    return any(done.issuperset(line) for line in lines(card))


async def told(player: Practice, room: int, action: str, view: Json, **fields: Any) -> Json:
    """An event, and then how things stand: `view` has what is to be in it."""
    event: Json = await player.room(action, room=room, **fields)
    shown = (await player.room("view", room=room))["view"]
    assert set(shown) == set(EMPTY)
    assert {name: shown[name] for name in view} == view
    return event


async def test_rounds(at: Visitors) -> None:
    """Two play two rounds; of each other's cards they see nothing."""
    anna, bob = await at.pair()
    room, seat = await sit(anna)
    bobs_room, bobs_seat = await sit(bob)
    assert bobs_room == room
    assert bobs_seat != seat
    seats = {seat: anna, bobs_seat: bob}
    joined = {"room": room, "action": "joined", "seat": bobs_seat}
    assert await told(anna, room, "joined", EMPTY) == joined
    for _ in range(2):
        winner = await one_round(seats, room)
        for player in seats.values():
            result = {"winner": winner, "reason": "bingo"}
            assert await player.take(OVER) == {"room": room, "result": result}
            # The next round begins by itself, and waits for someone to start it.
            assert await start(player) == (room, next(s for s in seats if seats[s] is player))
    for player in seats.values():
        await player.quiet()


async def one_round(seats: dict[int, Practice], room: int) -> int:
    """From the cards to a bingo: the seat that has it."""
    starter = min(seats)
    seats[starter].act(room, "start")
    cards: dict[int, Card] = {}
    since = {seat: len(player.texts) for seat, player in seats.items()}
    for seat, player in seats.items():
        dealt = await player.room("cards_dealt", room=room, count=2)
        assert set(dealt) == {"room", "action", "at_ms", "count", "cards"}
        assert list(dealt["cards"]) == [str(seat)]
        flat = dealt["cards"][str(seat)]
        cards[seat] = [flat[n : n + 5] for n in range(0, 25, 5)]
        view = (await player.room("view"))["view"]
        assert (view["card"], view["playing"], view["players"]) == (cards[seat], True, 2)
    called: list[int] = []
    while not any(has_bingo(card, called) for card in cards.values()):
        numbers = set()
        for seat, player in seats.items():
            event = await player.room("called", room=room)
            assert set(event) == {"room", "action", "number", "at_ms"}
            numbers.add(event["number"])
            view = (await player.room("view"))["view"]
            assert (view["called"], view["card"]) == ([*called, event["number"]], cards[seat])
        (number,) = numbers
        called.append(number)
        if not any(has_bingo(card, called) for card in cards.values()):
            for player in seats.values():
                player.act(room, "ready")
    for seat, other in zip(cards, list(cards)[::-1], strict=True):
        # Each column of five in the order of its numbers, as cards are told and shown.
        for text in seats[seat].texts[since[seat] :]:
            bare = text.replace(" ", "")
            assert not any(str(column)[1:-1].replace(" ", "") in bare for column in cards[other])
    winner = next(seat for seat, card in cards.items() if has_bingo(card, called))
    loser = next(seat for seat in seats if seat != winner)
    if not has_bingo(cards[loser], called):
        seats[loser].act(room, "claim")
        assert await seats[loser].error() == "no_bingo"
    seats[winner].act(room, "claim")
    for player in seats.values():
        claimed = await player.room("bingo_claimed")
        assert claimed == {"room": room, "action": "bingo_claimed", "seat": winner}
        await player.until(lambda: bool(player.left_over))  # noqa: B023 (awaited)
        if player.left_over[0]["code"] == ROOM:
            # In the row of the claim the next round opens; a view is still of this one.
            view = (await player.room("view"))["view"]
            assert (view["winner"], view["called"]) == (winner, called)
    return winner


async def test_what_is_refused(at: Visitors) -> None:
    anna, bob = await at.pair()
    room, _ = await sit(anna)
    anna.act(room, "claim")
    assert await anna.error() == "no_round"
    anna.act(room, "start")
    await anna.room("cards_dealt", count=1)
    await anna.room("view")
    anna.act(room, "start")
    while True:  # The first numbers may come at the same time.
        message = await anna.next()
        if message["code"] == TOLD:
            assert message["info"]["code"] == "round_running"
            break
        assert message["code"] == ROOM
    bob.act(room, "start")
    assert await bob.error() == "no_such_table"


async def test_a_seat_is_kept_until_one_logs_out(at: Visitors) -> None:
    anna, bob = await at.pair()
    room, seat = await sit(anna)
    await sit(bob)
    await told(anna, room, "joined", EMPTY)
    for game in ("bingo", "four_stone"):
        anna.send(SEEK, {"game_id": game})
        assert await anna.error() == "not_free"
    anna.send(LOGOUT)
    assert (await anna.take(TOLD))["code"] == "logged_out"
    parted = {"room": room, "action": "parted", "seat": seat}
    assert await told(bob, room, "parted", EMPTY) == parted
    await anna.quiet()
    anna.log_in(anna.name, sorted(anna.ids, key=str)[-1])
    await anna.next()
    await anna.quiet()


@pytest.mark.parametrize("moves", [0, 3])
async def test_coming_back_to_a_round(at: Visitors, moves: int) -> None:
    """The cards and numbers again, as they were told, and one view."""
    anna, bob = await at.pair()
    room, seat = await sit(anna)
    await sit(bob)
    await told(anna, room, "joined", EMPTY)
    anna.act(room, "start")
    for player in (anna, bob):
        await player.room("cards_dealt")
        await player.room("view")
    for _ in range(moves):
        for player in (anna, bob):
            await player.room("called")
            await player.room("view")
        for player in (anna, bob):
            player.act(room, "ready")
    for player in (anna, bob):
        await player.room("called")
        last = (await player.room("view"))["view"]
    await anna.quiet()
    live = [m["info"] for m in anna.messages if m["code"] == ROOM and m["info"]["action"] != "view"]
    await anna.reset()
    again = await at.back(anna)
    first = await again.take(START)
    assert (first["move_turn"], first["room"], first["content"]["view"]) == (seat, room, EMPTY)
    for event in live:
        assert await again.take(ROOM) == event
    view = (await again.room("view"))["view"]
    assert view["called"] == last["called"]
    assert view["card"] is not None
    bob.act(room, "ready")
    again.act(room, "ready")
    await again.room("called")
