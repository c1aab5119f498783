"""The client comes back by itself, as who it was and to where it was; or says why it cannot."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.client import native_client
from gamehall.client.asking import RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient
from tests.client.fake_hall import FakeHall, Json
from tests.client.joined import Joined, join


async def test_seats_of_an_earlier_time_are_shown_by_a_view(fake: FakeHall) -> None:
    joined = await join(fake, 3)
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


async def test_a_hall_that_falls_silent_is_left_for_a_new_connection(fake: FakeHall) -> None:
    joined = await join(fake, idle_seconds=0.1)
    await joined.peer.read("ping")
    lost = await joined.notice()
    assert lost.action == "connection_lost"
    await (await fake.peer()).welcome()
    assert (await joined.notice()).action == "connected"
    await joined.client.close()


async def test_a_hall_that_answers_is_stayed_with(fake: FakeHall) -> None:
    joined = await join(fake, idle_seconds=1)
    for _ in range(4):
        ping = await joined.peer.read("ping")
        joined.peer.send("pong", {}, ping["requestId"])
    joined.peer.send("said", {"text": "hi"})
    assert (await joined.notice()).action == "said"
    await joined.client.close()


async def test_it_gives_up_after_a_while_and_says_why(fake: FakeHall) -> None:
    joined = await join(fake, give_up_seconds=0.3)
    asked = joined.ask("balance")
    await joined.peer.read("balance")
    fake.stop_listening()
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


async def test_who_has_logged_out_comes_back_as_nobody_in_particular(joined: Joined) -> None:
    joined.peer.view(3, 5)
    await joined.notice()
    asked = joined.ask("watch_lobby"), joined.ask("logout")
    for action in ("watch_lobby", "logout"):
        joined.peer.answer(await joined.peer.read(action), {})
    await asyncio.gather(*asked)
    assert await joined.come_back() == {"name": "Ann"}
    await joined.asks_nothing_by_itself()


async def test_the_caller_may_be_slow_and_still_misses_nothing(
    fake: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_client, "NOTICES_MAX", 3)
    joined = await join(fake)
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


async def test_who_does_not_speak_as_a_hall_is_no_hall(fake: FakeHall) -> None:
    opening = asyncio.create_task(NativeClient(fake.url).open())
    (await fake.peer()).send_raw(b"SSH-2.0-OpenSSH_9.2\n")
    with pytest.raises(ConnectionLost, match="does not speak"):
        await opening


async def test_a_first_hello_that_is_refused_is_told_at_once(fake: FakeHall) -> None:
    opening = asyncio.create_task(NativeClient(fake.url, name="").open())
    peer = await fake.peer()
    peer.refuse(await peer.read("hello"), "bad_name")
    with pytest.raises(RequestRefused) as refused:
        await opening
    assert refused.value.code == "bad_name"


async def test_where_nobody_listens_it_fails_at_once(fake: FakeHall) -> None:
    fake.stop_listening()
    for url in (fake.url, fake.url.replace("tcp:", "ws:") + "/ws"):
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
