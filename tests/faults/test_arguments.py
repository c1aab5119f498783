"""The command line around the runs: what it takes, refuses and says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.faults import __main__ as command
from tests.faults.played import Broken, Played


@pytest.fixture(autouse=True)
def ends(monkeypatch: pytest.MonkeyPatch) -> list[Played | Broken]:
    """How the runs end: nothing is played."""
    ends: list[Played | Broken] = []

    def results(_: int, seeds: Iterable[int], __: int) -> Iterator[tuple[int, Played | Broken]]:
        yield from zip(seeds, ends, strict=True)

    monkeypatch.setattr(command, "results", results)
    return ends


@pytest.mark.parametrize(
    "given",
    ["--runs=0", "--runs=-1", "--runs=x", "--minutes=0", "--minutes=-1", "--minutes=nan",
     "--at-once=0", f"--reports={__file__}"],
)  # fmt: skip
def test_refused_with_a_sentence(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main([given])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(".\n")


def test_one_run(ends: list[Played | Broken], capsys: pytest.CaptureFixture[str]) -> None:
    ends.append(Played(Counter(cut=1), 1))
    assert command.main([]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == ["1 run, 1 fault, 1 acknowledged request, 0 broken", "       1 cut"]


def test_a_broken_run_is_reported_in_a_folder_that_is_made(
    ends: list[Played | Broken], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends += [Played(Counter(), 0), Broken("It broke.", "All of it")]
    reports = tmp_path / "not" / "there"
    assert command.main(["--runs=2", "--seed=7", f"--reports={reports}"]) == 1
    assert (reports / "1-8.txt").read_text() == "All of it"
    assert capsys.readouterr().out.splitlines() == [
        "python -m tests.faults --nodes 1 --seed 8: It broke.",
        "2 runs, 0 faults, 0 acknowledged requests, 1 broken",
    ]
