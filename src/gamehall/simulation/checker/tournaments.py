"""Whether tournaments are what their games were, and what people were told of them.

* each game that is paired is played at one table, by those two, and counts as it ended there
* standings are the sums of results; who has won is first
* who is in it, or watches it, hears of its end
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gamehall.simulation.checker.asked import Asked
from gamehall.simulation.checker.cup import NO_SHOW, TOURNAMENT, Cup, Meeting, Tally, cups_of
from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.memory import watched_at_last
from gamehall.simulation.checker.seats import Place
from gamehall.simulation.checker.transcripts import Json, Transcript
from gamehall.table_log import house

BY_POINTS = ("round-robin", "swiss", "arena")
"""Formats in which who has more points is before who has less."""
Result = tuple[int | None, str]
"""The seat at the game's table that has won, and why."""


def check_tournaments(
    transcripts: Sequence[Transcript], books: Books, order: Iterable[Place]
) -> None:
    """`order`: the rows in the order in which they were written, as far as the store tells.

    Raises AssertionError.
    """
    cups = {cup.id: cup for cup in cups_of(books)}
    tables = _tables_of_games(books, cups)
    if not cups:
        return
    places = {place: number for number, place in enumerate(order)}
    for cup in cups.values():
        for meeting in cup.meetings.values():
            _check_meeting(cup, meeting, tables.get((cup.id, meeting.number)), places)
        _check_finish(cup)
    for transcript in transcripts:
        _check_told(transcript, cups, tables)
        _check_heard_of_the_end(transcript, cups)


def check_entries(transcript: Transcript, asked: Mapping[str, Asked], books: Books) -> None:
    """What was acknowledged to organisers and entrants is in the journal. Raises AssertionError."""
    for id, request in asked.items():
        answer = request.accepted
        if answer is None or not request.action.endswith("_tournament"):
            continue
        told = f"{transcript.name}: {request.message} is lost"
        journal = books.journals.get(answer["tournament"])
        assert journal is not None, f"{told}: there is no such tournament"
        events = [as_json(event) for row in journal.rows for event in row.events]
        seats = [journal.seat(seq, transcript.player) for seq in range(journal.head + 1)]
        sat = [seq for seq, seat in enumerate(seats) if seat is not None]
        match request.action:
            case "open_tournament":
                first = journal.requests[0]
                there = first is not None and (first.player, first.id) == (transcript.player, id)
                assert there, told
            case "begin_tournament":
                assert "begun" in [event["type"] for event in events], told
            case "enter_tournament":
                assert sat, told
            case "leave_tournament":
                left = bool(sat) and None in seats[sat[0] :]
                assert left, told


# Games and results


def _tables_of_games(books: Books, cups: Mapping[int, Cup]) -> dict[tuple[int, int], Journal]:
    """By tournament and number of the game."""
    found: dict[tuple[int, int], Journal] = {}
    for journal in books.journals.values():
        kind, *numbers = journal.origin.split(":")
        if kind != TOURNAMENT:
            continue
        tournament, game = map(int, numbers)
        told = f"table {journal.table} is game {game} of tournament {tournament}"
        assert (tournament, game) not in found, f"{told}, which has another table"
        known = tournament in cups and game in cups[tournament].meetings
        assert known, f"{told}, which was not paired"
        found[tournament, game] = journal
    return found


def _check_meeting(
    cup: Cup, meeting: Meeting, journal: Journal | None, places: Mapping[Place, int]
) -> None:
    told = f"game {meeting.number} of tournament {cup.id}"
    if journal is None:
        assert meeting.reported is None, f"{told} has a result, and no table"
        return
    for state in journal.states:
        for seat, person in state.chairs.items() if state and state.opened.round == 1 else ():
            right = meeting.players[seat] == person.player
            assert right, f"{told} is played by others: {person}"
    paired, opened = places.get((cup.id, meeting.paired_at)), places.get((journal.table, 1))
    early = paired is not None and opened is not None and opened < paired
    assert not early, f"{told} has a table before it was paired"
    if meeting.reported is None:
        return
    end, results = _ended(journal)
    assert end, f"{told} has a result, and is not over: {meeting.reported}"
    ended, reported = places.get((journal.table, end)), places.get((cup.id, meeting.reported_at))
    early = ended is not None and reported is not None and reported < ended
    assert not early, f"{told} had a result before it was over"
    assert meeting.reported["table"] == journal.table, f"{told} was played elsewhere"
    winner = meeting.reported["winner"]
    counted = (None if winner is None else meeting.seats.index(winner), meeting.reported["reason"])
    assert counted in results, f"{told} counts as {counted}, and ended as {results}"


