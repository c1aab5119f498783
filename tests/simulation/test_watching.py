"""Who watches a table, as the checker sees it."""

from __future__ import annotations

import json

import pytest

from gamehall.simulation.checker.memory import watched_at_last
from gamehall.simulation.checker.transcripts import Line, Transcript


@pytest.mark.parametrize(
    ("answers", "watched"),
    [
        (["watch"], {1}),
        (["watch", "unwatch"], set()),
        # From then on the seat tells of the table, and nothing does once it is given up.
        (["watch", "sit"], set()),
        (["watch", "sit", "leave_tournament", "watch"], {1}),
    ],
)
def test_who_sits_down_watches_no_more(answers: list[str], watched: set[int]) -> None:
    transcript = Transcript("anna")
    transcript.lines.append(Line(0, 0, "opened", ""))
    for action in answers:
        answer = json.dumps({"action": action, "payload": {"table": 1}})
        transcript.lines.append(Line(0, 0, "heard", answer))
    assert watched_at_last(transcript) == watched
