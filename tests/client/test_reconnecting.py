"""What the client does when the hall says no, not now, or nothing at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from gamehall.client import native_client
from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.inbox import Notice
from gamehall.client.native_client import NativeClient
from tests.client.fake_hall import WAIT_SECONDS, FakeHall, Json, Peer


@pytest.fixture
async def hall() -> AsyncIterator[FakeHall]:
    async with FakeHall() as hall:
        yield hall


class Joined:
    """A client that is welcome, and the hall's side of its connection."""

    def __init__(self, hall: FakeHall, client: NativeClient, peer: Peer) -> None:
        self.hall = hall
        self.client = client
        self.peer = peer

    def ask(self, action: str, payload: Json | None = None) -> asyncio.Task[Json]:
        return asyncio.create_task(self.client.request(action, payload))

    async def notice(self) -> Notice:
        async with asyncio.timeout(WAIT_SECONDS):
            return await anext(self.client)

    async def asks_nothing_by_itself(self) -> None:
        """Fails if something was sent before what is asked now."""
        asked = self.ask("standings")
        self.peer.answer(await self.peer.read("standings"), {})
        await asked

    async def come_back(self, *tables: int) -> Json:
        """Cuts the connection and welcomes the client on the next one; its `hello`."""
        self.peer.cut()
        self.peer = await self.hall.peer()
        hello = await self.peer.welcome(*tables)
        assert (await self.notice()).action == "connection_lost"
        assert (await self.notice()).action == "connected"
        return hello


async def join(hall: FakeHall, *tables: int, **how: Any) -> Joined:
    client = NativeClient(hall.url, name="Ann", **how)
    opening = asyncio.create_task(client.open())
    peer = await hall.peer()
    assert await peer.welcome(*tables) == {"name": "Ann"}
    await opening
    return Joined(hall, client, peer)


@pytest.fixture
async def joined(hall: FakeHall) -> AsyncIterator[Joined]:
    joined = await join(hall)
    yield joined
    await joined.client.close()


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


async def test_two_clients_of_one_player_never_share_a_request_id(hall: FakeHall) -> None:
    one, other = await join(hall), await join(hall)
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


async def test_unavailable_for_too_long_is_a_refusal(hall: FakeHall) -> None:
    joined = await join(hall, give_up_seconds=0.6)
    asked = joined.ask("act", {"table": 3})
    joined.peer.refuse(await joined.peer.read("act"), "unavailable")
    joined.peer.refuse(await joined.peer.read("act"), "unavailable")
    with pytest.raises(RequestRefused) as refused:
        await asked
    assert refused.value.code == "unavailable"
    await joined.client.close()


async def test_a_request_that_is_never_answered_ends(hall: FakeHall) -> None:
    joined = await join(hall, give_up_seconds=0.2)
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


async def test_seats_of_an_earlier_time_are_shown_by_a_view(hall: FakeHall) -> None:
    joined = await join(hall, 3)
    request = await joined.peer.read("resume")
    assert request["payload"] == {"table": 3}
    joined.peer.answer(request, {"table": 3, "missed": None})
    joined.peer.view(3, 12)
    assert await joined.notice() == ("table_view", {"table": 3, "seq": 12})
    await joined.client.close()


async def test_a_gap_is_filled_before_anything_else_is_told(joined: Joined) -> None:
    peer = joined.peer
    peer.view(3, 5)
    peer.events(3, 7, 6)
    resume = await peer.read("resume")
    assert resume["payload"] == {"table": 3, "after": 5}
    peer.events(3, 8, 7)
    peer.answer(resume, {"table": 3, "missed": 3})
    for seq in (6, 7, 8):
        peer.events(3, seq, seq - 1)
    peer.events(3, 9, 8)
    seqs = [(await joined.notice()).payload["seq"] for _ in range(5)]
    assert seqs == [5, 6, 7, 8, 9]


async def test_after_a_crash_a_table_goes_on_where_it_was(joined: Joined) -> None:
    joined.peer.view(3, 5)
    joined.peer.events(3, 6, 5)
    assert [(await joined.notice()).payload["seq"] for _ in range(2)] == [5, 6]
    await joined.come_back(3)
    resume = await joined.peer.read("resume")
    assert resume["payload"] == {"table": 3, "after": 6}
    joined.peer.answer(resume, {"table": 3, "missed": 1})
    joined.peer.events(3, 6, 5)
    joined.peer.events(3, 7, 6)
    assert (await joined.notice()).payload["seq"] == 7


