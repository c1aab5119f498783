"""The whole layout at both doors: sides, the open round, totals, and bets that are placed again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.server import Server
from tests.doors.mario.clients import MarioClient
from tests.doors.rfc.clients import Json, Speaker
from tests.doors.rfc.inside import BY_HAND, close_betting, hall_inside, next_round, visit
from tests.games.sicbo_odds import SIDES, returned

both = pytest.mark.parametrize("door", ["rfc", "mario"])


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with hall_inside(tmp_path, *BY_HAND) as server:
        yield server


async def answers(client: Speaker, action: str, count: int, payload: Any, id: str) -> list[Json]:
    await client.send(client.wrapped({"action": action, "requestId": id, "payload": payload}))
    return [await client.answer(id) for _ in range(count)]


@both
async def test_no_round_an_empty_one_and_null_are_the_round_now_open(
    server: Server, door: str
) -> None:
    client = await visit(server, door)
    round = "R1"
    for given in ({}, {"roundId": None}, {"roundId": ""}, {"roundId": round}):
        answer = await client.request("place_bet", {"side": "BIG", "amount": 5, **given})
        assert answer["action"] == "bet_accepted", answer
        assert answer["payload"]["roundId"] == round
    wrongs: tuple[Any, ...] = (" ", 0, [], "R", "r1")
    for wrong in wrongs:
        bet = {"side": "BIG", "amount": 5, "roundId": wrong}
        assert await client.refused("place_bet", bet) == "ROUND_NOT_FOUND"


@both
async def test_every_side_is_taken_shown_and_paid(server: Server, door: str) -> None:
    client = await visit(server, door)
    round = "R1"
    staked = {side: 10 + n for n, side in enumerate(SIDES)}
    before = await client.balance()
    ids = {(await client.bet(side, chips))["betId"]: side for side, chips in staked.items()}
    datas = await client.table_info()
    everyone = {side: {"total": chips, "players": 1} for side, chips in staked.items()}
    info = datas["tableInfo"]
    assert info["roundId"] == round
    assert info["sides"] == everyone
    assert (info["totalBet"], info["betPlayer"]) == (sum(staked.values()), 1)
    assert datas["betInfo"] == {
        "amountBig": staked["BIG"],
        "amountSmall": staked["SMALL"],
        "sides": staked,
    }
    await close_betting(server)
    dice = (await client.told("reveal_result", roundId=round))["dice"]
    brought = {side: returned(side, chips, dice) for side, chips in staked.items()}
    if door == "rfc":
        told = [await client.told("payout", roundId=round) for _ in staked]
        assert {ids[each["betId"]]: each["payout"] for each in told} == brought
        assert all((each["outcome"] == "WIN") == (each["payout"] > 0) for each in told)
    else:
        paid = await client.told("payout", roundId=round)
        assert (paid["betId"], paid["payout"]) == ("", sum(brought.values()))
    assert await client.balance() == before - sum(staked.values()) + sum(brought.values())
    await client.told("game_over", roundId=round)
    (past,) = [
        each for each in (await client.table_info())["histories"] if each["roundId"] == round
    ]
    assert past["totalBet"] == sum(staked.values())


@both
async def test_what_is_no_side(server: Server, door: str) -> None:
    client = await visit(server, door)
    wrong = ("", "big", "NONE", "LEO0", "LEO7", "SUM3", "SUM18", "DICE11", "DICE21", "DICE7SG")
    for side in (*wrong, "DICE67", "DICE1", None, 5, ["BIG"]):
        bet = {"side": side, "amount": 5}
        assert await client.refused("place_bet", bet) == "INVALID_SIDE"


@both
async def test_bets_are_placed_again_all_of_them(server: Server, door: str) -> None:
    client = await visit(server, door)
    assert await client.refused("rebet", {}) == "NO_BETS"
    bets = [("SUM9", 30), ("BIG", 100), ("SUM9", 5), ("XIU", 7)]
    for side, chips in bets:
        await client.bet(side, chips)
    # Not those of the round that is open, of which there are some by now.
    assert await client.refused("rebet", {}) == "NO_BETS"
    round = await next_round(server, client)
    before = await client.balance()
    placed = await answers(client, "rebet", 4, {}, "again")
    assert [each["action"] for each in placed] == ["bet_accepted"] * 4
    told = [each["payload"] for each in placed]
    assert {each["roundId"] for each in told} == {round} == {"R2"}
    assert [(each["side"], each["amount"]) for each in told] == [
        ("SUM9", 30),
        ("BIG", 100),
        ("SUM9", 5),
        ("SMALL", 7),
    ]
    numbers = [int(each["betId"][1:]) for each in told]
    assert numbers == list(range(numbers[0], numbers[0] + 4))
    if door == "mario":
        # As if they had come one after the other.
        assert [each["betInfo"]["sides"] for each in told] == [
            {"SUM9": 30},
            {"BIG": 100, "SUM9": 30},
            {"BIG": 100, "SUM9": 35},
            {"BIG": 100, "SMALL": 7, "SUM9": 35},
        ]
        assert [each["totalBetBig"] for each in told] == [0, 100, 100, 100]
    assert await client.balance() == before - 142
    # The same request has the same answers, also when the bets have closed.
    assert await answers(client, "rebet", 4, {}, "again") == placed
    assert await client.refused("place_bet", {"side": "BIG", "amount": 1}, "again") == "BAD_REQUEST"
    await close_betting(server)
    assert await answers(client, "rebet", 4, {"roundId": round}, "again") == placed
    assert await client.refused("rebet", {}) == "BET_WINDOW_CLOSED"


@both
async def test_bets_that_one_cannot_pay_are_none(server: Server, door: str) -> None:
    client = await visit(server, door)
    await client.bet("LEO1", 400_000)
    await client.bet("LEO2", 400_000)
    round = await next_round(server, client)
    if await client.balance() > 800_000:
        return  # One of them has won, which happens once in a hundred times.
    before = await client.balance()
    assert await client.refused("rebet", {}) == "INVALID_AMOUNT"
    assert await client.balance() == before
    info = (await client.table_info())["tableInfo"]
    assert (info["roundId"], info["totalBet"]) == (round, 0)


@both
async def test_ones_own_rounds(server: Server, door: str) -> None:
    client, other = await visit(server, door), await visit(server, "rfc", "other")
    assert (await client.request("bet_history_for_table", {}))["datas"] == {"histories": []}
    expected: list[Json] = []
    for bets in ([("ODD", 7), ("LEO3", 1)], [("DICE3SG", 50)]):
        round = f"R{len(expected) + 1}"
        await other.bet("BIG", 999)
        placed = [await client.bet(side, chips) for side, chips in bets]
        await next_round(server, client)
        dice = next(
            said["payload"]["dice"]
            for said in map(client.said, client.log)
            if said is not None and said["action"] == "reveal_result"
            if said["payload"]["roundId"] == round
        )
        brought = [returned(side, chips, dice) for side, chips in bets]
        expected.append(
            {
                "roundId": round,
                "dice": dice,
                "sum": sum(dice),
                "result": "BIG"
                if 10 < sum(dice) < 18
                else "SMALL"
                if 3 < sum(dice) < 11
                else "NONE",
                "totalBet": sum(chips for _, chips in bets),
                "payout": sum(brought),
                "bets": [
                    {
                        "betId": each["betId"],
                        "side": each["side"],
                        "amount": each["amount"],
                        "outcome": "WIN" if chips else "LOSS",
                        "payout": chips,
                    }
                    for each, chips in zip(placed, brought, strict=True)
                ],
            }
        )
    await client.bet("BIG", 1)
    answer = await client.request("bet_history_for_table", {}, "mine")
    # The round that is open is not among them.
    assert answer == {
        "action": "bet_history_for_table",
        "requestId": "mine",
        "payload": {},
        "datas": {"histories": expected},
    }


@both
async def test_chips_are_not_for_the_asking_and_dice_are_not_chosen(
    server: Server, door: str
) -> None:
    client = await visit(server, door)
    assert await client.refused("deposit", {"amount": 1000}) == "NOT_ALLOWED"
    assert await client.refused("deposit", {"amount": 0.5}) == "INVALID_AMOUNT"
    wanted: Json = {"mode": "fixed", "dice": [6, 6, 6]}
    for payload in ({}, wanted):
        assert await client.refused("set_mode", payload) == "NOT_ALLOWED"
    assert await client.balance() == 1_000_000
    if door == "mario":
        stranger = await MarioClient.connect(f"ws://{dict(server.doors)['mario']}/")
        for action, code in (
            ("rebet", "NOT_LOGGED_IN"),
            ("deposit", "NOT_LOGGED_IN"),
            ("bet_history_for_table", "NOT_LOGGED_IN"),
            ("set_mode", "NOT_ALLOWED"),
        ):
            await stranger.send({"action": action, "requestId": action, "payload": {"amount": 5}})
            assert stranger.code_of(await stranger.answer(action)) == code


@both
async def test_who_has_lost_everything_gets_new_chips_once(tmp_path: Path, door: str) -> None:
    async with hall_inside(tmp_path, *BY_HAND, "players.start_balance=1000") as server:
        client = await visit(server, door)
        while (chips := await client.balance()) > 0:
            await client.bet("LEO1", chips)
            await next_round(server, client)
        first = await client.request("deposit", {"amount": 50}, "chips")
        assert (first["action"], first["payload"]) == ("deposit", {"balance": 1000})
        await client.bet("BIG", 400)
        assert await client.request("deposit", {"amount": 50}, "chips") == first
        assert await client.refused("deposit", {"amount": 51}, "chips") == "BAD_REQUEST"
        assert await client.refused("deposit", {"amount": 50}) == "NOT_ALLOWED"
        assert await client.balance() == 600
