"""Lies about tournaments: their games, their results, and what was told of them."""

from __future__ import annotations

from typing import Any

from gamehall.simulation.checker.transcripts import Json
from tests.simulation.honest_cup import ENTRANTS, honest_cup
from tests.simulation.lies.forgery import Forgery, lie


def origin(forged: Forgery, game: int) -> str:
    return f"tournament:{forged.tables['cup']}:{game}"


# Games and their tables


@lie("which has another table", honest_cup)
def a_game_has_two_tables(forged: Forgery) -> None:
    forged.rewrite("second game", origin=origin(forged, 1))


@lie("which was not paired", honest_cup)
def a_game_is_played_that_was_not_paired(forged: Forgery) -> None:
    forged.rewrite("second game", origin=origin(forged, 9))


@lie("has a result, and no table", honest_cup)
def a_game_counts_that_was_not_played(forged: Forgery) -> None:
    forged.rewrite("first game", origin="")


@lie("is played by others", honest_cup)
def others_play_a_game(forged: Forgery) -> None:
    forged.rewrite("first game", origin=origin(forged, 2))
    forged.rewrite("second game", origin=origin(forged, 1))


@lie("has a table before it was paired", honest_cup)
def a_table_is_opened_before_its_game_is_paired(forged: Forgery) -> None:
    opened = (forged.tables["first game"], 1)
    forged.evidence.order = sorted(forged.evidence.order, key=lambda place: place != opened)


@lie("had a result before it was over", honest_cup)
def a_result_counts_before_the_end_of_the_game(forged: Forgery) -> None:
    reported = (forged.tables["cup"], forged.row_with("cup", "reported") + 1)
    order = [place for place in forged.evidence.order if place != reported]
    opened = order.index((forged.tables["first game"], 1))
    forged.evidence.order = [*order[: opened + 1], reported, *order[opened + 1 :]]


def report(forged: Forgery, cup: str, **fields: Any) -> None:
    """Writes another report of the cup's first game, of which nobody has heard."""
    place = forged.row_with(cup, "reported")
    row = forged.row(cup, place)
    row["command"].update(fields)
    row["events"][0].update(fields)
    forged.hush(cup, place + 1)
    forged.write_row(cup, place, row)


@lie("counts as .*, and ended as", honest_cup)
def a_result_is_not_that_of_its_table(forged: Forgery) -> None:
    report(forged, "cup", reason="line")


@lie("was played elsewhere", honest_cup)
def a_result_is_that_of_another_table(forged: Forgery) -> None:
    report(forged, "cup", table=forged.tables["second game"])


@lie("has a result, and is not over", honest_cup)
def a_result_counts_of_a_game_that_is_not_over(forged: Forgery) -> None:
    end = forged.row_with("running game", "round_ended")
    forged.hush("running game", end + 1)
    for name in ENTRANTS:
        forged.unsay(name, *forged.places(name, "heard", "act", "running game"))
        forged.unsay(name, *forged.places(name, "sent", "act", "running game"))
    forged.write("running game", list(forged.record("running game").written[:end]))
    reserved = forged.row("running game", 0)["command"]["reserved"]
    seated = frozenset(each["player"] for each in reserved)
    forged.rewrite("running game", status="playing", seated=seated)


def add_event(forged: Forgery, event: Json) -> None:
    """In the last row of the cup that is running, of which nobody has heard."""
    place = len(forged.record("running cup").written) - 1
    row = forged.row("running cup", place)
    row["events"].append(event)
    forged.hush("running cup", place + 1)
    forged.write_row("running cup", place, row)


@lie("a second result", honest_cup)
def a_game_has_two_results(forged: Forgery) -> None:
    place = forged.row_with("running cup", "reported")
    add_event(forged, forged.row("running cup", place)["events"][0])


@lie("play two games at once", honest_cup)
def someone_plays_two_games_at_once(forged: Forgery) -> None:
    add_event(forged, {"type": "paired", "game": 3, "first": 0, "second": 1, "round": 3})


# The end