async def test_what_is_told_before_the_welcome_waits_for_the_resume(joined: Joined) -> None:
    joined.peer.view(3, 5)
    await joined.notice()
    joined.peer.cut()
    peer = joined.peer = await joined.hall.peer()
    # The seat is ours again as soon as the hall knows who we are, which it has not yet said.
    peer.events(3, 8, 7)
    peer.view(3, 8)
    peer.send("challenged", {"challenge": 1})
    await peer.welcome(3)
    actions = [(await joined.notice()).action for _ in range(3)]
    assert sorted(actions) == ["challenged", "connected", "connection_lost"]
    resume = await peer.read("resume")
    assert resume["payload"] == {"table": 3, "after": 5}
    peer.answer(resume, {"table": 3, "missed": 3})
    for seq in (6, 7, 8):
        peer.events(3, seq, seq - 1)
    assert [(await joined.notice()).payload["seq"] for _ in range(3)] == [6, 7, 8]


async def test_a_table_is_resumed_once_on_each_connection(joined: Joined) -> None:
    joined.peer.view(3, 5)
    await joined.notice()
    for _ in range(2):
        await joined.come_back(3)
        await joined.peer.read("resume")
        await joined.asks_nothing_by_itself()


async def test_a_table_that_cannot_be_resumed_is_gone(joined: Joined) -> None:
    joined.peer.view(3, 5)
    await joined.notice()
    await joined.come_back()
    joined.peer.refuse(await joined.peer.read("resume"), "not_seated")
    assert await joined.notice() == ("table_gone", {"table": 3, "code": "not_seated"})
    await joined.come_back()
    await joined.asks_nothing_by_itself()


async def test_what_was_watched_and_sought_is_asked_for_again(joined: Joined) -> None:
    payloads: list[tuple[str, Json]] = [
        ("watch_lobby", {}),
        ("seek", {"game": "connect-four"}),
        ("watch", {"table": 3, "key": "k"}),
    ]
    for action, payload in payloads:
        asked = joined.ask(action, payload)
        joined.peer.answer(await joined.peer.read(action), {})
        await asked
    waiting = joined.ask("say", {"table": 3, "text": "hi"})
    await joined.peer.read("say")
    await joined.come_back()
    for action, payload in payloads:
        request = await joined.peer.read(action)
        assert request["payload"] == payload
        joined.peer.answer(request, {})
    # After what it rests on.
    await joined.peer.read("say")
    waiting.cancel()


@pytest.mark.parametrize("ends", ["seated", "cancelled", "refused"])
async def test_who_has_stopped_waiting_is_not_put_on_the_list_again(
    joined: Joined, ends: str
) -> None:
    asked = joined.ask("seek", {"game": "connect-four"})
    joined.peer.answer(await joined.peer.read("seek"), {})
    await asked
    if ends == "seated":
        joined.peer.send("seated", {"table": 3, "game": "connect-four", "seat": 0})
        await joined.notice()
    elif ends == "cancelled":
        cancelling = joined.ask("cancel_seek")
        joined.peer.answer(await joined.peer.read("cancel_seek"), {})
        await cancelling
    else:
        await joined.come_back()
        joined.peer.refuse(await joined.peer.read("seek"), "not_free")
    await joined.come_back()
    await joined.asks_nothing_by_itself()


async def test_a_hall_that_falls_silent_is_left_for_a_new_connection(hall: FakeHall) -> None:
    joined = await join(hall, idle_seconds=0.1)
    await joined.peer.read("ping")
    lost = await joined.notice()
    assert lost.action == "connection_lost"
    await (await hall.peer()).welcome()
    assert (await joined.notice()).action == "connected"
    await joined.client.close()


async def test_a_hall_that_answers_is_stayed_with(hall: FakeHall) -> None:
    joined = await join(hall, idle_seconds=0.1)
    for _ in range(4):
        ping = await joined.peer.read("ping")
        joined.peer.send("pong", {}, ping["requestId"])
    joined.peer.send("said", {"text": "hi"})
    assert (await joined.notice()).action == "said"
    await joined.client.close()


