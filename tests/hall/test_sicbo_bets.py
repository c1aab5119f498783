"""One's own bets in earlier rounds: found in the ledger and the journal, within bounds."""

from __future__ import annotations

import pytest

from gamehall.errors import BadRequest, HallError, NoFunds, NoSuchTable
from gamehall.games.sicbo_events import Bet, NoBets, OneBet, PlaceBets, placed_by
from gamehall.games.sicbo_layout import SIDES
from gamehall.hall.beat.requests import Done
from gamehall.hall.seats import sicbo_bets
from gamehall.store.appends import Request
from tests.hall.halls import FakeLink, TestHall, answer_of, until
from tests.hall.test_walk_in import BETTING_MS, PAUSE_MS, REVEAL_MS, pass_time, watching


async def place(house: TestHall, link: FakeLink, table: int, command: Bet | PlaceBets) -> None:
    online = link.online
    assert online is not None
    answer = await answer_of(
        lambda reply: house.hall.seating.act(online, table, command, None, reply)
    )
    assert isinstance(answer, Done), answer


async def next_round(house: TestHall, table: int) -> None:
    for ms in (BETTING_MS, REVEAL_MS, PAUSE_MS):
        await pass_time(house, table, ms)


async def rebet(
    house: TestHall, link: FakeLink, table: int, round: int | None = None, id: str | None = None
) -> Done | HallError:
    online = link.online
    assert online is not None
    request = None if id is None else Request(online.player.id, id, b"rebet")
    answers: list[Done | HallError] = []
    await house.hall.sicbo_bets.rebet(online, table, round, request, answers.append)
    await until(lambda: answers)
    return answers[0]


def placed(answer: Done | HallError) -> list[tuple[str, int]]:
    assert isinstance(answer, Done), answer
    return [(bet.side, bet.amount) for bet in placed_by(answer.events)]


def player(link: FakeLink) -> int:
    assert link.online is not None
    return link.online.player.id


async def test_the_last_round_in_which_one_bet_also_long_ago(house: TestHall) -> None:
    (anna, table), (ben, _) = await watching(house, "anna"), await watching(house, "ben")
    await place(house, anna, table, Bet("SUM4", 7))
    await place(house, ben, table, Bet("SMALL", 1))
    await place(house, anna, table, PlaceBets((OneBet("BIG", 5), OneBet("BIG", 6))))
    for _ in range(3):
        await next_round(house, table)
        await place(house, ben, table, Bet("BIG", 2))
    expected = [("SUM4", 7), ("BIG", 5), ("BIG", 6)]
    assert placed(await rebet(house, anna, table)) == expected
    # Also after a restart, when no memory has them.
    await next_round(house, table)
    await house.restart()
    await house.hall.start()
    await house.hall.rooms.tables.load(table)
    anna.online = house.hall.rooms.players.attach(anna, anna.online.player)  # type: ignore[union-attr]
    assert placed(await rebet(house, anna, table)) == expected


async def test_who_has_not_bet_here_has_none_to_place_again(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    with pytest.raises(NoBets):
        await rebet(house, anna, table)
    other = await house.hall.rooms.tables.open("sicbo", {})
    await place(house, anna, other, Bet("BIG", 5))
    with pytest.raises(NoBets):
        await rebet(house, anna, table, round=99)
    with pytest.raises(NoSuchTable):
        await rebet(house, anna, 10**6)


async def test_a_request_of_another_kind_is_not_answered_as_a_rebet(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    online = anna.online
    assert online is not None
    request = Request(player(anna), "id", b"bet")
    await answer_of(
        lambda reply: house.hall.seating.act(online, table, Bet("BIG", 5), request, reply)
    )
    with pytest.raises(BadRequest):
        await rebet(house, anna, table, id="id")


async def test_all_of_them_or_none(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    await place(house, anna, table, PlaceBets((OneBet("LEO1", 300_000), OneBet("LEO2", 300_000))))
    await next_round(house, table)
    before = await house.store.balance(player(anna))
    assert before == 400_000, "the first dice of this draw key are no such triple"
    assert isinstance(await rebet(house, anna, table), NoFunds)
    assert await house.store.balance(player(anna)) == before


async def test_the_last_60_rounds_oldest_first(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    for round in range(1, 64):
        if round % 31:
            await place(house, anna, table, Bet(SIDES[round % 52], round))
        await next_round(house, table)
    shown = await house.hall.sicbo_bets.history(table, player(anna))
    assert [each.round for each in shown] == [n for n in range(2, 64) if n % 31]
    assert len(shown) == 60
    items = await house.store.statement(player(anna), before=None, limit=500)
    for each in shown:
        pot = f"pot:{table}:{each.round}"
        moved = [item.chips for item in items if item.other == pot]
        assert sum(-bet.amount for bet in each.bets) == sum(min(0, chips) for chips in moved)
        assert sum(bet.paid or 0 for bet in each.bets) == sum(max(0, chips) for chips in moved)


async def test_what_is_read_and_shown_has_bounds(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, table = await watching(house, "anna")
    for round in range(1, 5):
        await place(house, anna, table, PlaceBets((OneBet("ODD", round),) * 30))
        await place(house, anna, table, Bet("EVEN", round))
        await next_round(house, table)
    monkeypatch.setattr(sicbo_bets, "BETS_MAX", 70)
    shown = await house.hall.sicbo_bets.history(table, player(anna))
    assert [(each.round, len(each.bets)) for each in shown] == [(3, 31), (4, 31)]
    monkeypatch.setattr(sicbo_bets, "BETS_MAX", 5)
    shown = await house.hall.sicbo_bets.history(table, player(anna))
    assert [each.round for each in shown] == [4], "the last is always shown"
    # A round that lies beyond what is read is left out, and never shown in part.
    monkeypatch.setattr(sicbo_bets, "PAGE", 1)
    monkeypatch.setattr(sicbo_bets, "PAGES_MAX", 2)
    assert await house.hall.sicbo_bets.history(table, player(anna)) == []
    with pytest.raises(NoBets):
        await rebet(house, anna, table)
