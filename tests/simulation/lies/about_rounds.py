"""Lies in what people were told of rounds of Sic Bo, and of their own bets."""

from __future__ import annotations

from tests.simulation.lies.forgery import Forgery, lie, notice_with


@lie("not in the journal")
def a_notice_of_ones_own_bet_is_missing(forged: Forgery) -> None:
    """No `after` shows it: spectators were told nothing of that row."""
    lost = notice_with(forged, "anna", "sicbo", "bet_placed")
    views = forged.places("anna", "heard", "table_view", "sicbo")
    forged.unsay("anna", lost, *(view for view in views if view > lost))


@lie("not in the journal")
def the_dice_of_a_later_round_are_told(forged: Forgery) -> None:
    rolls = [
        n
        for n in forged.places("dora", "heard", "table_events", "sicbo")
        if '"rolled"' in forged.of("dora").lines[n].text
    ]
    early, late = (forged.told("dora", place)["events"] for place in rolls[:2])
    forged.retell("dora", rolls[0], events=[late[0], *early[1:]])


@lie("not in the journal")
def what_bets_brought_is_told_to_someone_else(forged: Forgery) -> None:
    mine = forged.told("anna", notice_with(forged, "anna", "sicbo", "settled"))["events"]
    place = notice_with(forged, "dora", "sicbo", "rolled")
    forged.retell("dora", place, events=mine)


def join_rounds(forged: Forgery) -> int:
    """Makes one notice of those from the end of anna's bets to the next round's start, as a node
    tells it that was behind; its place. That is no lie: who bet had its seat in the first of these
    rounds alone, and is told what its bets brought."""
    transcript = forged.of("anna")
    begin = notice_with(forged, "anna", "sicbo", "settled")
    notices = [n for n in forged.places("anna", "heard", "table_events", "sicbo") if n >= begin]
    end = next(n for n in notices if '"started"' in transcript.lines[n].text)
    joined = [forged.told("anna", n) for n in notices if n <= end]
    events = [event for each in joined for event in each["events"]]
    seq = joined[-1]["seq"]
    forged.retell("anna", begin, seq=seq, events=events)
    for over in forged.places("anna", "heard", "table_over", "sicbo"):
        if begin < over < end:
            forged.retell("anna", over, seq=seq, after=seq)
    forged.unsay("anna", *(n for n in notices if begin < n <= end))
    return begin


@lie("not in the journal")
def what_bets_brought_is_missing_among_two_rounds(forged: Forgery) -> None:
    place = join_rounds(forged)
    events = forged.told("anna", place)["events"]
    unsettled = [event for event in events if event["type"] != "settled"]
    forged.retell("anna", place, events=unsettled)
