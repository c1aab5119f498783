"""`gamehall doctor`: whether all that a hall has kept fits together, with the findings in words."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from gamehall.cli.options import RulesFiles
from gamehall.cli.output import fail, write_findings
from gamehall.errors import HallError

if TYPE_CHECKING:
    from gamehall.hall.audit.findings import Check, Findings, Problem


def doctor(
    *,
    data: Path = Path("gamehall-data"),
    set_: Annotated[tuple[str, ...], Parameter(name="--set")] = (),
    config: Path | None = None,
    game: RulesFiles = (),
) -> int:
    """Prove that what a hall has kept fits together: every balance, transfer, pot and journal.

    It changes nothing, and may run while the hall does: it sees everything as it stands when it
    begins. 0 says that all is sound, 1 that something is not.

    Example: gamehall doctor --data gamehall-data

    Parameters
    ----------
    data
        The folder of everything that is kept.
    set_
        A setting, as store.url=sqlite:///FILE. May be repeated.
    config
        A TOML file of settings.
    """
    # Here, so that its help does not wait for them.
    from gamehall.catalogue import GameFileError, journaled
    from gamehall.config import SettingError, load
    from gamehall.data_folder import StartError
    from gamehall.hall.audit.doctor import examine
    from gamehall.ports import store_at

    try:
        settings = load(config, os.environ, set_)
        games = journaled(game)
        place, store = store_at(settings, data)
    except (SettingError, GameFileError, StartError, OSError) as error:
        return fail(str(error), 2)

    async def run() -> Findings | None:
        if not await store.exists():
            return None
        async with store.audit() as audit:
            return await examine(audit, games)

    try:
        findings = asyncio.run(run())
    except (ValueError, HallError) as error:
        return fail(str(error), 1)
    except KeyboardInterrupt:
        return fail("It was not looked at to the end.", 1)
    if findings is None:
        return fail(f"There is no hall in {data}: {place} is missing or empty. Name its folder.", 2)
    sys.stdout.write(f"{place}\n")
    return report(findings, sys.stdout)


def report(findings: Findings, out: TextIO) -> int:
    """0 if all is sound, 1 if not."""
    sound = (words for check, words in _checks(findings) if check not in findings.broken)
    problems = [_where(problem) + problem.what for problem in findings.problems]
    if findings.problem_count > len(problems):
        problems.append(f"… and {findings.problem_count - len(problems)} more.")
    write_findings(out, sound, problems, _notes(findings))
    if findings.problem_count:
        out.write("Not sound.\n")
        return 1
    out.write("Sound.\n")
    return 0


def _checks(findings: Findings) -> Iterator[tuple[Check, str]]:
    f, held = findings, findings.held
    yield (
        "balances",
        f"{f.players:,} players: each balance is the sum of its transfers, and its statement lists"
        " them all.",
    )
    yield "negative", "No balance is below zero."
    yield (
        "zero",
        f"All accounts add up to zero: players have {held['players']:,}, pots {held['pots']:,},"
        f" the house {held['house']:,}, the mint {held['mint']:,}.",
    )
    yield (
        "pots",
        f"{f.closed_rounds:,} closed rounds: their pots are empty. {f.running_rounds:,} running"
        " rounds: their pots hold what is at stake.",
    )
    yield (
        "money",
        f"{f.transfers:,} transfers at tables are, one by one, what the rules make of the events;"
        f" {f.minted:,} more are the mint's.",
    )
    yield (
        "journals",
        f"{f.rows:,} rows at {f.tables:,} tables: each chain of hashes leads to its table's hash.",
    )


def _notes(findings: Findings) -> Iterator[str]:
    f = findings
    if f.forgotten:
        yield (
            f"The journals of {f.forgotten:,} tables were deleted, as `store.keep_days` says. Their"
            f" {f.forgotten_transfers:,} transfers cannot be recomputed; their pots are looked at."
        )
    if f.unknown:
        games = ", ".join(f"{name} (tables: {tables:,})" for name, tables in f.unknown.items())
        yield (
            f"Not installed here: {games}. The {f.unknown_transfers:,} transfers there were not"
            f" recomputed, nor the stakes in {f.unknown_pots:,} pots. Name the rules with --game."
        )


def _where(problem: Problem) -> str:
    places = []
    if problem.table is not None:
        places.append(f"table {problem.table}")
    if problem.seq is not None:
        places.append(f"row {problem.seq}")
    if problem.account is not None:
        places.append(problem.account)
    return f"{', '.join(places)}: " if places else ""
