"""What holds for the lists of any store: tables, timers, finished rounds, standings."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from gamehall.store.appends import Durable, NewRow, Overtaken, SeatResult, Summary, TableStatus
from gamehall.store.journals import RoundSpan
from gamehall.store.lists import TableInfo
from gamehall.store.store import Store
from tests.contract.store_builders import (
    NOW_MS,
    answer,
    append,
    finished,
    guest,
    opened,
    opening,
    pay,
    paying,
    summary,
)


class ListContract:
    async def test_a_table_is_described_as_it_was_last(self, store: Store) -> None:
        table = await store.new_table()
        assert await store.table(table) is None
        first = append(table, opening=opening(rated=True, private=True))
        assert await answer(store, first) == Durable()
        seats = Summary("playing", 2, 2, ("Ada", 'B"ö\u2028b'), 2, (5, 6))
        assert await answer(store, append(table, 1, summary=seats)) == Durable()
        assert await answer(store, append(table, 2)) == Durable()
        assert await store.table(table) == TableInfo(
            id=table,
            game="connect-four",
            status="playing",
            round=2,
            round_seq=2,
            head=3,
            hash=f"{table}-2",
            names=("Ada", 'B"ö\u2028b'),
            count=2,
            private=True,
            rated=True,
            opened_at_ms=NOW_MS,
            changed_at_ms=NOW_MS + 2,
        )

    async def test_lists_tables_by_game_and_status(self, store: Store) -> None:
        waiting = await opened(store, summary=summary("waiting", 1))
        playing = await opened(store, summary=summary("playing", 1, 2))
        secret = await opened(store, opening=opening(private=True))
        bingo = await opened(store, opening=opening(game="bingo"))
        closed = await opened(store, summary=summary("closed"))

        async def listed(
            game: str | None = None, status: TableStatus | None = None, **more: Any
        ) -> list[int]:
            how = {"private": False, "after": 0, "limit": 10} | more
            found = await store.tables(game=game, status=status, **how)
            return [info.id for info in found]

        assert await listed() == [waiting, playing, bingo]
        assert await listed(private=True) == [waiting, playing, secret, bingo]
        assert await listed(game="bingo") == [bingo]
        assert await listed(status="playing") == [playing]
        assert await listed(status="closed") == [closed]
        assert await listed(game="connect-four", status="waiting") == [waiting]
        assert await listed(limit=2) == [waiting, playing]
        assert await listed(after=playing, limit=2) == [bingo]

    async def test_timers_soonest_first(self, store: Store) -> None:
        late = await opened(store, due_ms=3000)
        soon = await opened(store, due_ms=1000)
        await opened(store, due_ms=None)
        middle = await opened(store, due_ms=5000)
        assert await answer(store, append(middle, 1, due_ms=2000)) == Durable()
        stopped = await opened(store, due_ms=500)
        assert await answer(store, append(stopped, 1, due_ms=None)) == Durable()
        assert await store.due(2) == [(1000, soon), (2000, middle)]
        assert await store.due(10) == [(1000, soon), (2000, middle), (3000, late)]
        assert await store.due(10, (2000, middle)) == [(3000, late)]

    async def test_players_find_the_tables_where_they_may_act(self, store: Store) -> None:
        both = await opened(store, summary=summary("playing", 1, 2))
        one = await opened(store, summary=summary("waiting", 1))
        assert await store.tables_of(1) == [both, one]
        assert await store.tables_of(2) == [both]
        assert await answer(store, append(both, 1)) == Durable()
        assert await store.tables_of(2) == [both]
        assert (
            await answer(store, append(both, 2, summary=summary("over", 3, went=(1,)))) == Durable()
        )
        assert await store.tables_of(1) == [one]
        assert await store.tables_of(3) == [both]
        assert await answer(store, append(one, 1, summary=summary("closed", 1))) == Durable()
        assert await store.tables_of(1) == []

    async def test_seats_of_many_players_at_once(self, store: Store) -> None:
        both = await opened(store, summary=summary("playing", 1, 2))
        one = await opened(store, summary=summary("waiting", 1))
        await opened(store, summary=summary("playing", 4))
        await opened(store, summary=summary("closed", 1))
        assert await store.seats_of([3, 2, 1]) == [(1, both), (1, one), (2, both)]
        assert await store.seats_of([3]) == []
        assert await store.seats_of([]) == []

    async def test_history_newest_table_first(self, store: Store) -> None:
        first = await opened(store, finished=(finished({1: "win", 2: "loss"}),))
        again = finished({2: "draw", 1: "draw"}, round=2, first_seq=2, last_seq=2)
        assert await answer(store, append(first, 1, finished=(again,))) == Durable()
        second = await opened(store, finished=(finished({3: "win", 2: "loss"}),))
        bingo = await opened(
            store, opening=opening(game="bingo", rated=True), finished=(finished({1: "win"}),)
        )
        await opened(store, opening=opening(private=True), finished=(finished({1: "win"}),))
        await opened(store)

        async def rounds(**how: Any) -> list[tuple[int, int]]:
            how = {"game": None, "player": None, "before": None, "limit": 10} | how
            return [(item.table, item.round) for item in await store.history(**how)]

        async def by_ones(**how: Any) -> list[tuple[int, int]]:
            found: list[tuple[int, int]] = []
            how = {"game": None, "player": None, "before": None} | how
            while page := await store.history(**how, limit=1):
                found += [(item.table, item.round) for item in page]
                how["before"] = page[-1].place
            return found

        assert await rounds() == [(bingo, 1), (second, 1), (first, 2), (first, 1)]
        assert await rounds(player=1) == [(bingo, 1), (first, 2), (first, 1)]
        assert await rounds(player=3) == [(second, 1)]
        assert await rounds(game="bingo") == [(bingo, 1)]
        assert await rounds(game="connect-four", player=2, limit=1) == [(second, 1)]
        assert await by_ones() == await rounds()
        assert await by_ones(player=1) == await rounds(player=1)
        assert await by_ones(game="connect-four") == await rounds(game="connect-four")
        item = (await store.history(game="bingo", player=None, before=None, limit=1))[0]
        assert item.rated
        assert item.results == (SeatResult(0, 1, "name-1", "win"),)
        assert (item.first_seq, item.last_seq, item.hash) == (1, 1, "abc")
        assert (item.ended_at_ms, item.reason) == (NOW_MS, "line")

    async def test_a_round_that_is_over_is_found_by_its_number(self, store: Store) -> None:
        table = await opened(store, finished=(finished({1: "win"}, last_seq=3),))
        void = replace(finished({}, round=2, first_seq=4, last_seq=9), hash="def", voided=True)
        assert await answer(store, append(table, 1, finished=(void,))) == Durable()
        assert await store.round_span(table, 1) == RoundSpan(1, 3, "abc")
        assert await store.round_span(table, 2) == RoundSpan(4, 9, "def")
        assert await store.round_span(table, 3) is None
        assert await store.round_span(table + 1, 1) is None
        shown = await store.history(game=None, player=None, before=None, limit=10)
        assert [item.round for item in shown] == [1], "a void round is in no list"

    async def test_standings_by_games_won_then_by_fewest_lost(self, store: Store) -> None:
        ada, bob, eve = [await guest(store, name=name) for name in ("Ada", "Bob", "Eve")]
        bot = (await store.add_player("Bot", "bot", chips=0, at_ms=NOW_MS)).id
        await opened(store, finished=(finished({ada: "win", bob: "loss"}),))
        await opened(store, finished=(finished({bob: "win", bot: "loss"}),))
        await opened(store, finished=(finished({bot: "win", eve: "loss"}),))
        await opened(store, finished=(finished({ada: "draw", eve: "draw"}),))
        bingo = opening(game="bingo")
        await opened(store, opening=bingo, finished=(finished({eve: "win", ada: "loss"}),))
        everything = await store.standings(game=None, limit=10)
        table = [(s.name, s.played, s.won, s.drawn, s.lost) for s in everything]
        assert table == [("Ada", 3, 1, 1, 1), ("Bob", 2, 1, 0, 1), ("Eve", 3, 1, 1, 1)]
        one_game = await store.standings(game="connect-four", limit=2)
        assert [(s.player, s.won, s.lost) for s in one_game] == [(ada, 1, 0), (bob, 1, 1)]

    async def test_forgets_old_casual_tables_but_no_chips(self, store: Store) -> None:
        ada = await guest(store, 100)
        past = await opened(store, opening=opening("old"), finished=(finished({ada: "win"}),))
        steps = [NewRow(b"{}")] * 30
        stake = paying(pay(ada, "house", 1))
        end = append(past, 1, *steps, stake, at_ms=1000, summary=summary("closed"))
        assert await answer(store, end) == Durable()
        rated = await opened(
            store, opening=opening(rated=True), at_ms=1000, summary=summary("closed")
        )
        running = await opened(store, at_ms=1000, summary=summary("playing", 1))
        recent = await opened(store, at_ms=2000, summary=summary("closed"))
        assert await store.forget(1000, 10) == 0
        assert await store.forget(2000, 10) == 1
        assert await store.table(past) is None
        assert await store.read(past, 0, 100) == []
        assert await store.history(game=None, player=ada, before=None, limit=10) == []
        assert await store.claim(past) is None
        assert await answer(store, append(past, 32)) == Overtaken()
        for table in (rated, running, recent):
            assert await store.table(table) is not None
            assert len(await store.read(table, 0, 10)) == 1
        assert await store.balance(ada) == 99
        assert len(await store.statement(ada, before=None, limit=10)) == 2
        assert [one.won for one in await store.standings(game=None, limit=10)] == [1]
        assert await store.new_table() > recent

    async def test_forgets_no_more_than_it_may(self, store: Store) -> None:
        for _ in range(3):
            await opened(store, at_ms=1000, summary=summary("closed"))
        assert await store.forget(2000, 2) == 2
        assert await store.forget(2000, 2) == 1
        assert await store.forget(2000, 2) == 0
