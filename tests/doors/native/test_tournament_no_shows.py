"""Whoever does not come to a game of a tournament, through the native door."""

from __future__ import annotations

from tests.doors.native.clients import Client
from tests.doors.native.tournament_play import enter, open_tournament, over, ranking
from tests.doors.native.visitors import Visitors

SETTINGS = ("table.grace_seconds=0.3",)


async def begun_without(at: Visitors, *absent: int) -> tuple[int, list[Client], Client]:
    """A tournament of two, of whom some go away before it begins, and one who only looks on."""
    people = [await at.guest(), await at.guest(door="tcp")]
    organiser = await at.guest()
    tournament = await open_tournament(organiser)
    for client in people:
        await enter(client, tournament)
    await organiser.ask("watch", table=tournament)
    for place in absent:
        await people[place].close()
    await organiser.ask("begin_tournament", tournament=tournament)
    return tournament, people, organiser


async def test_who_does_not_come_has_lost(at: Visitors) -> None:
    tournament, (anna, bob), organiser = await begun_without(at, 0)
    shown = await over(organiser, tournament)
    assert ranking(shown) == [(1, bob.name, 2), (2, anna.name, 0)]
    assert await over(bob, tournament) == shown


async def test_where_neither_comes_both_have_lost(at: Visitors) -> None:
    tournament, people, organiser = await begun_without(at, 0, 1)
    shown = await over(organiser, tournament)
    (game,) = shown["view"]["games"]
    assert (game["winner"], game["reason"]) == (None, "no_show")
    assert [(rank, points) for rank, _, points in ranking(shown)] == [(1, 0), (1, 0)]
    # Nobody is put out for that.
    back = await at.back(people[0])
    assert (await back.ask("tournament", tournament=tournament)) == shown
