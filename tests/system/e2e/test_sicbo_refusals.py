"""What the Sic Bo doors refuse, with which code, and that nothing else happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json, Refused
from tests.system.e2e.sicbo_bettors import DOORS, PASSWORD, mario_urls, open_round, rfc_urls
from tests.system.e2e.sicbo_clients import ZONE, MarioClient, RfcClient
from tests.system.e2e.sicbo_connection import SicBoClient
from tests.system.e2e.sicbo_rounds import START_CHIPS

LONG = ("sicbo.betting_seconds=600", "sicbo.bet_max=500000")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    data = tmp_path_factory.mktemp("data")
    with HallProcess(data, settings=LONG, doors=DOORS) as process:
        yield process


@pytest_asyncio.fixture(params=["rfc", "mario"])
async def client(
    hall: HallProcess, request: pytest.FixtureRequest
) -> AsyncIterator[RfcClient | MarioClient]:
    """Someone new who knows which round is open."""
    if request.param == "rfc":
        async with await RfcClient.connect(rfc_urls(hall)[0]) as rfc:
            await rfc.subscribe()
            yield rfc
    else:
        async with await MarioClient.connect(mario_urls(hall)[0]) as mario:
            await mario.login(f"member{next(_numbers)}", PASSWORD)
            yield mario


_numbers = iter(range(1000))


async def refusal(client: SicBoClient, action: str, payload: Json | None = None) -> str:
    with pytest.raises(Refused) as refused:
        await client.ask(action, payload)
    return refused.value.code


BAD_AMOUNTS: list[Any] = [
    0,
    -1,
    -(2**63),
    0.5,
    3.0,
    1e300,
    "1000",
    "",
    True,
    None,
    [],
    {},
    500_001,
    2**53 + 1,
    2**63,
    2**64,
    10**30,
]


async def test_bad_amounts(client: SicBoClient) -> None:
    round = await open_round(client, 0)
    for amount in BAD_AMOUNTS:
        payload = {"roundId": round, "side": "BIG", "amount": amount}
        assert await refusal(client, "place_bet", payload) == "INVALID_AMOUNT", amount
    # Three bets are more than a new player has.
    await client.bet(round, "BIG", 500_000)
    await client.bet(round, "SMALL", 400_000)
    payload = {"roundId": round, "side": "BIG", "amount": 100_001}
    assert await refusal(client, "place_bet", payload) == "INVALID_AMOUNT"
    assert await client.balance() == client.book.balance == START_CHIPS - 900_000
    await client.bet(round, "TAI", 100_000)
    assert await client.balance() == 0


async def test_bad_sides_and_rounds(client: SicBoClient) -> None:
    round = await open_round(client, 0)
    bad_sides: list[Any] = ["big", "BIGGER", "", "NONE", None, 1, True, [], {"BIG": 1}]
    for side in bad_sides:
        payload = {"roundId": round, "side": side, "amount": 1000}
        assert await refusal(client, "place_bet", payload) == "INVALID_SIDE", side
    for never in ("R0", "R999999", "R-1", "R", " ", "17", "R1.5", "R" + "9" * 40):
        payload = {"roundId": never, "side": "BIG", "amount": 1000}
        assert await refusal(client, "place_bet", payload) == "ROUND_NOT_FOUND", never
    assert await client.balance() == START_CHIPS


async def test_unknown_actions_and_wrong_shapes(client: SicBoClient) -> None:
    await open_round(client, 0)
    assert await refusal(client, "roll_dice", {}) == "UNKNOWN_ACTION"
    payloads: list[Any] = [[], "BIG", 17, True]
    for payload in payloads:
        assert await refusal(client, "place_bet", payload) == "BAD_REQUEST", payload
    for raw in ("", "   ", "{", "[", "null", "17", '"ping"', "{}", b"\xff\xfe", '{"action":7}'):
        before = len(client.heard)
        await client.send(raw)
        await client.ask("get_user_info")
        codes = [message["payload"].get("code") for message in client.heard[before:-1]]
        blank = isinstance(raw, str) and not raw.strip()
        assert codes == ([] if blank else ["BAD_REQUEST"]), raw
    assert (await client.ask("ping"))["action"] == "pong"


async def test_the_same_request_twice(client: SicBoClient) -> None:
    round = await open_round(client, 0)
    ids: list[str | int] = ["twice", 17]
    for id in ids:
        payload = {"roundId": round, "side": "BIG", "amount": 1000}
        posted = [await client.post("place_bet", payload, id=id, again=bool(n)) for n in range(3)]
        first, *others = [await answered for answered in posted]
        assert first["action"] == "bet_accepted"
        assert first["requestId"] == id
        assert all(other == first for other in others)
        other_payload = {"roundId": round, "side": "BIG", "amount": 1001}
        refused = await (await client.post("place_bet", other_payload, id=id, again=True))
        assert (refused["action"], refused["payload"]["code"]) == ("error", "BAD_REQUEST")
    assert len(client.book.bets) == 2
    assert await client.balance() == START_CHIPS - 2000


async def test_wrong_passwords(hall: HallProcess) -> None:
    async with (
        await RfcClient.connect(rfc_urls(hall)[0]) as rfc,
        await MarioClient.connect(mario_urls(hall)[0]) as mario,
        await MarioClient.connect(mario_urls(hall)[1]) as other,
    ):
        await mario.login("carla", PASSWORD)
        login = {"username": "carla", "password": "guessed"}
        assert await refusal(rfc, "login", login) == "LOGIN_FAILED"
        with pytest.raises(Refused) as refused:
            await other.login("carla", "guessed")
        assert refused.value.code == "3"
        # The connection stays, and the right password is taken.
        await rfc.login("carla", PASSWORD)
        await other.login("carla", PASSWORD)
        assert await rfc.balance() == await other.balance() == START_CHIPS


async def test_mario_before_the_login(hall: HallProcess) -> None:
    """Existing clients say some things early, which are taken without complaint."""
    async with await MarioClient.connect(mario_urls(hall)[0]) as client:
        for action in ("subscribe_rounds", "join_to_sicbo_game"):
            await client.send({"action": action})
        await client.send({"action": "ping", "requestId": "early"})
        await client.until(lambda: client.heard != [])
        assert json.loads(client.raw[0]) == {"action": "pong", "requestId": "early"}
        client.unasked.clear()
        assert await client.request(7, ZONE, 17, 1764208281333) == [17, 1764208281333]
        bet = {"roundId": "R1", "side": "BIG", "amount": 1000}
        assert await refusal(client, "place_bet", bet) == "NOT_LOGGED_IN"
        assert await refusal(client, "get_user_info") == "NOT_LOGGED_IN"
        assert (await client.request(3, ZONE, 1, ""))[:2] == [False, 2]
        assert (await client.request(4, ZONE, 1))[:2] == [False, 2]
        assert (await client.request(1, "NoZone", "dora", PASSWORD, {}))[:2] == [False, 4]
        bad_logins: list[list[Any]] = [
            [1],
            [1, ZONE],
            [1, ZONE, "dora", PASSWORD, {}, 1],
            [1, ZONE, 17, PASSWORD, {}],
            [1, ZONE, "dora", PASSWORD, []],
        ]
        for array in bad_logins:
            assert (await client.request(*array))[:2] == [False, 1], array


async def test_mario_rooms(hall: HallProcess) -> None:
    """Who leaves the room hears no more of its rounds, and hears of them again on the way back."""
    async with await MarioClient.connect(mario_urls(hall)[0]) as client:
        await client.login("emil", PASSWORD)
        room = client.room
        assert (await client.request(4, ZONE, room))[:3] == [True, 0, room]
        assert (await client.request(4, ZONE, room))[:2] == [False, 7]
        assert (await client.request(3, ZONE, 2**31 - 1, ""))[:2] == [False, 5]
        assert (await client.request(3, "NoZone", room, ""))[:2] == [False, 4]
        assert (await client.request(3, ZONE, "one", ""))[:2] == [False, 1]
        # True is not 1.
        assert (await client.request(3, ZONE, True, ""))[:2] == [False, 1]
        before = len(client.heard)
        assert (await client.request(3, ZONE, room, ""))[:3] == [True, 0, room]
        await client.message("round_state", before, status="BETTING_OPEN")
        assert (await client.request(2, ZONE))[0] is True
        client.room = 0
        assert await refusal(client, "get_user_info") == "NOT_LOGGED_IN"
        await client.login("emil", PASSWORD)
        await client.send([True, ZONE, "emil", PASSWORD, {}])
        error = await client.message("error", code="BAD_REQUEST")
        assert "requestId" not in error
        await client.send([6, ZONE, "otherPlugin", {"action": "ping", "requestId": "lost"}])
        await client.until(lambda: client.heard[-1].get("requestId") == "lost")
        assert client.heard[-1]["payload"]["code"] == "BAD_REQUEST"
        client.unasked.clear()


async def test_too_many_messages(hall: HallProcess) -> None:
    """The rest of the hall goes on while one connection asks too much."""
    async with (
        await RfcClient.connect(rfc_urls(hall)[0]) as calm,
        await RfcClient.connect(rfc_urls(hall)[0]) as busy,
    ):
        posted = [await busy.post("ping", id=f"ping-{n}") for n in range(260)]
        await busy.message("error", code="RATE_LIMITED")
        assert (await calm.ask("ping"))["action"] == "pong"
        done, _ = await asyncio.wait(posted[:200], timeout=WAIT_SECONDS)
        assert len(done) == 200
