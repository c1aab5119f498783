"""Lies about connections that hear nothing any more, of tables that go on."""

from __future__ import annotations

from tests.simulation.lies.forgery import Forgery, lie

NOTICES = ("table_events", "table_over", "player_left")


def hush(forged: Forgery, name: str, table: str, after: int, before: int) -> None:
    """It was told nothing of the table between these lines of its transcript."""
    told = [place for each in NOTICES for place in forged.places(name, "heard", each, table)]
    silenced = [place for place in told if after < place < before]
    assert silenced, f"{name} heard nothing there anyway"
    forged.unsay(name, *silenced)


def views(forged: Forgery, name: str, table: str) -> list[int]:
    return forged.places(name, "heard", "table_view", table)


def hush_after_the_last_view(forged: Forgery, name: str, table: str) -> None:
    last = views(forged, name, table)[-1]
    hush(forged, name, table, last, len(forged.of(name).lines))


def hush_before_a_view(forged: Forgery, name: str, table: str, number: int) -> None:
    """It heard nothing between this view, as counted from 0, and the one before."""
    shown = views(forged, name, table)
    hush(forged, name, table, shown[number - 1], shown[number])


@lie("carl follows table .* was not told of row 4")
def a_spectator_hears_nothing_behind_its_last_view(forged: Forgery) -> None:
    hush_after_the_last_view(forged, "carl", "finished")


@lie("bert follows table .* was not told of row 10")
def a_player_hears_nothing_behind_its_last_view(forged: Forgery) -> None:
    hush_after_the_last_view(forged, "bert", "running")


@lie("dora follows table .* was not told of row")
def someone_who_bets_hears_nothing_behind_its_last_view(forged: Forgery) -> None:
    hush_after_the_last_view(forged, "dora", "sicbo")


@lie("dora follows table .* was not told of row 4")
def a_player_hears_nothing_between_two_views(forged: Forgery) -> None:
    hush_before_a_view(forged, "dora", "duel", 2)


@lie("anna follows table .* was not told of row 4")
def a_player_hears_nothing_of_a_whole_game_until_it_asks(forged: Forgery) -> None:
    hush_before_a_view(forged, "anna", "running", 2)


@lie("bert follows table .* was not told of row 4")
def a_spectator_hears_nothing_between_two_views(forged: Forgery) -> None:
    hush_before_a_view(forged, "bert", "bingo", 1)


@lie("bert follows table .* was not told of row 10")
def who_resumes_is_told_what_it_should_have_heard(forged: Forgery) -> None:
    """The row is told after its player has asked for what it missed."""
    table = forged.tables["running"]
    told = forged.places("bert", "heard", "table_events", "running")[-1]
    asked = {"action": "resume", "requestId": "again", "payload": {"table": table, "after": 9}}
    answer = {**asked, "payload": {"table": table, "missed": 1}}
    forged.say("bert", told, "heard", answer)
    forged.say("bert", told, "sent", asked)


@lie("bert lacks 9 notices of table")
def who_resumes_is_not_told_all_that_it_missed(forged: Forgery) -> None:
    *_, resumed = forged.places("bert", "heard", "resume", "running")
    forged.retell("bert", resumed, missed=9)