def _ended(journal: Journal) -> tuple[int, list[Result]]:
    """The row in which the first round ended, which alone is the game, and as what it may count;
    row 0: it has not."""
    for row in journal.rows:
        left = [event for event in row.events if isinstance(event, house.Left)]
        for event in row.events:
            if not isinstance(event, house.RoundEnded | house.RoundVoided):
                continue
            results: list[Result] = [(None, "void")]
            if isinstance(event, house.RoundEnded):
                winners = event.outcome.winners
                results = [(winners[0] if winners else None, event.outcome.reason)]
            if any(each.reason == "dropped" for each in left):
                # Whether the other one was there is in no journal.
                results.append((None, NO_SHOW))
            return row.seq, results
    return 0, []


def _check_finish(cup: Cup) -> None:
    if cup.finished is None:
        return
    told = f"tournament {cup.id} has ended"
    standings = cup.moments[cup.finished_at].standings
    ranking, winners = cup.finished["ranking"], cup.finished["winners"]
    assert sorted(ranking) == sorted(standings), f"{told}, and ranks {ranking}"
    if cup.finished["reason"] == "too_few":
        return
    playing = [meeting.number for meeting in cup.meetings.values() if meeting.reported is None]
    assert not playing, f"{told}, and games {playing} are on"
    first = bool(winners) and winners == ranking[: len(winners)]
    assert first, f"{told}: {winners} won of {ranking}"
    if cup.options["format"] in BY_POINTS:
        points = [standings[seat].points for seat in ranking]
        assert points == sorted(points, reverse=True), f"{told}: {ranking} have {points} points"


# What people were told


def _check_told(
    transcript: Transcript, cups: Mapping[int, Cup], tables: Mapping[tuple[int, int], Journal]
) -> None:
    """Views are compared with the journal, too; here they are added up."""
    for line in transcript.lines:
        if line.what != "heard" or '"standings"' not in line.text:
            continue
        message = line.message
        payload = message["payload"]
        if message["action"] == "tournament":
            cup = cups[payload["tournament"]]
            moments = cup.moments[1:]
            for number, table in payload["tables"].items():
                journal = tables.get((cup.id, int(number)))
                right = table in (0, journal.table if journal is not None else 0)
                assert right, f"{transcript.name} was told a wrong table: {line.text}"
        elif message["action"] == "table_view" and payload["table"] in cups:
            cup = cups[payload["table"]]
            moments = [cup.moments[payload["seq"]]]
        else:
            continue
        told = _sums(payload["view"])
        right = any(told == (moment.standings, moment.games) for moment in moments)
        assert right, f"{transcript.name} was told what does not add up: {line.text}"


def _sums(view: Json) -> tuple[dict[int, Tally], list[Json]]:
    standings = {
        each["seat"]: Tally(*(each[name] for name in Tally._fields)) for each in view["standings"]
    }
    left_out = ("round", "stage", "slot")
    games = [
        {name: value for name, value in game.items() if name not in left_out}
        for game in view["games"]
    ]
    return standings, games


def _check_heard_of_the_end(transcript: Transcript, cups: Mapping[int, Cup]) -> None:
    """Of those that it knows to be in, or watches, on a connection that has not ended. Who went
    away before it was told that it had entered, and was back after the end, cannot know."""
    if not transcript.lines or transcript.lines[-1].what == "ended":
        return
    watched = watched_at_last(transcript)
    for cup in cups.values():
        is_in = cup.journal.seat(cup.journal.head, transcript.player) is not None
        knows = is_in and any(_tells_of(message, cup.id) for message in transcript.heard())
        if not cup.finished_at or not (knows or cup.id in watched):
            continue
        heard = (
            message["payload"]["seq"]
            for message in transcript.heard()
            if message["action"] in ("table_view", "table_events")
            and message["payload"]["table"] == cup.id
        )
        told = f"{transcript.name} has not heard that tournament {cup.id} is over"
        assert max(heard, default=0) >= cup.finished_at, told


def _tells_of(message: Json, cup: int) -> bool:
    """Whether someone who hears this may know that it is in."""
    payload = message["payload"]
    match message["action"]:
        case "enter_tournament":
            return bool(payload["tournament"] == cup)
        case "hello":
            return any(each["table"] == cup for each in payload["tables"])
        case "table_view" | "table_events" | "seated":
            return bool(payload["table"] == cup)
    return False
