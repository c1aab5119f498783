"""Whole tournaments through the native door: people who enter, play, watch, withdraw and return."""

from __future__ import annotations

from typing import Any

import pytest

from tests.doors.native.clients import Client, Json
from tests.doors.native.playing import GAME, check_story, resign
from tests.doors.native.tournament_play import (
    as_operator,
    enter,
    open_tournament,
    over,
    play_next,
    ranking,
    seated_pair,
    told,
)
from tests.doors.native.visitors import Visitors
from tests.system.e2e.logs import get_json


async def three(at: Visitors, **options: Any) -> tuple[int, list[Client]]:
    """A tournament that one of three has opened, and that has begun."""
    people = [await at.guest(), await at.guest(door="tcp"), await at.guest()]
    tournament = await open_tournament(people[0], **options)
    for client in people:
        await enter(client, tournament)
    assert await people[0].ask("begin_tournament", tournament=tournament) == {
        "tournament": tournament
    }
    return tournament, people


async def test_everyone_follows_it_from_the_first_entry_to_the_last_result(at: Visitors) -> None:
    anna, bob, carol = await at.guest(), await at.guest(door="tcp"), await at.guest()
    dora = await at.guest(door="tcp")
    tournament = await open_tournament(anna, title="Cup", format="round-robin")
    await dora.ask("watch", table=tournament)
    view = (await dora.notice("table_view", table=tournament))["view"]
    assert (view["title"], view["status"], view["entrants"]) == ("Cup", "open", [])
    clubs = {anna.name: "north", bob.name: "", carol.name: "north"}
    for seat, client in enumerate((anna, bob, carol)):
        assert await enter(client, tournament, clubs[client.name]) == seat
    await anna.ask("begin_tournament", tournament=tournament)
    results = [await play_next((anna, bob, carol)) for _ in range(3)]
    points = {client.name: 2 * [w for w, _ in results].count(client) for client in (anna, bob)}
    points[carol.name] = 6 - sum(points.values())

    shown = await over(anna, tournament)
    assert {name: had for _, name, had in ranking(shown)} == points
    assert shown["view"]["games_count"] == 3
    assert all(game["reason"] == "line" for game in shown["view"]["games"])
    for client in (bob, carol, dora):
        assert await over(client, tournament) == shown
    assert await get_json(f"{at.hall.web_url}/api/tournaments/{tournament}") == shown
    head = check_story(dora, tournament)
    for client in (anna, bob, carol):
        assert check_story(client, tournament) == head
    kinds = [event["type"] for event in told(dora, tournament)]
    assert kinds[:2] == ["seated", "entered"]
    assert (kinds.count("paired"), kinds.count("reported")) == (3, 3)
    assert kinds[-3:] == ["reported", "finished", "round_ended"]


async def test_people_and_bots_of_the_house(at: Visitors) -> None:
    body = {"game": GAME, "format": "swiss", "bots": ["random", "sensible", "random"]}
    tournament = (await as_operator(at.hall, "/api/tournaments", body))["tournament"]
    anna = await at.guest(door="tcp")
    await enter(anna, tournament)
    assert await anna.refused("begin_tournament", tournament=tournament) == "not_organiser"
    await as_operator(at.hall, f"/api/tournaments/{tournament}/begin", {})
    for _ in range(2):
        await resign(anna, (await anna.notice("seated"))["table"])
    shown = await over(anna, tournament)
    assert ranking(shown)[-1][1:] == (anna.name, 0)
    assert {name for _, name, _ in ranking(shown)} >= {"Random bot", "Sensible bot"}
    assert shown["view"]["games_count"] == 4


async def test_a_bracket_with_a_bye(at: Visitors) -> None:
    tournament, people = await three(at, format="single-elimination")
    results = [await play_next(people) for _ in range(2)]
    shown = await over(people[1], tournament)
    view = shown["view"]
    assert [len(round) for round in view["bracket"][""]] == [1, 1]
    (bye,) = view["byes"]
    rested = shown["names"][str(bye["seat"])]
    assert rested not in [client.name for client in results[0]]
    (final_winner, final_loser), (_, first_out) = results[1], results[0]
    assert [name for _, name, _ in ranking(shown)] == [
        final_winner.name,
        final_loser.name,
        first_out.name,
    ]


