from __future__ import annotations

import json

from tests.support.hall_logs import FAILING_DISK, faults


def entry(event: str, level: str = "error") -> str:
    return json.dumps({"event": event, "level": level})


def test_an_error_that_nobody_allows_is_a_fault() -> None:
    lines = ["ready", entry("beat_failed"), entry("bus_away", "warning"), '{"level": "err', "7"]
    assert faults(lines) == [entry("beat_failed")]


def test_what_a_failing_disk_may_log_is_none() -> None:
    assert faults([entry("write_failed"), entry("reopen_failed")], FAILING_DISK) == []
    assert faults([entry("write_failed")]) == [entry("write_failed")]


def test_a_traceback_is_a_fault_wherever_it_stands() -> None:
    with_one = json.dumps({"event": "write_failed", "level": "error", "exception": "Traceback …"})
    assert faults(["Traceback (most recent call last):", with_one], FAILING_DISK) == [
        "Traceback (most recent call last):",
        with_one,
    ]
