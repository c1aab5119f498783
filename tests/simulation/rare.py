"""Planted bugs that take long to be found: each takes dozens of stories, or hundreds."""

from __future__ import annotations

OF_NODES = ("lease_looked_at_too_late", "wish_lost_with_the_lead", "replica_skips_a_row")
OF_TABLES = (
    "hold_given_twice",
    "events_told_from_the_state_after_the_batch",
    "timer_by_the_wall_clock",
    "view_that_leaks",
)
RARE = (*OF_NODES, *OF_TABLES)
