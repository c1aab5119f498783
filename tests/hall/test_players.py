"""Identity: guests, members, tokens, several connections."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import (
    BadName,
    BadPassword,
    BadToken,
    LoginFailed,
    NameTaken,
)
from tests.hall.halls import FakeLink, TestHall


async def test_a_guest_comes_back_with_its_token_also_after_a_restart(house: TestHall) -> None:
    link = FakeLink()
    welcome = await house.hall.hello(link, " anna ", None)
    assert (welcome.player.name, welcome.player.kind) == ("anna", "guest")
    assert welcome.player.balance == 1_000_000
    await house.restart()
    again = await house.hall.hello(FakeLink(), None, welcome.token)
    assert again.player == welcome.player


async def test_names_in_use_get_a_number_even_when_two_come_at_once(house: TestHall) -> None:
    links = [FakeLink() for _ in range(5)]
    welcomes = await asyncio.gather(*(house.hall.hello(link, "Ánna", None) for link in links))
    names = {welcome.player.name for welcome in welcomes}
    assert names == {"Ánna", "Ánna2", "Ánna3", "Ánna4", "Ánna5"}
    assert (await house.hall.hello(FakeLink(), "ÁNNA", None)).player.name == "ÁNNA6"


async def test_a_name_is_free_again_when_its_guest_has_gone(house: TestHall) -> None:
    link = await house.guest("anna")
    house.hall.disconnected(link)
    assert (await house.hall.hello(FakeLink(), "anna", None)).player.name == "anna"


@pytest.mark.parametrize("name", ["", "   ", "x" * 33, "a\nb", "a\x00", "a\u202e"])
async def test_bad_names_are_refused(house: TestHall, name: str) -> None:
    with pytest.raises(BadName):
        await house.hall.hello(FakeLink(), name, None)


async def test_a_guest_who_registers_keeps_itself(house: TestHall) -> None:
    link = await house.guest("anna")
    assert link.online is not None
    id = link.online.player.id
    welcome = await house.hall.register(link, "Anna", "secret1")
    assert (welcome.player.id, welcome.player.name, welcome.player.kind) == (id, "Anna", "member")
    assert (await house.hall.hello(FakeLink(), "anna", None)).player.name == "anna2"
    logged_in = await house.hall.login(FakeLink(), "ANNA", "secret1")
    assert logged_in.player.id == id


async def test_register_again_is_a_login_for_its_owner_and_taken_for_others(
    house: TestHall,
) -> None:
    first = await house.hall.register(FakeLink(), "anna", "secret1")
    again = await house.hall.register(FakeLink(), "anna", "secret1")
    assert again.player.id == first.player.id
    with pytest.raises(NameTaken):
        await house.hall.register(FakeLink(), "anna", "another")
    await house.guest("bob")
    with pytest.raises(NameTaken):
        await house.hall.register(FakeLink(), "bob", "secret1")
    with pytest.raises(BadPassword):
        await house.hall.register(FakeLink(), "carl", "short")


async def test_wrong_passwords_and_unknown_names_fail_alike(house: TestHall) -> None:
    await house.hall.register(FakeLink(), "anna", "secret1")
    for name, password in (("anna", "wrong!!"), ("nobody", "secret1"), ("anna", "x" * 200)):
        with pytest.raises(LoginFailed):
            await house.hall.login(FakeLink(), name, password)


async def test_logout_ends_the_token_and_only_that_connection(house: TestHall) -> None:
    one, two = FakeLink(), FakeLink()
    welcome = await house.hall.register(one, "anna", "secret1")
    other = await house.hall.login(two, "anna", "secret1")
    await house.hall.logout(one)
    assert one.online is None
    assert two.online is not None
    with pytest.raises(BadToken):
        await house.hall.hello(FakeLink(), None, welcome.token)
    assert (await house.hall.hello(FakeLink(), None, other.token)).player.id == other.player.id


async def test_a_login_changes_who_a_link_speaks_for(house: TestHall) -> None:
    await house.hall.register(FakeLink(), "anna", "secret1")
    link = await house.guest("visitor")
    guest = link.online
    await house.hall.login(link, "anna", "secret1")
    assert link.online is not None
    assert link.online.player.name == "anna"
    assert guest is not None
    assert not guest.links
