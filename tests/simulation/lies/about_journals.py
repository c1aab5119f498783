"""Lies in what was written, and about who wrote it."""

from __future__ import annotations

from msgspec.structs import replace

from gamehall.simulation.checker.records import Written
from tests.simulation.lies.forgery import Forgery, compact, lie


@lie("has rows")
def a_row_is_missing(forged: Forgery) -> None:
    written = forged.record("finished").written
    forged.rewrite("finished", written=(*written[:2], *written[3:]))


@lie("has rows")
def a_row_is_there_twice(forged: Forgery) -> None:
    written = forged.record("finished").written
    forged.rewrite("finished", written=(*written[:3], *written[2:]))


@lie("is out of place")
def two_rows_are_swapped(forged: Forgery) -> None:
    rows = list(forged.record("finished").written)
    rows[4], rows[5] = replace(rows[4], line=rows[5].line), replace(rows[5], line=rows[4].line)
    forged.write("finished", rows)


@lie("is out of place")
def a_row_is_of_another_table(forged: Forgery) -> None:
    forged.write_row("running", -1, {**forged.row("running", -1), "table": 77})


@lie("the chain breaks")
def a_row_was_altered(forged: Forgery) -> None:
    rows = list(forged.record("finished").written)
    rows[3] = replace(rows[3], line=rows[3].line.replace(b'"column":0', b'"column":6'))
    forged.rewrite("finished", written=tuple(rows))


@lie("the chain breaks")
def the_last_hash_is_wrong(forged: Forgery) -> None:
    forged.rewrite("running", hash="00")


@lie("the chain breaks")
def a_round_is_chained_to_another_past(forged: Forgery) -> None:
    place = forged.row_with("sicbo", "settled") + 1
    row = forged.row("sicbo", place)
    row["events"][0]["previous"] = "00"
    forged.write_row("sicbo", place, row)


@lie("time goes back")
def time_goes_back(forged: Forgery) -> None:
    row = forged.row("running", -1)
    forged.write_row("running", -1, {**row, "at_ms": row["at_ms"] - 60_000})


@lie("after the close")
def something_happens_after_the_close(forged: Forgery) -> None:
    row = forged.row("finished", -1)
    row.update(seq=row["seq"] + 1, command={"type": "rematch"})
    row["events"] = [{"type": "rematch_wanted", "seat": 0}]
    rows = forged.record("finished").written
    forged.write("finished", [*rows, Written(row["seq"], compact(row), None)])


@lie("not the one committed to")
def a_secret_does_not_fit_its_commitment(forged: Forgery) -> None:
    place = forged.row_with("finished", "round_ended")
    row = forged.row("finished", place)
    (ended,) = (event for event in row["events"] if event["type"] == "round_ended")
    ended["secret"] = "0" * len(ended["secret"])
    forged.write_row("finished", place, row)


@lie("Decided again")
def dice_do_not_follow_from_the_secret(forged: Forgery) -> None:
    place = forged.row_with("sicbo", "rolled")
    row = forged.row("sicbo", place)
    row["events"][0]["dice"] = [die % 6 + 1 for die in row["events"][0]["dice"]]
    rows = list(forged.record("sicbo").written)
    rows[place] = replace(rows[place], line=compact(row))
    forged.write("sicbo", rows[: place + 1])


@lie("Decided again")
def a_card_does_not_follow_from_the_secret(forged: Forgery) -> None:
    place = forged.row_with("duel", "boards_dealt")
    row = forged.row("duel", place)
    (dealt,) = (event for event in row["events"] if event["type"] == "boards_dealt")
    dealt["boards"].reverse()
    forged.write_row("duel", place, row)


@lie("Decided again")
def a_move_has_another_effect(forged: Forgery) -> None:
    row = forged.row("finished", 5)
    row["events"][0]["column"] = 5
    forged.write_row("finished", 5, row)


@lie("someone has two seats")
def someone_sits_twice_at_a_table(forged: Forgery) -> None:
    row = forged.row("running", -1)
    anna = {"player": forged.of("anna").player, "name": "anna"}
    row["events"] = [{"type": "seated", "seat": 5, "person": anna}]
    forged.write_row("running", -1, row)


@lie("are kept")
def a_seat_is_kept_for_someone_else(forged: Forgery) -> None:
    forged.rewrite("running", seated=frozenset({77}))


@lie("is closed, not playing")
def a_closed_table_is_listed_as_playing(forged: Forgery) -> None:
    forged.rewrite("finished", status="playing")


@lie("nobody can finish it")
def nobody_can_finish_a_table(forged: Forgery) -> None:
    row = forged.row("finished", -1)
    row["events"] = [event for event in row["events"] if event["type"] != "closed"]
    forged.hush("finished", row["seq"])
    forged.write_row("finished", -1, row)
    forged.rewrite("finished", status="over")


# Who owned what


@lie("an epoch has shrunk")
def an_epoch_goes_back(forged: Forgery) -> None:
    last = forged.evidence.moments[-1]
    forged.evidence.moments = [*forged.evidence.moments, last._replace(epoch=last.epoch - 1)]


@lie("rows are gone")
def a_journal_has_shrunk(forged: Forgery) -> None:
    last = forged.evidence.moments[-1]
    forged.evidence.moments = [*forged.evidence.moments, last._replace(head=last.head - 1)]


@lie("rows have changed since")
def a_row_was_written_anew(forged: Forgery) -> None:
    last = forged.evidence.moments[-1]
    forged.evidence.moments = [*forged.evidence.moments, last._replace(hash="00")]


@lie("a table is gone")
def a_table_is_gone(forged: Forgery) -> None:
    last = forged.evidence.moments[-1]
    forged.evidence.moments = [*forged.evidence.moments, last._replace(table=77)]


@lie("two owners in one epoch")
def a_table_has_two_owners(forged: Forgery) -> None:
    last = forged.evidence.moments[-1]
    forged.evidence.moments = [*forged.evidence.moments, last._replace(owner="another")]