def finish(forged: Forgery, **fields: Any) -> None:
    """Another end of the cup, which is not the end of its table, as that would be verified."""
    place = forged.row_with("cup", "finished")
    row = forged.row("cup", place)
    row["events"] = [each for each in row["events"] if each["type"] != "round_ended"]
    row["events"][-1].update(fields)
    forged.hush("cup", place + 1)
    forged.write("cup", list(forged.record("cup").written[: place + 1]))
    forged.rewrite("cup", status="playing", due_ms=1)
    forged.write_row("cup", place, row)


@lie("has ended, and ranks", honest_cup)
def someone_is_not_ranked(forged: Forgery) -> None:
    finish(forged, ranking=[0, 1])


def ranking(forged: Forgery) -> list[int]:
    row = forged.row("cup", forged.row_with("cup", "finished"))
    (found,) = (each["ranking"] for each in row["events"] if each["type"] == "finished")
    return list(found)


@lie("won of", honest_cup)
def someone_has_won_who_is_not_first(forged: Forgery) -> None:
    finish(forged, winners=ranking(forged)[-1:])


@lie("points", honest_cup)
def someone_is_ranked_above_who_has_more_points(forged: Forgery) -> None:
    worst_first = ranking(forged)[::-1]
    finish(forged, winners=worst_first[:1], ranking=worst_first)


@lie("and games .* are on", honest_cup)
def it_ends_while_games_are_on(forged: Forgery) -> None:
    ended = {"reason": "finished", "winners": [0], "ranking": [0, 1, 2]}
    add_event(forged, {"type": "finished", **ended})


# What was told


@lie("does not add up", honest_cup)
def standings_do_not_add_up(forged: Forgery) -> None:
    place = forged.places("dora", "heard", "tournament")[-1]
    view = forged.told("dora", place)["view"]
    view["standings"][0]["points"] += 2
    forged.retell("dora", place, view=view)


@lie("does not add up", honest_cup)
def a_game_is_shown_with_another_winner(forged: Forgery) -> None:
    place = forged.places("dora", "heard", "tournament")[-1]
    view = forged.told("dora", place)["view"]
    view["games"][-1]["winner"] = 77
    forged.retell("dora", place, view=view)


@lie("told a wrong table", honest_cup)
def a_game_is_shown_at_another_table(forged: Forgery) -> None:
    place = forged.places("dora", "heard", "tournament")[-1]
    forged.retell("dora", place, tables={"1": forged.tables["private"]})


@lie("has not heard that tournament", honest_cup)
def the_end_is_not_told(forged: Forgery) -> None:
    seq = forged.row_with("cup", "finished") + 1
    for action in ("table_events", "table_view", "table_over"):
        found = forged.places("dora", "heard", action, "cup")
        forged.unsay("dora", *(n for n in found if forged.told("dora", n)["seq"] >= seq))


# What was acknowledged


def acknowledge(forged: Forgery, name: str, action: str, cup: int) -> None:
    place = len(forged.of(name).lines) - 1
    asked = {"action": action, "requestId": f"{name}-0", "payload": {"tournament": cup}}
    forged.say(name, place, "heard", {**asked, "payload": {"tournament": cup, "seat": 0}})
    forged.say(name, place, "sent", asked)


@lie("is lost: there is no such tournament", honest_cup)
def a_tournament_is_lost(forged: Forgery) -> None:
    forged.retell("anna", forged.places("anna", "heard", "open_tournament")[0], tournament=999)


@lie("open_tournament.* is lost", honest_cup)
def another_tournament_was_opened(forged: Forgery) -> None:
    place = forged.places("anna", "heard", "open_tournament")[0]
    forged.retell("anna", place, tournament=forged.tables["running cup"])


@lie("enter_tournament.* is lost", honest_cup)
def an_entry_is_lost(forged: Forgery) -> None:
    acknowledge(forged, "dora", "enter_tournament", forged.tables["cup"])


@lie("leave_tournament.* is lost", honest_cup)
def a_withdrawal_is_lost(forged: Forgery) -> None:
    acknowledge(forged, "carl", "leave_tournament", forged.tables["running cup"])


@lie("begin_tournament.* is lost", honest_cup)
def a_begin_is_lost(forged: Forgery) -> None:
    acknowledge(forged, "anna", "begin_tournament", forged.tables["first game"])