async def test_who_withdraws_loses_the_game_that_is_on_and_has_no_more(at: Visitors) -> None:
    tournament, people = await three(at)
    late = await at.guest()
    assert await late.refused("enter_tournament", tournament=tournament) == "tournament_begun"
    quitter, other = await seated_pair(people)
    assert await quitter.ask("leave_tournament", tournament=tournament) == {
        "tournament": tournament
    }
    assert await quitter.refused("leave_tournament", tournament=tournament) == "not_seated"
    (third,) = (client for client in people if client not in (quitter, other))
    winner, _ = await play_next((other, third))
    shown = await over(winner, tournament)
    assert ranking(shown)[-1] == (3, quitter.name, 0)
    withdrawn = [each["withdrawn"] for each in shown["view"]["entrants"]]
    assert withdrawn.count(True) == 1
    (left,) = (event for event in told(winner, tournament) if event["type"] == "withdrew")
    assert shown["names"][str(left["seat"])] == quitter.name
    assert not quitter.heard("table_over") or all(
        notice["table"] != tournament for notice in quitter.heard("table_over")
    ), "who is out of it hears no more of it"


async def test_who_comes_back_is_still_in_and_told_what_was_missed(at: Visitors) -> None:
    anna, bob = await at.guest(), await at.guest(door="tcp")
    tournament = await open_tournament(anna)
    await enter(anna, tournament)
    entry = await anna.notice("table_events", table=tournament)
    assert [event["type"] for event in entry["events"]] == ["seated", "entered"]
    await anna.close()
    await enter(bob, tournament, "south")
    back = await at.back(anna)
    assert back.welcome["tables"] == [], "a seat there binds nobody"
    answer = await back.ask("resume", table=tournament, after=entry["seq"])
    assert answer == {"table": tournament, "missed": 1}
    missed = await back.notice("table_events", table=tournament)
    assert [event["type"] for event in missed["events"]] == ["seated", "entered"]
    assert missed["events"][-1] == {"type": "entered", "seat": 1, "club": "south"}
    await back.ask("begin_tournament", tournament=tournament)
    first, second = await seated_pair((back, bob))
    await resign(first, first.heard("seated")[-1]["table"])
    assert ranking(await over(second, tournament))[0][1] == second.name
    assert check_story(back, tournament) == check_story(bob, tournament)


async def test_who_watches_and_has_entered_hears_everything_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    tournament = await open_tournament(anna)
    assert await anna.ask("watch", table=tournament) == {"table": tournament, "seat": None}
    await enter(anna, tournament)
    await enter(bob, tournament)
    assert await bob.ask("watch", table=tournament) == {"table": tournament, "seat": 1}
    await anna.ask("begin_tournament", tournament=tournament)
    first, _ = await seated_pair((anna, bob))
    await resign(first, first.heard("seated")[-1]["table"])
    for client in (anna, bob):
        await over(client, tournament)
        check_story(client, tournament)
        assert [event["type"] for event in told(client, tournament)].count("finished") == 1


async def test_the_same_request_is_the_same_tournament_and_the_same_entry(at: Visitors) -> None:
    anna, bob = await at.pair()
    payload = {"game": GAME, "title": "Once"}
    first = await anna.request("open_tournament", payload, "open")
    again = await at.back(anna)
    assert await again.request("open_tournament", payload, "open") == first
    tournament = first["payload"]["tournament"]
    entering = {"tournament": tournament, "club": "north"}
    entered = await bob.request("enter_tournament", entering, "enter")
    assert await bob.request("enter_tournament", entering, "enter") == entered
    assert await enter(bob, tournament, "south") == 0
    (entrant,) = (await bob.ask("tournament", tournament=tournament))["view"]["entrants"]
    assert entrant == {"seat": 0, "club": "south", "withdrawn": False}


async def test_lists_and_ratings(at: Visitors) -> None:
    tournament, people = await three(at, title="Rated", format="single-elimination")
    await play_next(people)
    await play_next(people)
    shown = await over(people[0], tournament)
    after = tournament - 1
    listed = (await people[0].ask("list_tournaments", after=after))["tournaments"]
    assert listed[0]["id"] == tournament
    assert {listed[0]["game"], listed[0]["status"]} == {"tournament", "over"}
    page = await people[0].ask("list_tournaments", after=after, limit=1)
    assert (len(page["tournaments"]), page["next"]) == (1, tournament)
    winner = ranking(shown)[0][1]

    async def rated() -> Json | None:
        ratings = (await people[0].ask("ratings", game=GAME, limit=100))["ratings"]
        return next((each for each in ratings if each["name"] == winner), None)

    while (mine := await rated()) is None or mine["rounds"] < 1:
        await people[0].ask("ping")
    assert mine["mu"] > 25 > 25 / 3 > mine["sigma"] > 0


