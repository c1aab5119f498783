"""How `gamehall tournament show` draws what the hall tells."""

from __future__ import annotations

from msgspec.structs import replace

from gamehall.cli.tournament.page import aligned, tournament_lines
from gamehall.hall.tournaments.formats.field import Match, Rest
from gamehall.hall.tournaments.formats.standings import Standing
from gamehall.hall.tournaments.tournament import Entrant, View
from gamehall.wire.native.tournament_messages import TournamentShown

VIEW = View(
    title="Derby",
    format="derby",
    game="bingo-duel",
    status="running",
    starts_at_ms=0,
    ends_at_ms=0,
    rated=True,
    winners=(),
    entrants=(
        Entrant(0, "north", False),
        Entrant(1, "南の機械", False),
        Entrant(2, "north", True),
        Entrant(3, "", False),
    ),
    standings=(
        Standing(1, 0, 4, 2, 2, 0, 0, 0, {"place": 1, "sonneborn_berger": 12}),
        Standing(2, 1, 2, 1, 0, 0, 1, 1, {"place": 1, "sonneborn_berger": 0}),
        Standing(3, 2, 0, 1, 0, 0, 1, 0, {"place": 2, "sonneborn_berger": 0}),
        Standing(4, 3, 1, 1, 0, 1, 0, 0, {"place": 0, "sonneborn_berger": 0}),
    ),
    games=(
        Match(0, 2, 1, "home north", number=9, state="over", winner=0, reason="left"),
        Match(1, 3, 1, "", number=10, state="over", winner=3, reason="line", scores=(3, 5)),
        Match(0, 3, 1, "", number=11, state="over", reason="full"),
        Match(2, 1, 1, "", number=12, state="over", reason="no_show"),
        Match(0, 1, 1, "place 1", number=13),
        Match(2, 3, 1, "place 1", number=14),
    ),
    games_count=14,
    byes=(Rest(1, 1, "home north"),),
    bracket={},
    groups=(),
)
NAMES = {0: "Anna", 1: "Bo\x1b[31m", 2: "クララ", 3: "D"}
DRAWN = """\
Tournament 5: Derby
derby of bingo-duel, running, 4 entrants

RANK  NAME                CLUB      POINTS  WON  DRAWN  LOST  BYES  PLACE  SONNEBORN-BERGER
   1  Anna                north          4    2      0     0     0      1                12
   2  Bo�[31m             南の機械       2    0      0     1     1      1                 0
   3  クララ (withdrawn)  north          0    0      0     1     0      2                 0
   4  D                                  1    0      1     0     0      0                 0

The last 6 of 14 games:

Home north, round 1
 9  Anna     –  クララ   Anna wins (left)
    Bo�[31m              bye

Round 1
10  Bo�[31m  –  D        D wins 3:5 (line)
11  Anna     –  D        draw (full)
12  クララ   –  Bo�[31m  neither came

Place 1, round 1
13  Anna     –  Bo�[31m  playing at table 77
14  クララ   –  D        about to begin"""


def test_a_tournament_that_has_everything() -> None:
    shown = TournamentShown(5, NAMES, {13: 77}, VIEW)
    assert "\n".join(tournament_lines(shown)) == DRAWN


def test_columns_to_either_side() -> None:
    assert aligned([("a", "bb", "c"), ("aa", "b", "")], "><<") == [" a  bb  c", "aa  b"]
    assert aligned([], "<") == []


def test_a_begin_beyond_all_calendars_is_said_so() -> None:
    view = replace(VIEW, status="open", starts_at_ms=1 << 52)
    lines = list(tournament_lines(TournamentShown(5, NAMES, {}, view)))
    assert lines[1].endswith("begins after the year 9999")
