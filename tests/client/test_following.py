"""Each event of a table once and in order, whatever is lost, repeated or late on the way."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gamehall.client.following import Following, Tables

EVENTS_4 = {"table": 3, "seq": 4, "after": 3, "events": [{"type": "dropped"}]}


def over(seq: int, secret: str = "s") -> dict[str, Any]:
    return {"seq": seq, "after": seq, "secret": secret}


def at(seq: int) -> Following:
    following = Following()
    assert following.judge("table_view", {"seq": seq}) == "pass"
    return following


def test_the_first_notice_of_a_table_is_where_its_story_begins() -> None:
    following = Following()
    assert following.judge("table_events", EVENTS_4) == "pass"
    assert following.seq == 4


def test_events_pass_once_and_only_if_they_fit() -> None:
    following = at(3)
    assert following.judge("table_events", {"seq": 6, "after": 4}) == "gap"
    assert following.judge("table_events", EVENTS_4) == "pass"
    assert following.judge("table_events", EVENTS_4) == "drop"
    assert following.judge("table_events", {"seq": 6, "after": 4}) == "pass"


def test_a_notice_that_skips_rows_nobody_may_see_fits() -> None:
    assert at(5).judge("table_events", {"seq": 9, "after": 3}) == "pass"


def test_a_view_of_the_same_moment_passes_and_an_older_one_does_not() -> None:
    following = at(3)
    assert following.judge("table_view", {"seq": 3}) == "pass"
    assert following.judge("table_view", {"seq": 2}) == "drop"
    assert following.judge("table_view", {"seq": 8}) == "pass"
    assert following.judge("table_events", {"seq": 8, "after": 7}) == "drop"


def test_an_end_passes_once_for_each_round() -> None:
    following = at(4)
    assert following.judge("table_over", over(5)) == "gap"
    assert following.judge("table_over", over(4, "a")) == "pass"
    assert following.judge("table_over", over(4, "b")) == "pass"
    assert following.judge("table_over", over(4, "a")) == "drop"
    assert following.judge("table_events", {"seq": 9, "after": 4}) == "pass"
    assert following.judge("table_over", over(9, "c")) == "pass"
    assert following.judge("table_over", over(4, "a")) == "drop"


def test_until_it_is_resumed_nothing_of_the_story_passes() -> None:
    following = at(3)
    following.resuming = True
    assert following.judge("table_events", EVENTS_4) == "drop"
    assert following.judge("table_view", {"seq": 9}) == "drop"
    following.resumed(2)
    assert following.judge("table_events", EVENTS_4) == "pass"


def test_the_view_that_answers_a_resume_counts_whatever_its_number() -> None:
    # A hall that was put back from a backup is behind what its clients have seen.
    following = at(9)
    following.resuming = True
    following.resumed(None)
    assert following.judge("table_view", {"seq": 5}) == "pass"
    assert following.judge("table_events", {"seq": 6, "after": 5}) == "pass"


def test_a_table_is_forgotten_when_it_closes_and_when_we_leave_it() -> None:
    tables = Tables()
    assert tables.judge("table_events", EVENTS_4, 7) == "pass"
    assert 3 in tables
    assert tables.judge("player_left", {"table": 3, "player": 8}, 7) == "pass"
    assert 3 in tables
    assert tables.judge("player_left", {"table": 3, "player": 7}, 7) == "pass"
    assert 3 not in tables
    closed = {"table": 3, "seq": 5, "after": 4, "events": [{"type": "closed"}]}
    assert tables.judge("table_events", closed, 7) == "pass"
    assert 3 not in tables


def test_chat_passes_and_makes_no_table_followed() -> None:
    tables = Tables()
    assert tables.judge("said", {"table": 3, "text": "hi"}, 7) == "pass"
    assert 3 not in tables


Delivery = st.tuples(st.sampled_from(("deliver", "lose", "repeat", "reconnect")), st.booleans())


@given(st.lists(Delivery, max_size=60))
def test_any_stream_is_told_once_and_in_order(deliveries: list[tuple[str, bool]]) -> None:
    """A hall of one table that loses, repeats and breaks off, against what a client passes on."""
    following = at(0)
    passed: list[int] = []
    told: list[tuple[int, int]] = []
    covered = 0

    def hear(seq: int, after: int, keeps_notices: bool) -> None:
        verdict = following.judge("table_events", {"seq": seq, "after": after})
        if verdict == "pass":
            passed.append(seq)
        elif verdict == "gap":
            resume(keeps_notices)

    def resume(keeps_notices: bool) -> None:
        nonlocal covered
        following.resuming = True
        after, head = following.seq or 0, told[-1][0]
        if keeps_notices:
            following.resumed(sum(seq > after for seq, _ in told))
            for seq, before in told:
                if seq > after:
                    hear(seq, before, keeps_notices)
        else:
            following.resumed(None)
            assert following.judge("table_view", {"seq": head}) == "pass"
            covered = head

    for row, (what, keeps_notices) in enumerate(deliveries, 1):
        told.append((row, told[-1][0] if told else 0))
        if what == "reconnect":
            resume(keeps_notices)
        elif what != "lose":
            for _ in range(2 if what == "repeat" else 1):
                hear(*told[-1], keeps_notices)
    if told:
        resume(True)
    assert passed == sorted(set(passed))
    missing = set(range(1, len(told) + 1)) - set(passed)
    assert all(seq <= covered for seq in missing)
