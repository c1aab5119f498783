"""Whether a tournament's journal says of each of its games what the game's own journal says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tests.system.e2e.clients import Json
from tests.system.e2e.logs import Log

WIN, DRAW = 2, 1


def check(tournament: Log, games: Mapping[int, Sequence[Log]]) -> None:
    """`games` has, by number, the journals of all tables that were opened for a game.

    Raises AssertionError.
    """
    paired = tournament.of_type("paired")
    numbers = [event["game"] for event in paired]
    assert numbers == list(range(1, len(numbers) + 1)), f"games are numbered {numbers}"
    assert len(tournament.of_type("finished")) == 1, "it has not ended once"
    reports = Counter(event["game"] for event in tournament.of_type("reported"))
    assert reports.keys() == set(numbers), f"no result of {set(numbers) - reports.keys()}"
    assert max(reports.values()) == 1, f"more than one result: {reports.most_common(3)}"
    assert games.keys() == set(numbers), f"tables of {games.keys() ^ set(numbers)}"
    reported = {event["game"]: event for event in tournament.of_type("reported")}
    players = tournament.chairs[-1]
    for pairing in paired:
        number = pairing["game"]
        assert len(games[number]) == 1, f"game {number} was played at {len(games[number])} tables"
        _check_game(number, pairing, reported[number], games[number][0], players)


def _check_game(
    number: int, pairing: Json, report: Json, game: Log, players: Mapping[int, int]
) -> None:
    both = (players[pairing["first"]], players[pairing["second"]])
    seated = {event["seat"]: event["person"]["player"] for event in game.of_type("seated")}
    assert seated == {0: both[0], 1: both[1]}, f"game {number} was played by {seated}, not {both}"
    ended = game.of_type("round_ended")
    assert len(ended) == 1, f"game {number} ended {len(ended)} times"
    outcome = ended[0]["outcome"]
    winners = [both[seat] for seat in outcome["winners"]]
    said = None if report.get("winner") is None else players[report["winner"]]
    true = winners[0] if winners else None
    assert (said, report["reason"]) == (true, outcome["reason"]), (
        f"game {number}: {report} is not {outcome}"
    )


def points(tournament: Log) -> dict[int, int]:
    """What each seat has from its results and byes."""
    pairs = {event["game"]: event for event in tournament.of_type("paired")}
    had = dict.fromkeys(tournament.chairs[-1], 0)
    for bye in tournament.of_type("bye"):
        had[bye["seat"]] += WIN
    for report in tournament.of_type("reported"):
        pairing = pairs[report["game"]]
        if report.get("winner") is not None:
            had[report["winner"]] += WIN
        elif report["reason"] != "no_show":
            had[pairing["first"]] += DRAW
            had[pairing["second"]] += DRAW
    return had
