"""Identity: guests, members, tokens, several connections."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import (
    BadName,
    BadPassword,
    BadToken,
    HallError,
    LoginFailed,
    NameTaken,
    Unavailable,
)
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.credentials import new_token
from gamehall.hall.people.guests import Arrival
from gamehall.store.people import TOKENS_MAX, Member
from gamehall.table_log import house as h
from tests.hall.halls import FakeLink, TestHall, answer_of


async def test_a_guest_comes_back_with_its_token_also_after_a_restart(house: TestHall) -> None:
    link = FakeLink()
    welcome = await house.hall.people.hello(link, " anna ", None)
    assert (welcome.player.name, welcome.player.kind) == ("anna", "guest")
    assert welcome.player.balance == 1_000_000
    await house.restart()
    again = await house.hall.people.hello(FakeLink(), None, welcome.token)
    assert again.player == welcome.player


async def test_names_in_use_get_a_number_even_when_two_come_at_once(house: TestHall) -> None:
    links = [FakeLink() for _ in range(5)]
    welcomes = await asyncio.gather(
        *(house.hall.people.hello(link, "Ánna", None) for link in links)
    )
    names = {welcome.player.name for welcome in welcomes}
    assert names == {"Ánna", "Ánna2", "Ánna3", "Ánna4", "Ánna5"}
    assert (await house.hall.people.hello(FakeLink(), "ÁNNA", None)).player.name == "ÁNNA6"


async def test_guests_who_have_gone_are_forgotten(house: TestHall) -> None:
    guests = house.hall.rooms.guests
    for number in range(100):
        house.hall.people.disconnected(await house.guest(f"anna{number}"))
        house.clock.advance(1000)
    kept = [arrival.player.name for _, arrival in guests._arrivals._kept.values()]
    assert kept == [f"anna{number}" for number in range(100 - len(kept), 100)]
    assert len(kept) < 20
    assert not guests._given._kept


async def test_a_name_is_free_again_when_its_guest_has_gone(house: TestHall) -> None:
    link = await house.guest("anna")
    house.hall.people.disconnected(link)
    assert (await house.hall.people.hello(FakeLink(), "anna", None)).player.name == "anna"


@pytest.mark.parametrize("name", ["", "   ", "x" * 33, "a\nb", "a\x00", "a\u202e"])
async def test_bad_names_are_refused(house: TestHall, name: str) -> None:
    with pytest.raises(BadName):
        await house.hall.people.hello(FakeLink(), name, None)


async def test_a_guest_who_registers_keeps_itself(house: TestHall) -> None:
    link = await house.guest("anna")
    assert link.online is not None
    id = link.online.player.id
    welcome = await house.hall.people.register(link, "Anna", "secret1")
    assert (welcome.player.id, welcome.player.name, welcome.player.kind) == (id, "Anna", "member")
    assert (await house.hall.people.hello(FakeLink(), "anna", None)).player.name == "anna2"
    logged_in = await house.hall.people.login(FakeLink(), "ANNA", "secret1")
    assert logged_in.player.id == id


async def test_register_again_is_a_login_for_its_owner_and_taken_for_others(
    house: TestHall,
) -> None:
    first = await house.hall.people.register(FakeLink(), "anna", "secret1")
    again = await house.hall.people.register(FakeLink(), "anna", "secret1")
    assert again.player.id == first.player.id
    with pytest.raises(NameTaken):
        await house.hall.people.register(FakeLink(), "anna", "another")
    await house.guest("bob")
    with pytest.raises(NameTaken):
        await house.hall.people.register(FakeLink(), "bob", "secret1")
    with pytest.raises(BadPassword):
        await house.hall.people.register(FakeLink(), "carl", "short")


async def test_wrong_passwords_and_unknown_names_fail_alike(house: TestHall) -> None:
    await house.hall.people.register(FakeLink(), "anna", "secret1")
    for name, password in (("anna", "wrong!!"), ("nobody", "secret1"), ("anna", "x" * 200)):
        with pytest.raises(LoginFailed):
            await house.hall.people.login(FakeLink(), name, password)


async def test_logout_ends_the_token_and_only_that_connection(house: TestHall) -> None:
    one, two = FakeLink(), FakeLink()
    welcome = await house.hall.people.register(one, "anna", "secret1")
    other = await house.hall.people.login(two, "anna", "secret1")
    await house.hall.people.logout(one)
    assert one.online is None
    assert two.online is not None
    with pytest.raises(BadToken):
        await house.hall.people.hello(FakeLink(), None, welcome.token)
    assert (
        await house.hall.people.hello(FakeLink(), None, other.token)
    ).player.id == other.player.id


async def test_a_login_changes_who_a_link_speaks_for(house: TestHall) -> None:
    await house.hall.people.register(FakeLink(), "anna", "secret1")
    link = await house.guest("visitor")
    guest = link.online
    await house.hall.people.login(link, "anna", "secret1")
    assert link.online is not None
    assert link.online.player.name == "anna"
    assert guest is not None
    assert not guest.links


# A token in place of the password


async def test_a_token_stands_for_the_password_with_its_name(house: TestHall) -> None:
    welcome = await house.hall.people.enter_for_token(FakeLink(), "Anna", "pw")
    await house.hall.people.enter_for_token(FakeLink(), "Bob", "pw")
    guest = await house.hall.people.hello(FakeLink(), "Guest of the hall", None)
    for name, token in (
        ("Anna", welcome.token + "x"),
        ("Anna", ""),
        ("Anna", guest.token),
        ("Bob", welcome.token),
        ("nobody", welcome.token),
    ):
        link = FakeLink()
        with pytest.raises(BadToken):
            await house.hall.people.enter_by_token(link, name, token)
        assert link.online is None
    player = await house.hall.people.enter_by_token(FakeLink(), " anna", welcome.token)
    assert player == welcome.player


async def test_only_the_connection_that_was_given_it_ends_a_token(house: TestHall) -> None:
    first, second = FakeLink(), FakeLink()
    token = (await house.hall.people.enter_for_token(first, "Anna", "pw")).token
    await house.hall.people.enter_by_token(second, "Anna", token)
    await house.hall.people.logout(second)
    await house.hall.people.enter_by_token(second, "Anna", token)
    await house.hall.people.logout(first)
    with pytest.raises(BadToken):
        await house.hall.people.enter_by_token(FakeLink(), "Anna", token)


async def test_a_token_ends_when_many_newer_ones_were_given(house: TestHall) -> None:
    welcome = await house.hall.people.enter_for_token(FakeLink(), "Anna", "pw")
    for _ in range(TOKENS_MAX - 1):
        house.clock.advance(1)
        _, digest = new_token()
        await house.store.add_token(welcome.player.id, digest, house.clock.now_ms())
    await house.hall.people.enter_by_token(FakeLink(), "Anna", welcome.token)
    house.clock.advance(1)
    await house.hall.people.enter_for_token(FakeLink(), "Anna", "pw")
    with pytest.raises(BadToken):
        await house.hall.people.enter_by_token(FakeLink(), "Anna", welcome.token)


# Guests of doors that know no tokens


async def seated_guest(house: TestHall, name: str, address: str) -> FakeLink:
    link = FakeLink(address)
    await house.hall.people.named_guest(link, "caller", name)
    assert link.online is not None
    table = await house.hall.house_tables.table("bingo")
    online = link.online
    sat: Done | HallError = await answer_of(
        lambda reply: house.hall.spawn(
            house.hall.seating.sit(link, online, table, None, None, None, reply)
        )
    )
    assert isinstance(sat, Done)
    return link


async def taken_back(house: TestHall, name: str, address: str) -> str | None:
    link = FakeLink(address)
    arrival = await house.hall.people.named_guest(link, "caller", name)
    house.hall.people.disconnected(link)
    return arrival.player.name if arrival.back else None


async def test_a_dropped_guest_comes_back_by_name_and_address(house: TestHall) -> None:
    link = await seated_guest(house, "Pia", "10.0.0.1")
    assert await taken_back(house, "pia", "10.0.0.1") is None, "she is here"
    house.hall.people.disconnected(link)
    assert await taken_back(house, "Pia", "10.0.0.2") is None
    assert await taken_back(house, "Pio", "10.0.0.1") is None
    assert await taken_back(house, "pia", "10.0.0.1") == "Pia"


async def test_also_after_a_restart_the_address_counts(house: TestHall) -> None:
    await seated_guest(house, "Pia", "10.0.0.1")
    await house.restart()
    assert await taken_back(house, "Pia", "10.0.0.2") is None
    other = FakeLink("10.0.0.2")
    assert (await house.hall.people.named_guest(other, "caller", "Pia")).player.name == "Pia3", (
        "her name is kept for her"
    )
    assert (await house.hall.people.hello(FakeLink(), "Pia", None)).player.name == "Pia4"
    assert await taken_back(house, "Pia", "10.0.0.1") == "Pia"


async def test_a_guest_without_seats_is_a_new_one(house: TestHall) -> None:
    link = FakeLink("10.0.0.1")
    first = await house.hall.people.named_guest(link, "caller", "Pia")
    house.hall.people.disconnected(link)
    assert await taken_back(house, "Pia", "10.0.0.1") is None
    assert (
        await house.hall.people.named_guest(FakeLink("10.0.0.1"), "caller", "Pia")
    ).player.id != first.player.id


async def test_nobody_is_taken_back_to_a_seat_given_up_meanwhile(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = await seated_guest(house, "Pia", "10.0.0.1")
    assert link.online is not None
    pia = link.online.player
    house.hall.people.disconnected(link)
    table = await house.hall.house_tables.table("bingo")
    decide = house.hall.rooms.guests.come

    async def come(name: str | None, digest: bytes = b"", place: str = "") -> Arrival:
        arrival = await decide(name, digest, place)
        if arrival.back:
            leave = Ask(table, pia.id, h.Leave(), left := Awaited[Done]())
            house.hall.rooms.tables.put(leave)
            await left
        return arrival

    monkeypatch.setattr(house.hall.rooms.guests, "come", come)
    arrival = await house.hall.people.named_guest(FakeLink("10.0.0.1"), "caller", "Pia")
    assert not arrival.back
    assert arrival.player.id != pia.id
    assert arrival.player.name == "Pia", "nobody has it any more"


async def test_guests_with_a_token_or_a_credential_are_not_taken_by_name(house: TestHall) -> None:
    native = FakeLink("10.0.0.1")
    await house.hall.people.hello(native, "Zack", None)
    bearer = FakeLink("10.0.0.1")
    await house.hall.people.bearer(bearer, "32", "a credential")
    for link in (native, bearer):
        assert link.online is not None
        await house.ask(link, await house.hall.house_tables.table("bingo"), person(link))
        house.hall.people.disconnected(link)
    for name in ("Zack", "32"):
        assert await taken_back(house, name, "10.0.0.1") is None


async def test_a_credential_is_no_token(house: TestHall) -> None:
    first = await house.hall.people.bearer(FakeLink(), "32", "duel:1:2:3:key:1")
    assert await house.hall.people.bearer(FakeLink(), "32", "duel:1:2:3:key:1") == first
    with pytest.raises(BadToken):
        await house.hall.people.hello(FakeLink(), None, "duel:1:2:3:key:1")


def person(link: FakeLink) -> h.Sit:
    assert link.online is not None
    return h.Sit(h.Person(link.online.player.id, link.online.player.name))


async def test_a_lead_whose_lease_runs_out_while_it_decides_gives_no_name(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = house.store.member

    async def run_out(name: str) -> Member | None:
        monkeypatch.setattr(Nodes, "decides", False)
        return await member(name)

    monkeypatch.setattr(house.store, "member", run_out)
    with pytest.raises(Unavailable):
        await house.guest("anna")
