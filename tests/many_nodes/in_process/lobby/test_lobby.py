"""Who watches the lobby at any node sees the people and the tables of all."""

from __future__ import annotations

import pytest

from gamehall.hall.lobby import lobby
from gamehall.hall.people.notices import Lobby, LobbyPlayer, LobbyTable, Seated
from gamehall.table_log import house
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, me, nodes
from tests.many_nodes.in_process.lobby.people import GAME, arrive, id_of, known, seated


def tables(link: FakeLink) -> list[LobbyTable]:
    return [table for notice in link.of(Lobby) for table in notice.tables]


def status(link: FakeLink, player: int) -> str | None:
    """As it was told last."""
    told = [each for notice in link.of(Lobby) for each in notice.players if each.id == player]
    return told[-1].status if told else None


def listed(hall: NodeHall, free: bool | None = None) -> dict[str, str]:
    players: list[LobbyPlayer] = hall.hall.lobby.list_players(free, 0, 100)
    return {player.name: player.status for player in players}


async def test_people_are_listed_at_every_node() -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        anna, bob, carol = await arrive(halls, "anna", "bob", "carol")
        opponents = [each.name for each in c.hall.lobby.list_opponents(me(carol), GAME, 10)]
        assert opponents == ["anna", "bob"]
        await a.hall.lobby.seek(me(anna), GAME, {}, rated=False)
        await b.hall.lobby.seek(me(bob), GAME, {}, rated=False)
        table = await seated(anna, bob)
        playing = {"anna": "busy", "bob": "busy", "carol": "free"}
        await until(lambda: all(listed(hall) == playing for hall in halls))
        assert all(listed(hall, free=True) == {"carol": "free"} for hall in halls)
        assert c.hall.lobby.list_opponents(me(carol), GAME, 10) == []
        await a.ask(anna, table, house.Leave())
        await until(lambda: all(set(listed(hall).values()) == {"free"} for hall in halls))
        await b.crash()
        await until(lambda: listed(a) == listed(c) == {"anna": "free", "carol": "free"})


async def test_who_watches_hears_of_people_and_public_tables_of_all_nodes() -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        anna, bob, eve = await arrive(halls, "anna", "bob", "eve")
        c.hall.lobby.watch(eve)
        await until(
            lambda: all(c.hall.rooms.nodes.name in h.hall.lobby._watching_nodes() for h in (a, b))
        )
        await a.hall.lobby.seek(me(anna), GAME, {}, rated=False)
        await b.hall.lobby.seek(me(bob), GAME, {}, rated=False)
        table = await seated(anna, bob)
        await until(lambda: any(each.status == "playing" for each in tables(eve)))
        told = next(each for each in tables(eve) if each.status == "playing")
        assert (told.id, set(told.names)) == (table, {"anna", "bob"})
        await until(lambda: status(eve, id_of(anna)) == status(eve, id_of(bob)) == "busy")
        assert not anna.of(Lobby)
        # It hears of a game's end too, though nothing of the table is here.
        assert c.hall.rooms.tables.loaded(table) is None
        await a.ask(anna, table, house.Leave())
        await until(lambda: tables(eve)[-1].status == "over")
        await until(lambda: status(eve, id_of(anna)) == "free")
        bobs_id = id_of(bob)
        opened = await b.hall.new_tables.open_table(
            me(bob), GAME, {}, private=True, bots=(), request=None
        )
        b.hall.people.disconnected(bob)
        await until(lambda: status(eve, bobs_id) == "gone")
        assert opened.table not in {each.id for each in tables(eve)}


async def test_a_node_at_which_nobody_watches_is_told_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobby, "FORGOTTEN_SECONDS", 0.3)
    async with nodes(2) as halls:
        a, b = halls
        _, eve = await arrive(halls, "anna", "eve")
        b.hall.lobby.watch(eve)
        await until(lambda: a.hall.lobby._watching_nodes() == [b.hall.rooms.nodes.name])
        b.hall.lobby.unwatch(eve)
        await until(lambda: a.hall.lobby._watching_nodes() == [])


async def test_what_others_play_at_tables_that_were_watched_here_is_not_remembered() -> None:
    async with nodes(2) as halls:
        a, b = halls
        anna, eve, bob = await arrive(halls, "anna", "eve", "bob")
        for link in (anna, bob):
            await a.hall.lobby.seek(me(link), GAME, {}, rated=False)
        await until(lambda: anna.of(Seated) and bob.of(Seated))
        table = anna.of(Seated)[0].table
        await b.hall.seating.watch(eve, table, None)
        at_b = known(b, anna)
        assert at_b is not None
        assert table in at_b.busy
        b.hall.seating.unwatch(eve, table)
        b.hall._housekeeping.let_go_idle()
        assert b.hall.rooms.tables.loaded(table) is None
        await a.ask(anna, table, house.Leave())
        await until(lambda: me(anna).free)
        await until(lambda: at_b.free and not at_b.seated)
