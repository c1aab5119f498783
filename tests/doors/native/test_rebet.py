"""Sic Bo at the native door: several bets at once, bets placed again, and one's own rounds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gamehall.server import Server
from tests.doors.native.clients import Door, Json
from tests.doors.rfc.inside import BY_HAND, close_betting, hall_inside, visit_natively
from tests.games.sicbo_odds import returned

doors = pytest.mark.parametrize("door", ["ws", "tcp"])
BETS: list[Json] = [
    {"side": "SUM9", "amount": 30},
    {"side": "BIG", "amount": 100},
    {"side": "ODD", "amount": 2},
]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with hall_inside(tmp_path, *BY_HAND) as server:
        yield server


@doors
async def test_bets_are_placed_again(server: Server, door: Door) -> None:
    anna, table = await visit_natively(server, door, "anna")
    assert await anna.refused("rebet", table=table) == "no_bets"
    await anna.ask("act", table=table, command={"type": "place_bets", "bets": BETS})
    await close_betting(server)
    over = await anna.notice("table_over", table=table, round=1)
    await anna.notice("table_events", table=table, after=over["seq"])
    before = (await anna.ask("balance"))["balance"]
    first = await anna.request("rebet", {"table": table}, "again")
    assert first["action"] == "rebet", first
    assert (await anna.ask("balance"))["balance"] == before - 132
    assert await anna.request("rebet", {"table": table}, "again") == first
    await anna.ask("resume", table=table)
    view = (await anna.notice("table_view", table=table, round=2))["view"]
    assert [{"side": each["side"], "amount": each["amount"]} for each in view["bets"]] == BETS
    assert view["stake"] == {"big": 100, "small": 0, "sides": {"SUM9": 30, "ODD": 2}}
    assert view["sides"]["SUM9"] == {"total": 30, "players": 1}
    assert view["odds"]["DICE6SG"] == [1, 2, 3]
    # Those of a round before that is named.
    assert await anna.refused("rebet", table=table, round=1) == "bet_window_closed"
    assert await anna.refused("rebet", table=table, round=3) == "round_not_found"
    assert (await anna.ask("balance"))["balance"] == before - 132
    # Once at the table, also when another round has opened.
    await close_betting(server)
    over = await anna.notice("table_over", table=table, round=2)
    await anna.notice("table_events", table=table, after=over["seq"])
    before = (await anna.ask("balance"))["balance"]
    assert await anna.request("rebet", {"table": table}, "again") == first
    assert (await anna.ask("balance"))["balance"] == before


@doors
async def test_ones_own_rounds(server: Server, door: Door) -> None:
    anna, table = await visit_natively(server, door, "anna")
    ben, _ = await visit_natively(server, door, "ben")
    assert await anna.ask("bet_history_for_table", table=table) == {"histories": []}
    await ben.ask("act", table=table, command={"type": "bet", "side": "BIG", "amount": 9})
    await anna.ask("act", table=table, command={"type": "place_bets", "bets": BETS})
    await anna.ask("act", table=table, command={"type": "bet", "side": "ODD", "amount": 5})
    assert await anna.ask("bet_history_for_table", table=table) == {"histories": []}
    await close_betting(server)
    await anna.notice("table_over", table=table, round=1)
    (shown,) = (await anna.ask("bet_history_for_table", table=table))["histories"]
    dice = shown["dice"]
    every: list[Json] = [*BETS, {"side": "ODD", "amount": 5}]
    bets: list[Json] = [
        {**each, "bet": n, "paid": returned(each["side"], each["amount"], dice)}
        for n, each in enumerate(every, 2)
    ]
    assert shown == {
        "round": 1,
        "dice": dice,
        "sum": sum(dice),
        "result": shown["result"],
        "bets": bets,
    }


async def test_a_round_that_was_called_off_gave_every_stake_back(server: Server) -> None:
    anna, table = await visit_natively(server, "ws", "anna")
    await anna.ask("act", table=table, command={"type": "bet", "side": "LEO6", "amount": 5})
    await server.hall.seating.void(table, "fault")
    (shown,) = (await anna.ask("bet_history_for_table", table=table))["histories"]
    assert shown == {
        "round": 1,
        "dice": [],
        "sum": 0,
        "result": None,
        "bets": [{"bet": 1, "side": "LEO6", "amount": 5, "paid": 5}],
    }


async def test_other_tables_have_no_bets_and_dice_are_not_chosen(server: Server) -> None:
    anna, _ = await visit_natively(server, "ws", "anna")
    board = (await anna.ask("open_table", game="connect-four"))["table"]
    assert await anna.refused("rebet", table=board) == "illegal_command"
    assert await anna.refused("bet_history_for_table", table=board) == "illegal_command"
    assert await anna.refused("rebet", table=10**6) == "no_such_table"
    assert await anna.refused("set_mode", dice=[6, 6, 6]) == "not_allowed"
    assert await anna.refused("deposit", amount=5) == "not_allowed"


@doors
async def test_who_has_lost_everything_gets_new_chips_once(tmp_path: Path, door: Door) -> None:
    async with hall_inside(tmp_path, *BY_HAND, "players.start_balance=1000") as server:
        anna, table = await visit_natively(server, door, "anna")
        round = 0
        while (chips := (await anna.ask("balance"))["balance"]) > 0:
            round += 1
            bet = {"type": "bet", "side": "LEO1", "amount": chips}
            await anna.ask("act", table=table, command=bet)
            await close_betting(server)
            over = await anna.notice("table_over", table=table, round=round)
            await anna.notice("table_events", table=table, after=over["seq"])
        first = await anna.request("deposit", {"amount": 50}, "chips")
        assert (first["action"], first["payload"]) == ("deposit", {"balance": 1000})
        assert await anna.request("deposit", {"amount": 50}, "chips") == first
        assert await anna.refused("deposit", amount=50) == "not_allowed"
        assert (await anna.ask("balance"))["balance"] == 1000
