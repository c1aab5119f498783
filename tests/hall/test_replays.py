"""Finished rounds again: frame by frame, with the eyes that are asked for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gamehall.errors import NoSuchRound, NoSuchTable, RoundRunning, WrongKey
from gamehall.games.bingo_duel import Pick
from gamehall.games.connect_four import Drop, Dropped
from gamehall.games.sicbo_events import Bet, BetPlaced
from gamehall.games.two_in_turn import Resign
from gamehall.hall.people.notices import TableView
from gamehall.hall.records import reading, replays
from gamehall.hall.records.replays import Frame, Replay
from gamehall.table_log import house as h
from tests.hall.bingo_hall import BingoHall
from tests.hall.halls import KEY, FakeLink, TestHall, until
from tests.hall.test_walk_in import bet, pass_time, watching

WINS = (0, 1, 0, 1, 0, 1, 0)


async def match(
    house: TestHall, game: str, options: dict[str, Any], *, rated: bool = False
) -> tuple[int, FakeLink, FakeLink]:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    table = await house.hall.new_tables.open_match(
        (anna.online, bob.online), game, options, drawn=False, rated=rated, origin=game
    )
    await until(lambda: any(view.status == "playing" for view in bob.of(TableView)))
    return table, anna, bob


async def drop_all(house: TestHall, table: int, *links: FakeLink) -> None:
    for turn, column in enumerate(WINS):
        await house.ask(links[turn % 2], table, Drop(column))


async def replay(
    house: TestHall, table: int, round: int = 1, seat: int | None = None, after: int = 0,
    limit: int = 200, key: str | None = None,
) -> Replay:  # fmt: skip
    return await house.hall.replays.page(table, key, round, seat, after, limit)


def events(replay: Replay, kind: type[Any]) -> list[Any]:
    return [event for frame in replay.frames for event in frame.events if isinstance(event, kind)]


async def test_every_step_is_shown_as_it_was_seen(house: TestHall) -> None:
    table, anna, bob = await match(house, "connect-four", {})
    carol = await house.guest("carol")
    await house.hall.seating.watch(carol, table, None)
    lived = []
    for turn, column in enumerate(WINS):
        await house.ask((anna, bob)[turn % 2], table, Drop(column))
        await house.hall.seating.send_view(carol, table)
        view = carol.of(TableView)[-1]
        lived.append((view.seq, msgspec.to_builtins(view.view), view.picture, view.outcome))
    found = await replay(house, table)
    shown = [frame for frame in found.frames if any(isinstance(e, Dropped) for e in frame.events)]
    assert [(f.seq, f.view, f.picture, f.outcome) for f in shown] == lived
    assert [frame.seat for frame in shown] == [0, 1, 0, 1, 0, 1, 0]
    assert (found.frames[0].view, found.frames[0].picture) == (None, None)
    assert [frame.seq for frame in found.frames] == list(range(1, found.round.last_seq + 1))
    end = events(found, h.RoundEnded)[0]
    round = found.round
    assert (round.secret, round.outcome, round.voided) == (end.secret, end.outcome, None)
    assert round.commitment == events(found, h.Opened)[0].commitment
    assert [(seat.seat, seat.name) for seat in round.players] == [(0, "anna"), (1, "bob")]
    assert (round.game, round.options["columns"], round.rounds) == ("connect-four", 7, 1)
    assert found.next is None


async def test_pages_add_up_to_the_whole(house: TestHall, monkeypatch: pytest.MonkeyPatch) -> None:
    table, anna, bob = await match(house, "connect-four", {})
    await drop_all(house, table, anna, bob)
    whole = await replay(house, table)
    monkeypatch.setattr(reading, "ROWS_AT_ONCE", 2)
    frames: list[Frame] = []
    after = 0
    while True:
        page = await replay(house, table, after=after, limit=3)
        frames += page.frames
        assert (page.round.secret, page.round.outcome) == (whole.round.secret, whole.round.outcome)
        if page.next is None:
            break
        assert (len(page.frames), page.frames[-1].seq) == (3, page.next)
        after = page.next
    assert tuple(frames) == whole.frames
    assert (await replay(house, table, after=whole.round.last_seq)).frames == ()
    monkeypatch.setattr(replays, "PAGE_BYTES_MAX", 1)
    short = await replay(house, table)
    assert (short.frames, short.next) == (whole.frames[:1], whole.frames[0].seq)


async def test_a_round_shows_nothing_of_the_next_one(house: TestHall) -> None:
    table, anna, bob = await match(house, "bingo-duel", {"size": 3}, rated=True)
    await house.ask(anna, table, Resign())
    for link in (anna, bob):
        await house.ask(link, table, h.Rematch())
    first = await replay(house, table)
    assert (first.round.rounds, len(events(first, h.Opened))) == (2, 1)
    assert isinstance(first.frames[-1].events[-1], h.RoundEnded)
    with pytest.raises(RoundRunning):
        await replay(house, table, 2)
    await house.ask(bob, table, Resign())
    second = await replay(house, table, 2)
    assert [event.round for event in events(second, h.Opened)] == [2]
    assert second.frames[0].view is not None  # The seats were there, so it began at once.


async def test_a_row_that_ends_one_round_and_opens_the_next(house: TestHall) -> None:
    bingo = await BingoHall.open(house, "anna", "bob")
    for name in ("anna", "bob"):
        await bingo.start(name)
        await bingo.do("anna", h.Leave())
        await bingo.do("bob", h.Leave())
        await bingo.sit(bingo.at["anna"])
        await bingo.sit(bingo.at["bob"])
    first, second = await replay(house, bingo.id, 1), await replay(house, bingo.id, 2)
    assert first.round.last_seq == second.round.first_seq
    for number, found in enumerate((first, second), 1):
        assert [event.round for event in events(found, h.Opened)] == [number]
        assert isinstance(found.frames[0].events[0], h.Opened)
        assert isinstance(found.frames[-1].events[-1], h.RoundEnded)
    assert first.round.secret != second.round.secret


async def test_whose_eyes_are_chosen(house: TestHall) -> None:
    table, _, bob = await match(house, "bingo-duel", {"size": 3}, rated=True)
    await house.ask(bob, table, Pick(1))
    await house.ask(bob, table, h.Leave())

    async def boards(seat: int | None) -> list[bool]:
        """At the first pick, whether each board is shown whole."""
        found = await replay(house, table, seat=seat)
        frame = next(f for f in found.frames if f.view is not None and f.view["picked"])
        return [all(all(row) for row in side["board"]) for side in frame.view["sides"]]

    assert await boards(None) == [False, False]
    assert await boards(0) == [True, False]
    assert await boards(1) == [False, True]
    assert await boards(7) == [False, False]


async def test_of_thousands_of_bets_only_the_own_ones_are_shown(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    bob, _ = await watching(house, "bob")
    for amount in (1, 2, 3):
        await bet(house, anna, table, Bet("BIG", amount))
    await bet(house, bob, table, Bet("SMALL", 7))
    with pytest.raises(RoundRunning):
        await replay(house, table)
    await pass_time(house, table, 30_000)
    await pass_time(house, table, 3_000)
    spectator = await replay(house, table)
    assert events(spectator, BetPlaced) == events(spectator, h.Seated) == []
    assert all(frame.events for frame in spectator.frames)
    mine = await replay(house, table, seat=1)
    assert [event.amount for event in events(mine, BetPlaced)] == [7]
    assert [event.person.name for event in events(mine, h.Seated)] == ["bob"]


async def test_a_round_that_was_called_off(house: TestHall) -> None:
    anna, table = await watching(house, "anna")
    await bet(house, anna, table, Bet("BIG", 1))
    await house.hall.seating.void(table, "the dice fell")
    found = (await replay(house, table)).round
    assert (found.outcome, found.voided, len(found.secret)) == (None, "the dice fell", 64)


async def test_what_is_refused(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    opened = await house.hall.new_tables.open_table(
        anna.online, "connect-four", {}, private=True, bots=(), request=None
    )
    for link in (anna, bob):
        assert link.online is not None
        player = link.online.player
        await house.ask(link, opened.table, h.Sit(h.Person(player.id, player.name)))
    await house.ask(anna, opened.table, h.Leave())
    with pytest.raises(WrongKey):
        await replay(house, opened.table)
    assert (await replay(house, opened.table, key=KEY.table_key(opened.table))).frames
    with pytest.raises(NoSuchRound):
        await replay(house, opened.table, 2, key=opened.key)
    with pytest.raises(NoSuchTable):
        await replay(house, 99)