async def test_it_gives_up_after_a_while_and_says_why(hall: FakeHall) -> None:
    joined = await join(hall, give_up_seconds=0.3)
    asked = joined.ask("balance")
    await joined.peer.read("balance")
    hall.stop_listening()
    joined.peer.cut()
    assert (await joined.notice()).action == "connection_lost"
    with pytest.raises(ConnectionLost, match=r"no connection for 0\.3 seconds|no answer"):
        await asked
    with pytest.raises(ConnectionLost, match=r"no connection for 0\.3 seconds"):
        await joined.notice()
    with pytest.raises(ConnectionLost):
        await joined.client.request("balance")
    await joined.client.close()


async def test_it_gives_up_when_its_token_is_worth_nothing_any_more(joined: Joined) -> None:
    joined.peer.cut()
    peer = await joined.hall.peer()
    peer.refuse(await peer.read("hello"), "bad_token")
    assert (await joined.notice()).action == "connection_lost"
    with pytest.raises(RequestRefused) as refused:
        await joined.notice()
    assert refused.value.code == "bad_token"


async def test_a_hall_that_is_too_busy_for_hello_is_tried_again(joined: Joined) -> None:
    joined.peer.cut()
    peer = await joined.hall.peer()
    peer.refuse(await peer.read("hello"), "unavailable")
    await (await joined.hall.peer()).welcome()
    assert [(await joined.notice()).action for _ in range(2)] == ["connection_lost", "connected"]


async def test_a_new_login_is_who_it_comes_back_as(joined: Joined) -> None:
    asked = joined.ask("login", {"name": "Bob", "password": "secret"})
    login = await joined.peer.read("login")
    player = {"id": 8, "name": "Bob", "guest": False, "balance": 0}
    welcome = {"player": player, "token": "another", "tables": [{"table": 9, "seat": 1}]}
    joined.peer.answer(login, welcome)
    assert await asked == welcome
    assert (await joined.peer.read("resume"))["payload"] == {"table": 9}
    assert await joined.come_back(9) == {"token": "another"}


async def test_the_caller_may_be_slow_and_still_misses_nothing(
    hall: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_client, "NOTICES_MAX", 3)
    joined = await join(hall)
    joined.peer.view(3, 1)
    for seq in range(2, 8):
        joined.peer.events(3, seq, seq - 1)
    # An answer, so that all of it has surely arrived.
    asked = joined.ask("balance")
    joined.peer.answer(await joined.peer.read("balance"), {})
    await asked
    assert [(await joined.notice()).payload["seq"] for _ in range(3)] == [1, 2, 3]
    after = asyncio.create_task(joined.notice())
    resume = await joined.peer.read("resume")
    assert resume["payload"] == {"table": 3, "after": 3}
    joined.peer.answer(resume, {"table": 3, "missed": None})
    joined.peer.view(3, 7)
    assert await after == ("table_view", {"table": 3, "seq": 7})
    await joined.client.close()


async def test_who_does_not_speak_as_a_hall_is_no_hall(hall: FakeHall) -> None:
    opening = asyncio.create_task(NativeClient(hall.url).open())
    (await hall.peer()).send_raw(b"SSH-2.0-OpenSSH_9.2\n")
    with pytest.raises(ConnectionLost, match="does not speak"):
        await opening


async def test_a_first_hello_that_is_refused_is_told_at_once(hall: FakeHall) -> None:
    opening = asyncio.create_task(NativeClient(hall.url, name="").open())
    peer = await hall.peer()
    peer.refuse(await peer.read("hello"), "bad_name")
    with pytest.raises(RequestRefused) as refused:
        await opening
    assert refused.value.code == "bad_name"


async def test_where_nobody_listens_it_fails_at_once(hall: FakeHall) -> None:
    hall.stop_listening()
    for url in (hall.url, hall.url.replace("tcp:", "ws:") + "/ws"):
        with pytest.raises(ConnectionLost):
            await NativeClient(url).open()


@pytest.mark.parametrize("url", ["", "127.0.0.1:8001", "http://a/ws", "tcp://", "ws://h:99999/"])
def test_an_address_that_is_none_is_refused_before_anything_is_tried(url: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a hall"):
        NativeClient(url)


async def test_closed_is_closed(joined: Joined) -> None:
    asked = joined.ask("balance")
    await joined.peer.read("balance")
    await joined.client.close()
    with pytest.raises(ConnectionLost, match="closed"):
        await asked
    with pytest.raises(ConnectionLost, match="closed"):
        await joined.client.request("balance")
    assert [notice async for notice in joined.client] == []
