"""Logging in at the `rfc` door: who is registered, who is known, and who is neither."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.doors.rfc.clients import RfcClient
from tests.doors.rfc.halls import PATIENT, Visitors, open_hall

SETTINGS = PATIENT
PASSWORD = "pw_123"


async def refused(client: RfcClient, name: Any, password: Any) -> str:
    return await client.refused("login", {"username": name, "password": password})


async def test_an_unknown_name_is_registered_and_a_known_one_is_itself(at: Visitors) -> None:
    first, second = await at.rfc(), await at.rfc()
    assert await first.log_in("Anna", PASSWORD) == {"username": "Anna", "balance": 1_000_000}
    await first.bet("BIG", 1000)
    assert await second.log_in(" anna ", PASSWORD) == {"username": "Anna", "balance": 999_000}
    await second.bet("BIG", 1)
    assert await first.balance() == 998_999


async def test_a_guest_who_registers_keeps_its_chips(at: Visitors) -> None:
    client = await at.rfc()
    await client.bet("BIG", 250)
    assert await client.log_in("Was a guest", PASSWORD) == {
        "username": "Was a guest",
        "balance": 999_750,
    }


async def test_who_logs_in_as_another_still_follows_the_rounds(at: Visitors) -> None:
    other = await at.rfc()
    await other.log_in("Known", PASSWORD)
    client = await at.rfc()
    await client.subscribe()
    await client.balance()
    await client.log_in("Known", PASSWORD)
    assert (await client.told("round_state"))["roundId"] == "R1"


async def test_a_wrong_password(at: Visitors) -> None:
    owner, client = await at.rfc(), await at.rfc()
    await owner.log_in("Owner", PASSWORD)
    for _ in range(4):
        assert await refused(client, "Owner", "another") == "LOGIN_FAILED"
    await client.bet("BIG", 1)
    assert await owner.balance() == 1_000_000
    assert await refused(client, "owner", "") == "LOGIN_FAILED"
    assert await client.closed() == 1008


@pytest.mark.parametrize(
    ("name", "password"), [("", PASSWORD), ("x" * 33, PASSWORD), ("a\nb", PASSWORD), ("New", ""),
                           ("New", "x" * 129)]
)  # fmt: skip
async def test_what_cannot_be_registered(at: Visitors, name: str, password: str) -> None:
    client = await at.rfc()
    for _ in range(6):
        assert await refused(client, name, password) == "LOGIN_FAILED"
    await client.log_in("Proper", PASSWORD)


async def test_a_short_password_will_do(at: Visitors) -> None:
    client = await at.rfc()
    await client.log_in("Short", "x")


@pytest.mark.parametrize("payload", [None, {}, {"username": "x"}, {"username": 1, "password": "x"}])
async def test_a_login_of_the_wrong_form(at: Visitors, payload: Any) -> None:
    client = await at.rfc()
    assert await client.refused("login", payload) == "BAD_REQUEST"


async def test_a_hall_that_takes_no_new_accounts(tmp_path: Path) -> None:
    with open_hall(tmp_path, *PATIENT, "players.open_registration=false") as hall:
        at = Visitors(hall)
        client = await at.rfc()
        assert await refused(client, "Someone", PASSWORD) == "LOGIN_FAILED"
        await client.bet("BIG", 1)
        mario = await at.mario()
        answer = await mario.call(1, "SicboZone", "Someone", PASSWORD, {})
        assert answer[:5] == [1, False, 3, "Someone", "SicboZone"]
        await at.leave()


async def test_who_goes_in_the_middle_of_a_login_leaves_the_name(at: Visitors) -> None:
    for _ in range(5):
        client = await RfcClient.visit(at.hall)
        await client.send(
            {"action": "login", "payload": {"username": "Hasty", "password": PASSWORD}}
        )
        await client.close()
    client = await at.rfc()
    assert (await client.log_in("Hasty", PASSWORD))["balance"] == 1_000_000
