"""At the table: moves, refusals, draws, rematches, and requests that are sent again."""

from __future__ import annotations

import json

import pytest

from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import GAME, check_story, drop, match, play, resign
from tests.doors.native.visitors import Visitors

DROP = {"type": "drop", "column": 3}


@pytest.mark.parametrize(
    ("first", "second"), [("ws", "ws"), ("tcp", "tcp"), ("ws", "tcp"), ("tcp", "ws")]
)
async def test_a_whole_game_as_everyone_hears_it(at: Visitors, first: Door, second: Door) -> None:
    anna, bob = await at.pair(first, second)
    table = await match(anna, bob)
    carol = await at.guest(door=first)
    await carol.ask("watch", table=table)
    await play(anna, bob, table)
    ends = []
    for client in (anna, bob, carol):
        over = await client.notice("table_over", table=table)
        assert over["outcome"] == {"winners": [0], "reason": "line"}
        assert check_story(client, table) == over["seq"]
        ends.append(over)
    assert ends[0] == ends[1] == ends[2]
    journal = await carol.ask("journal", table=table)
    assert (journal["head"], journal["hash"]) == (ends[0]["seq"], ends[0]["hash"])


async def test_the_answer_comes_before_the_notice_and_names_its_row(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    since = len(anna.log)
    seq = await drop(anna, table, 3)
    told = await anna.notice("table_events", table=table, seq=seq)
    assert [message["action"] for message in anna.log[since:]] == ["act", "table_events"]
    assert (set(told), told["seq"]) == ({"table", "seq", "after", "events"}, seq)


async def test_every_refusal_has_its_code(at: Visitors) -> None:
    anna, bob = await at.pair()
    carol = await at.guest()
    table = await match(anna, bob, columns=3, rows=3, length=3)

    async def refused(client: Client, **command: object) -> str:
        return await client.refused("act", table=table, command=command)

    assert await refused(bob, type="drop", column=0) == "not_your_turn"
    for column in (-1, 3, 2**31, 2**63, 10**400):
        assert await refused(anna, type="drop", column=column) == "no_such_column"
    for command in (
        {"type": "fly"}, {"type": "drop"}, {"type": "drop", "column": "0"}, {},
        {"type": "drop", "column": 0.0}, {"type": "drop", "column": True},
        {"type": "drop", "column": None}, {"type": "drop", "column": 0, "row": 0},
        {"type": "time_up"}, {"type": "leave"}, {"type": "close", "reason": "x"}, {"type": 1},
    ):  # fmt: skip
        assert await refused(anna, **command) == "illegal_command", command
    no_commands: tuple[object, ...] = (None, [], "drop", 1, True)
    for wrong in no_commands:
        code = await anna.refused("act", table=table, command=wrong)
        assert code == "illegal_command", wrong
    assert await refused(carol, type="drop", column=0) == "not_seated"
    for client, column in ((anna, 0), (bob, 0), (anna, 0)):
        await drop(client, table, column)
    assert await refused(bob, type="drop", column=0) == "column_full"
    await resign(bob, table)
    assert await refused(anna, type="drop", column=1) == "round_over"
    assert await anna.refused("act", table=2**31 - 1, command=DROP) == "no_such_table"


async def test_before_all_are_there_nothing_can_be_played(at: Visitors) -> None:
    anna = await at.guest()
    table = (await anna.ask("open_table", game=GAME))["table"]
    assert await anna.refused("act", table=table, command=DROP) == "not_seated"
    await anna.ask("sit", table=table)
    assert await anna.refused("act", table=table, command=DROP) == "not_started"
    assert await anna.refused("rematch", table=table) == "not_started"


async def test_a_draw_is_offered_refused_and_agreed(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    assert await anna.refused("answer_draw", table=table, accept=True) == "no_offer"
    offered = await bob.ask("offer_draw", table=table)
    assert set(offered) == {"table", "seq"}
    told = await anna.notice("table_events", seq=offered["seq"])
    assert told["events"] == [{"type": "draw_offered", "seat": 1}]
    assert await anna.refused("offer_draw", table=table) == "offer_pending"
    assert await bob.refused("answer_draw", table=table, accept=True) == "no_offer"
    await anna.ask("answer_draw", table=table, accept=False)
    # As a command of the game it is the same.
    await anna.ask("act", table=table, command={"type": "offer_draw"})
    answered = await bob.ask("answer_draw", table=table, accept=True)
    for client in (anna, bob):
        over = await client.notice("table_over", table=table)
        assert over["outcome"] == {"winners": [], "reason": "agreed"}
        assert over["seq"] == answered["seq"]


async def test_a_rematch_moves_the_seats_on(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    assert await anna.refused("rematch", table=table) == "round_running"
    await resign(anna, table)
    first = await anna.ask("rematch", table=table)
    told = await bob.notice("table_events", seq=first["seq"])
    assert told["events"] == [{"type": "rematch_wanted", "seat": 0}]
    await bob.ask("rematch", table=table)
    for client, seat in ((anna, 1), (bob, 0)):
        assert (await client.notice("seated", table=table))["seat"] == seat
        view = await client.notice("table_view", table=table, round=2)
        assert (view["seat"], view["status"]) == (seat, "playing")
    await play(bob, anna, table)
    over = await anna.notice("table_over", table=table, round=2)
    assert over["outcome"]["winners"] == [0]
    for client in (anna, bob):
        assert check_story(client, table) == over["seq"]


async def test_the_move_clock(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob, move_seconds=2)
    view = [view for view in bob.heard("table_view") if view["table"] == table][-1]
    clock = view["clock"]
    assert (set(clock), clock["seat"]) == ({"due_ms", "seat", "now_ms"}, 0)
    assert 0 < clock["due_ms"] - clock["now_ms"] <= 2000
    assert view["view"]["deadline_ms"] == clock["due_ms"]
    over = await bob.notice("table_over", table=table)
    assert over["outcome"] == {"winners": [1], "reason": "time"}


async def test_the_same_request_again_gets_the_same_answer_and_is_done_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    payload = {"table": table, "command": DROP}
    first = await anna.request("act", payload, "a move")
    assert await anna.request("act", payload, "a move") == first
    await drop(bob, table, 3)
    # On any connection, also when it would not be possible now.
    again = await at.back(anna, "tcp")
    assert await again.request("act", payload, "a move") == first
    other = await anna.request("act", {"table": table, "command": {"type": "resign"}}, "a move")
    assert other["payload"]["code"] == "bad_request"
    bobs = await bob.request("act", payload, "a move")
    assert bobs["payload"]["code"] == "not_your_turn", "ids are each player's own"
    dropped = [
        event["column"]
        for told in bob.heard("table_events")
        for event in told["events"]
        if told["table"] == table and event["type"] == "dropped"
    ]
    assert dropped == [3, 3]


async def test_the_same_request_in_flight_is_done_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    message = {"action": "act", "requestId": "x", "payload": {"table": table, "command": DROP}}
    other = {**message, "payload": {"table": table, "command": {"type": "resign"}}}
    framed = [anna.framed(json.dumps(one)) for one in (message, message, other)]
    anna.write(b"".join(framed))
    answers = [await anna.answer("x") for _ in framed]
    assert [answer["action"] for answer in answers].count("act") == 2
    (refused,) = [answer for answer in answers if answer["action"] == "error"]
    assert refused["payload"]["code"] == "bad_request"
    accepted = [answer for answer in answers if answer["action"] == "act"]
    assert accepted[0] == accepted[1]
    seq = accepted[0]["payload"]["seq"]
    assert check_story(anna, table) <= seq
    assert (await bob.notice("table_events", seq=seq))["events"][0]["type"] == "dropped"


async def test_a_refusal_is_not_remembered(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    payload = {"table": table, "command": DROP}
    early = await bob.request("act", payload, "my move")
    assert early["payload"]["code"] == "not_your_turn"
    await drop(anna, table, 0)
    assert (await bob.request("act", payload, "my move"))["action"] == "act"


async def test_requests_need_not_wait_for_answers(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    other = (await anna.ask("open_table", game=GAME))["table"]
    asked = [
        ("list_tables", {}), ("act", {"table": table, "command": DROP}), ("ping", {}),
        ("sit", {"table": other}), ("balance", {}), ("leave", {"table": other}),
        ("act", {"table": table, "command": {"type": "resign"}}), ("history", {}), ("nothing", {}),
    ]  # fmt: skip
    for number, (action, payload) in enumerate(asked):
        anna.send(action, payload, f"p{number}")
    answered = [(await anna.answer(f"p{number}"))["action"] for number in range(len(asked))]
    expected = [action for action, _ in asked]
    expected[2], expected[8] = "pong", "error"
    assert answered == expected
