"""Requests are answered once, whatever the hall says first and however often it is asked."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from tests.client.fake_hall import FakeHall
from tests.client.joined import Joined, join


async def test_an_answer_reaches_who_asked_and_a_refusal_has_its_code(joined: Joined) -> None:
    first, second = joined.ask("balance"), joined.ask("seek", {"game": "chess"})
    one, two = await joined.peer.read("balance"), await joined.peer.read("seek")
    assert one["requestId"] != two["requestId"]
    joined.peer.refuse(two, "no_such_game")
    joined.peer.answer(one, {"balance": 5})
    assert await first == {"balance": 5}
    with pytest.raises(RequestRefused) as refused:
        await second
    assert refused.value.code == "no_such_game"


async def test_two_clients_of_one_player_never_share_a_request_id(fake: FakeHall) -> None:
    one, other = await join(fake), await join(fake)
    ids = set()
    for joined in (one, other):
        asked = joined.ask("balance")
        ids.add((await joined.peer.read("balance"))["requestId"])
        asked.cancel()
        await joined.client.close()
    assert len(ids) == 2


async def test_what_had_no_answer_is_sent_again_with_its_id(joined: Joined) -> None:
    asked = joined.ask("act", {"table": 3, "command": {"type": "drop", "column": 1}})
    first = await joined.peer.read("act")
    assert await joined.come_back() == {"token": "the token"}
    again = await joined.peer.read("act")
    assert again == first
    joined.peer.answer(again, {"table": 3, "seq": 4})
    assert await asked == {"table": 3, "seq": 4}


async def test_what_is_asked_while_the_hall_is_away_is_sent_when_it_is_back(joined: Joined) -> None:
    joined.peer.cut()
    assert (await joined.notice()).action == "connection_lost"
    asked = joined.ask("balance")
    joined.peer = await joined.hall.peer()
    await joined.peer.welcome()
    joined.peer.answer(await joined.peer.read("balance"), {"balance": 5})
    assert await asked == {"balance": 5}


async def test_an_answer_that_comes_twice_is_taken_once(joined: Joined) -> None:
    asked = joined.ask("balance")
    request = await joined.peer.read("balance")
    joined.peer.answer(request, {"balance": 5})
    joined.peer.answer(request, {"balance": 6})
    assert await asked == {"balance": 5}
    await joined.asks_nothing_by_itself()


async def test_unavailable_is_asked_again_with_the_same_id(joined: Joined) -> None:
    asked = joined.ask("act", {"table": 3})
    first = await joined.peer.read("act")
    joined.peer.refuse(first, "unavailable")
    again = await joined.peer.read("act")
    assert again == first
    joined.peer.answer(again, {"seq": 4})
    assert await asked == {"seq": 4}


async def test_unavailable_for_too_long_is_a_refusal(fake: FakeHall) -> None:
    joined = await join(fake, give_up_seconds=3)
    asked = joined.ask("act", {"table": 3})

    async def refuse_all() -> None:
        while True:
            joined.peer.refuse(await joined.peer.read("act"), "unavailable")

    refusing = asyncio.create_task(refuse_all())
    with pytest.raises(RequestRefused) as refused:
        await asked
    assert refused.value.code == "unavailable"
    refusing.cancel()
    await joined.client.close()


async def test_a_request_that_is_never_answered_ends(fake: FakeHall) -> None:
    joined = await join(fake, give_up_seconds=0.2)
    with pytest.raises(ConnectionLost, match="no answer"):
        await joined.client.request("balance")
    await joined.client.close()


async def test_too_many_messages_are_sent_again_after_a_pause(joined: Joined) -> None:
    asked = [joined.ask("balance"), joined.ask("statement")]
    sent = [await joined.peer.read(), await joined.peer.read()]
    joined.peer.refuse_unnamed("rate_limited")
    again = [await joined.peer.read(), await joined.peer.read()]
    assert again == sent
    for request in again:
        joined.peer.answer(request, {"for": request["action"]})
    assert await asked[0] == {"for": "balance"}
    assert await asked[1] == {"for": "statement"}


async def test_while_it_must_be_quiet_nothing_new_is_sent(joined: Joined) -> None:
    first = joined.ask("balance")
    sent = await joined.peer.read("balance")
    joined.peer.refuse_unnamed("rate_limited")
    joined.peer.send("said", {"text": "so that we know it has heard"})
    await joined.notice()
    second = joined.ask("statement")
    # The refused one comes first, so the new one has waited.
    assert await joined.peer.read() == sent
    await joined.peer.read("statement")
    first.cancel()
    second.cancel()


async def test_too_many_again_stops_the_rest_from_being_sent(joined: Joined) -> None:
    asked = [joined.ask("balance"), joined.ask("statement")]
    for action in ("balance", "statement"):
        await joined.peer.read(action)
    joined.peer.refuse_unnamed("rate_limited")
    for _ in range(2):
        await joined.peer.read("balance")
        joined.peer.refuse_unnamed("rate_limited")
    for task in asked:
        task.cancel()


async def test_the_longest_message_is_the_one_that_was_too_large(joined: Joined) -> None:
    small, large = joined.ask("balance"), joined.ask("say", {"table": 1, "text": "x" * 100})
    request = await joined.peer.read("balance")
    await joined.peer.read("say")
    joined.peer.refuse_unnamed("too_large")
    with pytest.raises(RequestRefused) as refused:
        await large
    assert refused.value.code == "too_large"
    joined.peer.answer(request, {})
    assert await small == {}
