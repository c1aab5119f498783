"""What a page needs to draw a hall and its tables, also after a reload."""

from __future__ import annotations

from tests.doors.native.clients import Client, Json
from tests.doors.native.playing import GAME, match, resign
from tests.doors.native.visitors import Visitors


async def told(client: Client, table: int, count: int) -> None:
    """The last that it heard of those who watch is this."""
    last = {"table": table, "count": count}
    await client.until(lambda: client.heard("watching")[-1:] == [last] or None, f"{count} watch")


async def test_how_many_watch(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    carol, dan = await at.pair()
    for count, client in enumerate((carol, dan), 1):
        await client.ask("watch", table=table)
        assert (await client.notice("table_view", table=table))["watching"] == count
    for client in (anna, bob, carol, dan):
        await told(client, table, 2)
    await dan.ask("unwatch", table=table)
    await told(anna, table, 1)
    carol.reset()
    await told(anna, table, 0)
    await told(dan, table, 2)


async def test_whoever_sits_down_watches_no_longer(at: Visitors) -> None:
    anna, bob = await at.pair()
    carol = await at.guest()
    table = (await anna.ask("open_table", game=GAME))["table"]
    await anna.ask("sit", table=table)
    for client in (bob, carol):
        await client.ask("watch", table=table)
    await told(anna, table, 2)
    await bob.ask("sit", table=table)
    await told(anna, table, 1)


async def test_the_key_of_a_private_table_is_told_to_those_who_sit_there(at: Visitors) -> None:
    anna, bob = await at.pair()
    carol = await at.guest()
    opened = await anna.ask("open_table", game=GAME, private=True)
    table, key = opened["table"], opened["key"]
    await anna.ask("sit", table=table)
    assert (await anna.notice("table_view", table=table))["key"] == key
    anna.reset()
    back = await at.back(anna)
    assert back.welcome["tables"] == [{"table": table, "seat": None}]
    await back.ask("resume", table=table)
    assert (await back.notice("table_view", table=table))["key"] == key
    await carol.ask("watch", table=table, key=key)
    assert (await carol.notice("table_view", table=table))["key"] is None
    await bob.ask("sit", table=table, key=key)
    assert (await bob.notice("table_view", status="playing"))["key"] == key
    public = await match(await at.guest(), carol)
    assert [view["key"] for view in carol.heard("table_view") if view["table"] == public] == [None]


async def test_open_tables_say_what_is_played_and_how_many_may_sit(at: Visitors) -> None:
    anna, bob = await at.pair()
    await bob.ask("watch_lobby")
    table = (await anna.ask("open_table", game=GAME, options={"columns": 9}))["table"]
    await anna.ask("sit", table=table)
    (listed,) = (await bob.ask("list_tables", after=table - 1, limit=1))["tables"]
    assert (listed["names"], listed["count"], listed["most"]) == ([anna.name], 1, 2)
    assert (listed["id"], listed["options"]["columns"]) == (table, 9)
    found = await bob.until(
        lambda: next(
            (
                shown
                for lobby in bob.heard("lobby")
                for shown in lobby["tables"]
                if shown["id"] == table and shown["count"] == 1
            ),
            None,
        ),
        "the table in the lobby",
    )
    assert found == {key: listed[key] for key in found}
    assert set(found) == {"id", "game", "status", "names", "count", "rated", "options", "most"}


async def test_open_challenges_are_listed_for_both(at: Visitors) -> None:
    anna, bob = await at.pair()
    nothing: Json = {"received": [], "sent": []}
    assert await anna.ask("challenges") == nothing
    id = (await anna.ask("challenge", player=bob.id, game=GAME, options={"rows": 7}))["challenge"]
    other_tab = await at.back(anna)
    (sent,) = (await other_tab.ask("challenges"))["sent"]
    (received,) = (await bob.ask("challenges"))["received"]
    for shown, other in ((sent, bob), (received, anna)):
        assert (shown["challenge"], shown["player"], shown["name"]) == (id, other.id, other.name)
        assert (shown["game"], shown["options"]["rows"]) == (GAME, 7)
        assert 0 < shown["seconds"] <= 60
    table = (await bob.ask("accept", challenge=id))["table"]
    for client in (anna, bob):
        assert await client.ask("challenges") == nothing
    await resign(anna, table)


async def test_totals_of_bets_that_others_place_are_told(at: Visitors) -> None:
    anna, bob = await at.pair()
    for client in (anna, bob):
        await client.ask("seek", game="sicbo")
    table = (await anna.notice("table_view", game="sicbo"))["table"]
    await bob.notice("table_view", table=table)
    await anna.ask("act", table=table, command={"type": "bet", "side": "BIG", "amount": 300})
    await anna.ask("act", table=table, command={"type": "bet", "side": "SMALL", "amount": 50})

    def totals() -> Json | None:
        glances = [glance["view"]["tally"] for glance in bob.heard("glance")]
        return next((tally for tally in glances if tally["small"] == 50), None)

    tally = await bob.until(totals, "the totals")
    assert (tally["big"], tally["players"], tally["players_big"]) == (300, 1, 1)
    # What anyone has bet is nobody else's business.
    assert not [e for told in bob.heard("table_events") for e in told["events"]]
