"""Sic Bo: one watches the hall's own table, and bets."""

from __future__ import annotations

from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.shapes import LOGGED_IN, LOGOUT, OVER, ROOM, START, TOLD, WAITING

SETTINGS = ("sicbo.betting_seconds=3", "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=0.1")
VIEW = {
    "round", "status", "open_ms", "close_ms", "tally", "dice", "sum", "result", "bet_max", "chips",
    "stake", "bets", "history", "sides", "odds",
}  # fmt: skip
NONE = {"big": 0, "small": 0}


async def watch(player: Practice) -> tuple[int, Json]:
    """The room, and how its round stands."""
    player.seek("sicbo")
    assert await player.take(WAITING) is None
    return await start(player)


async def start(player: Practice) -> tuple[int, Json]:
    told = await player.take(START, game_id="sicbo", move_turn=None)
    view = told["content"]["view"]
    assert set(view) == VIEW
    options = {"betting_seconds": 3, "reveal_seconds": 0.1, "pause_seconds": 0.1}
    assert told["content"]["options"] == {**options, "bet_max": 1_000_000}
    return told["room"], view


async def new_round(player: Practice) -> tuple[int, Json]:
    """The room and the view of a round that has just begun; whatever came before is past."""
    while True:
        message = await player.next()
        if message["code"] == START and message["info"]["content"]["view"]["status"] == (
            "BETTING_OPEN"
        ):
            return message["info"]["room"], message["info"]["content"]["view"]


async def test_a_round_with_bets(at: Visitors) -> None:
    anna, bob = await at.pair()
    await watch(anna)
    await watch(bob)
    room, view = await new_round(anna)
    assert (view["stake"], view["bets"], view["dice"]) == (NONE, [], [])
    assert await new_round(bob) == (room, view)
    number = view["round"]
    anna.act(room, "bet", side="BIG", amount=1000, round=number)
    placed = await anna.room("bet_placed", side="BIG", amount=1000)
    assert set(placed) == {"room", "action", "seat", "bet", "side", "amount", "stake", "tally"}
    assert placed["stake"] == {"big": 1000, "small": 0}
    shown = (await anna.room("view"))["view"]
    assert (shown["stake"], shown["round"]) == (placed["stake"], number)
    bet = {"bet": placed["bet"], "side": "BIG", "amount": 1000, "paid": None}
    assert shown["bets"] == [bet]
    anna.act(room, "bet", side="SMALL", amount=10)
    assert (await anna.room("bet_placed"))["stake"] == {"big": 1000, "small": 10}
    assert len((await anna.room("view"))["view"]["bets"]) == 2
    # Of bets one hears one's own alone; what all have bet is in the view.
    ends = [await end_of_round(player, room) for player in (anna, bob)]
    for closed, rolled, last in ends:
        assert closed["tally"] == {
            "big": 1000,
            "small": 10,
            "players": 1,
            "players_big": 1,
            "players_small": 1,
        }
        assert rolled["sum"] == sum(rolled["dice"])
        assert last["dice"] == rolled["dice"]
    assert ends[0][:2] == ends[1][:2]
    result = ends[0][1]["result"]
    paid = [{"BIG": 2000}.get(result, 0), {"SMALL": 20}.get(result, 0)]
    assert [bet["paid"] for bet in ends[0][2]["bets"]] == paid
    assert ends[1][2]["bets"] == []
    settled = [m["info"] for m in anna.messages if m["info"] and "payouts" in m["info"]]
    (payouts,) = [each["payouts"] for each in settled]
    assert payouts == {
        str(placed["seat"]): [[placed["bet"], paid[0]], [placed["bet"] + 1, paid[1]]]
    }
    assert "payouts" not in "".join(bob.texts)
    assert "bet_placed" not in "".join(bob.texts)
    for player in (anna, bob):
        told = await player.take(OVER)
        assert told == {"room": room, "result": {"winner": None, "reason": result.lower()}}
        _, view = await start(player)
        assert view["round"] == number + 1
        assert view["history"][-1]["dice"] == ends[0][1]["dice"]


async def end_of_round(player: Practice, room: int) -> tuple[Json, Json, Json]:
    """What is told from the close on: the tally, the dice, and the last view."""
    closed = await player.room("betting_closed", room=room)
    assert set(closed) == {"room", "action", "at_ms", "tally"}
    assert (await player.room("view"))["view"]["status"] == "BETTING_CLOSE"
    rolled = await player.room("rolled", room=room)
    assert set(rolled) == {"room", "action", "dice", "sum", "result"}
    told = await player.take(ROOM)
    while told["action"] != "view":
        assert told["action"] == "settled"
        assert set(told) == {"room", "action", "payouts"}
        told = await player.take(ROOM)
    assert told["view"]["status"] == "FINISH"
    return closed, rolled, told["view"]


async def test_logging_out_ends_watching(at: Visitors) -> None:
    anna, bob = await at.pair()
    await watch(anna)
    await watch(bob)
    anna.send(LOGOUT)
    while (await anna.next())["code"] != TOLD:
        pass
    assert anna.id is None
    anna.log_in()
    await anna.take(LOGGED_IN)
    # A round goes by.
    await new_round(bob)
    await new_round(bob)
    await anna.quiet()


async def test_seeking_again_is_watching_once(at: Visitors) -> None:
    anna = await at.player()
    await watch(anna)
    room, view = await new_round(anna)
    anna.seek("sicbo")
    await anna.take(WAITING)
    anna.act(room, "bet", side="BIG", amount=1)
    codes = []
    while (message := await anna.next())["code"] != ROOM:
        codes.append(message["code"])
    assert codes in ([], [START])
    assert message["info"]["action"] == "bet_placed"
    rest = [await anna.room("view"), *(await end_of_round(anna, room))]
    assert len(rest) == 4
    await anna.take(OVER)
    _, after = await start(anna)
    assert after["round"] == view["round"] + 1


async def test_who_watches_is_free_to_play(at: Visitors) -> None:
    """Both rooms are told side by side."""
    anna, bob = await at.pair()
    room, _ = await watch(anna)
    for player in (anna, bob):
        player.seek("four_stone")
    await bob.take(WAITING)
    start = await bob.take(START, game_id="four_stone")
    bob.act(start["room"], "resign")
    await bob.take(OVER)

    def rooms() -> list[int]:
        return [m["info"]["room"] for m in anna.messages if m["code"] in (START, OVER)]

    await anna.until(lambda: rooms().count(start["room"]) == 2 and rooms().count(room) > 2)