async def test_what_is_refused(at: Visitors) -> None:
    anna, bob = await at.pair()
    stranger = await at.connect()
    assert await stranger.refused("open_tournament", game=GAME) == "not_logged_in"
    assert await anna.refused("open_tournament", game="chess") == "no_such_game"
    assert await anna.refused("open_tournament", game="tournament") == "no_such_game"
    for options in (
        {"game": "bingo"},
        {"game": GAME, "format": "chaos"},
        {"game": GAME, "game_options": {"columns": 99}},
    ):
        assert await anna.refused("open_tournament", **options) == "bad_options"
    for bound in ({"rounds": -1}, {"minutes": 0}, {"players_most": 1}, {"starts_at_ms": -1}):
        assert await anna.refused("open_tournament", game=GAME, **bound) == "bad_request"
    for action in ("enter_tournament", "leave_tournament", "begin_tournament", "tournament"):
        assert await anna.refused(action, tournament=2**31 - 1) == "no_such_tournament"
        assert await anna.refused(action, tournament=0) == "bad_request"
    tournament = await open_tournament(anna, players_most=2)
    assert (await stranger.ask("tournament", tournament=tournament))["view"]["status"] == "open"
    assert await bob.refused("leave_tournament", tournament=tournament) == "not_seated"
    assert await bob.refused("begin_tournament", tournament=tournament) == "not_organiser"
    long, foul = "x" * 33, "two\nlines"
    assert await bob.refused("enter_tournament", tournament=tournament, club=long) == "bad_request"
    assert await bob.refused("enter_tournament", tournament=tournament, club=foul) == "bad_name"
    assert not (await bob.ask("tournament", tournament=tournament))["view"]["entrants"]
    for client in (anna, bob):
        await enter(client, tournament)
    carol = await at.guest()
    assert await carol.refused("enter_tournament", tournament=tournament) == "table_full"
    report = {"type": "report", "game": 1, "winner": 0}
    for command in (report, {"type": "begin"}, {"type": "time_up"}, {"type": "drop", "column": 1}):
        refused = await bob.refused("act", table=tournament, command=command)
        assert refused in ("illegal_command", "bad_request")
    await anna.ask("begin_tournament", tournament=tournament)
    assert await anna.refused("begin_tournament", tournament=tournament) == "tournament_begun"
    first, _ = await seated_pair((anna, bob))
    await resign(first, first.heard("seated")[-1]["table"])
    await over(anna, tournament)
    assert await anna.refused("begin_tournament", tournament=tournament) == "round_over"
    assert await carol.refused("enter_tournament", tournament=tournament) == "round_over"
    for client in (anna, bob):
        assert await client.refused("rematch", table=tournament) == "round_over"
    assert await bob.refused("open_table", game="tournament") == "no_such_game"
    assert await bob.refused("seek", game="tournament") == "no_such_game"
    for _ in range(7):
        await open_tournament(bob)
    await open_tournament(bob)
    assert await bob.refused("open_tournament", game=GAME) == "too_many"


@pytest.mark.parametrize("door", ["ws", "tcp"])
async def test_a_derby(at: Visitors, door: Any) -> None:
    people = [await at.guest(door=door) for _ in range(4)]
    tournament = await open_tournament(people[0], format="derby")
    club = {client.name: ("north", "south")[place % 2] for place, client in enumerate(people)}
    for client in people:
        await enter(client, tournament, club[client.name])
    await people[0].ask("begin_tournament", tournament=tournament)
    home = [await play_next(people) for _ in range(2)]
    assert all(club[winner.name] == club[loser.name] for winner, loser in home)
    away = [await play_next(people) for _ in range(2)]
    shown = await over(people[-1], tournament)
    winners, losers = ({pair[place].name for pair in home} for place in (0, 1))
    (top,) = (pair for pair in away if {client.name for client in pair} == winners)
    (rest,) = (pair for pair in away if {client.name for client in pair} == losers)
    order = [client.name for client in (*top, *rest)]
    assert ranking(shown) == [
        (rank, name, points)
        for rank, name, points in zip((1, 2, 3, 4), order, (4, 2, 2, 0), strict=True)
    ]
