"""What holds for the accounts and the ledger of any store."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import Conflict, NameTaken, NoSuchPlayer
from gamehall.store.appends import Durable
from gamehall.store.people import TOKENS_MAX, Member, Player, StatementItem
from gamehall.store.store import Store
from tests.contract.store_builders import NOW_MS, answer, append, guest, opened, pay, paying


class AccountContract:
    async def test_a_guest_with_chips_and_a_token(self, store: Store) -> None:
        ada = await store.add_player(
            "Ada", "guest", chips=500, at_ms=NOW_MS, token_digest=b"\x00\xff"
        )
        assert ada == Player(ada.id, "Ada", "guest", 500)
        assert await store.player(ada.id) == ada
        assert await store.player_by_token(b"\x00\xff") == ada
        assert await store.player_named("Ada") == ada
        assert await store.member("Ada") is None

    async def test_who_is_not_there(self, store: Store) -> None:
        assert await store.player(1) is None
        assert await store.player_named("Ada") is None
        assert await store.player_by_token(b"?") is None
        assert await store.balance(1) == 0
        assert list(await store.statement(1, before=None, limit=10)) == []

    async def test_guests_may_share_a_name(self, store: Store) -> None:
        first, last = await guest(store), await guest(store)
        assert first != last
        named = await store.player_named("ADA")
        assert named is not None
        assert named.id == last

    @pytest.mark.parametrize("other", ["Ada", "aDA", "ＡＤＡ", "Ａｄa"])
    async def test_the_name_of_a_member_is_taken(self, store: Store, other: str) -> None:
        ada = await store.add_player("Ada", "member", chips=0, at_ms=NOW_MS, password_hash="h")
        for kind in ("member", "bot", "guest"):
            with pytest.raises(NameTaken):
                await store.add_player(other, kind, chips=5, at_ms=NOW_MS)
        assert await store.player_named(other) == ada
        assert await store.member(other) == Member(ada, "h")

    async def test_of_two_who_want_a_name_at_once_one_gets_it(self, store: Store) -> None:
        both = [store.add_player("Straße", "member", chips=0, at_ms=NOW_MS, password_hash="h")]
        both.append(store.add_player("STRASSE", "bot", chips=0, at_ms=NOW_MS))
        got = await asyncio.gather(*both, return_exceptions=True)
        assert {type(one) for one in got} == {Player, NameTaken}

    async def test_a_member_may_take_the_name_of_a_guest(self, store: Store) -> None:
        await guest(store, name="Ada")
        ada = await store.add_player("Ada", "member", chips=0, at_ms=NOW_MS)
        await guest(store, name="Bob")
        assert await store.player_named("Ada") == ada

    async def test_a_bot_without_a_password_is_no_member(self, store: Store) -> None:
        bot = await store.add_player("Bot", "bot", chips=0, at_ms=NOW_MS)
        assert await store.player_named("Bot") == bot
        assert await store.member("Bot") is None

    async def test_a_guest_becomes_a_member(self, store: Store) -> None:
        ada = await guest(store, 70)
        await store.add_token(ada, b"token", NOW_MS)
        member = await store.make_member(ada, "Countess", "hash")
        assert member == Player(ada, "Countess", "member", 70)
        assert await store.player_by_token(b"token") == member
        assert await store.member("countess") == Member(member, "hash")
        assert await store.player_named("Ada") is None
        with pytest.raises(NameTaken):
            await store.make_member(await guest(store), "countess", "hash")
        with pytest.raises(NoSuchPlayer):
            await store.make_member(ada, "Ada", "hash")
        with pytest.raises(NoSuchPlayer):
            await store.make_member(ada + 1000, "Bob", "hash")

    async def test_tokens_come_and_go(self, store: Store) -> None:
        ada, bob = await guest(store), await guest(store, name="Bob")
        for digest in (b"one", b"two"):
            await store.add_token(ada, digest, NOW_MS)
        await store.add_token(ada, b"one", NOW_MS)
        with pytest.raises(Conflict):
            await store.add_token(bob, b"one", NOW_MS)
        with pytest.raises(Conflict):
            await store.add_player("Eve", "guest", chips=0, at_ms=NOW_MS, token_digest=b"one")
        await store.drop_token(b"two")
        await store.drop_token(b"never")
        found = await store.player_by_token(b"one")
        assert found is not None
        assert found.id == ada
        assert await store.player_by_token(b"two") is None

    async def test_the_oldest_of_too_many_tokens_end(self, store: Store) -> None:
        ada, bob = await guest(store), await guest(store, name="Bob")
        await store.add_token(bob, b"bob's", NOW_MS - 1)
        for number in range(TOKENS_MAX + 2):
            await store.add_token(ada, b"%d" % number, NOW_MS + number)
        found = [await store.player_by_token(b"%d" % n) for n in range(TOKENS_MAX + 2)]
        assert found[:2] == [None, None]
        assert all(player is not None and player.id == ada for player in found[2:])
        assert await store.player_by_token(b"bob's") is not None

    async def test_the_statement_says_where_chips_came_from(self, store: Store) -> None:
        ada = await guest(store, 100)
        table = await opened(store)
        stake = paying(pay(ada, "pot:1:1", 30), pay("house", ada, 1))
        prize = paying(pay("pot:1:1", ada, 30))
        assert await answer(store, append(table, 1, stake, prize)) == Durable()
        items = list(await store.statement(ada, before=None, limit=10))
        assert items == [
            StatementItem(items[0].id, table, 3, 0, 30, "pot:1:1", NOW_MS + 1),
            StatementItem(items[1].id, table, 2, 1, 1, "house", NOW_MS + 1),
            StatementItem(items[2].id, table, 2, 0, -30, "pot:1:1", NOW_MS + 1),
            StatementItem(items[3].id, 0, ada, 0, 100, "mint", NOW_MS),
        ]
        assert sum(item.chips for item in items) == await store.balance(ada) == 101

    async def test_the_statement_goes_on_where_a_page_ended(self, store: Store) -> None:
        ada, bob = await guest(store, 100), await guest(store, 100)
        table = await opened(store)
        steps = [paying(pay(ada, bob, n), pay(bob, ada, n)) for n in range(1, 6)]
        assert await answer(store, append(table, 1, *steps)) == Durable()
        everything = list(await store.statement(ada, before=None, limit=100))
        assert len(everything) == 11
        paged: list[StatementItem] = []
        before = None
        while page := await store.statement(ada, before=before, limit=3):
            paged += page
            before = page[-1].id
        assert paged == everything

    async def test_a_statement_goes_on_from_its_own_items_alone(self, store: Store) -> None:
        ada, bob = await guest(store, 100), await guest(store, 100)
        (bobs,) = await store.statement(bob, before=None, limit=10)
        for before in (bobs.id, bobs.id + 1000, 0, 2**53 - 1):
            assert list(await store.statement(ada, before=before, limit=10)) == []

    async def test_a_crowd_is_paid_in_one_step(self, store: Store) -> None:
        crowd = await asyncio.gather(*(guest(store, 10) for _ in range(300)))
        table = await opened(store)
        stakes = [paying(pay(player, "pot:1:1", 10)) for player in crowd]
        prizes = paying(
            *(pay("pot:1:1", player, 9) for player in crowd), pay("pot:1:1", "house", 300)
        )
        assert await answer(store, append(table, 1, *stakes, prizes)) == Durable()
        for player in (crowd[0], crowd[150], crowd[-1]):
            items = await store.statement(player, before=None, limit=10)
            assert [item.chips for item in items] == [9, -10, 10]
            assert [item.seq for item in items[:2]] == [302, 2 + crowd.index(player)]
            assert await store.balance(player) == 9

    # Refills

    async def test_a_low_balance_is_filled_up_by_the_mint(self, store: Store) -> None:
        ada = await guest(store, 100)
        assert await store.refill(ada, below=101, to=500, at_ms=NOW_MS + 5) == 500
        assert await store.balance(ada) == 500
        newest, oldest = await store.statement(ada, before=None, limit=10)
        assert newest == StatementItem(newest.id, 0, ada, 1, 400, "mint", NOW_MS + 5)
        assert (oldest.n, oldest.chips) == (0, 100)
        assert list(await store.statement(ada, before=newest.id, limit=10)) == [oldest]

    async def test_a_balance_that_is_not_low_stays(self, store: Store) -> None:
        ada = await guest(store, 100)
        for below, to in ((100, 500), (0, 0), (1000, 100), (1000, 50)):
            assert await store.refill(ada, below=below, to=to, at_ms=NOW_MS) is None
        assert await store.balance(ada) == 100
        assert len(await store.statement(ada, before=None, limit=10)) == 1

    async def test_who_asks_for_chips_twice_at_once_gets_them_once(self, store: Store) -> None:
        ada = await guest(store)
        both = [store.refill(ada, below=10, to=50, at_ms=NOW_MS) for _ in range(2)]
        assert set(await asyncio.gather(*both)) == {50, None}
        assert await store.balance(ada) == 50
        (gift,) = await store.statement(ada, before=None, limit=10)
        assert (gift.table, gift.seq, gift.n, gift.chips) == (0, ada, 0, 50)

    async def test_chips_from_the_mint_can_be_staked(self, store: Store) -> None:
        ada = await guest(store, 5)
        table = await opened(store)
        assert await answer(store, append(table, 1, paying(pay(ada, "house", 5)))) == Durable()
        assert await store.refill(ada, below=1, to=20, at_ms=NOW_MS) == 20
        assert await answer(store, append(table, 2, paying(pay(ada, "house", 20)))) == Durable()
        assert await store.refill(ada, below=1, to=20, at_ms=NOW_MS) == 20
        items = await store.statement(ada, before=None, limit=10)
        assert [(item.chips, item.n) for item in items] == [
            (20, 2), (-20, 0), (20, 1), (-5, 0), (5, 0),
        ]  # fmt: skip

    async def test_who_is_not_there_gets_no_chips(self, store: Store) -> None:
        with pytest.raises(NoSuchPlayer):
            await store.refill(999, below=10, to=50, at_ms=NOW_MS)
        assert await store.balance(999) == 0

    async def test_all_statements_add_up(self, store: Store) -> None:
        """What players have is what others gave: the sum over all accounts is zero."""
        players = [await guest(store, 100) for _ in range(3)]
        table = await opened(store)
        a, b, c = players
        round_trip = [
            paying(pay(a, "pot:1:1", 50), pay(b, "pot:1:1", 20)),
            paying(pay("pot:1:1", c, 60), pay("pot:1:1", "house", 10)),
            paying(pay(c, a, 5)),
        ]
        assert await answer(store, append(table, 1, *round_trip)) == Durable()
        accounts: dict[str, int] = {}
        for player in players:
            items = await store.statement(player, before=None, limit=100)
            assert sum(item.chips for item in items) == await store.balance(player)
            for item in items:
                accounts[item.other] = accounts.get(item.other, 0) - item.chips
        assert sum(accounts[f"player:{player}"] for player in (a, c)) == 0
        # Of the pot's 70, 10 went on to the house, which no player's statement shows.
        assert accounts["pot:1:1"] == 10
        total = sum([await store.balance(player) for player in players])
        assert total + accounts["mint"] + 10 == 0
