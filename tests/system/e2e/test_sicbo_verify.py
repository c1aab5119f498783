"""A finished round of Sic Bo verifies offline, and a tampered journal does not."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.support.processes import HallProcess, Process
from tests.system.e2e.clients import Json
from tests.system.e2e.logs import get, journal_url
from tests.system.e2e.sicbo_bettors import DOORS, FAST, bet_at_random, guests, open_round, over
from tests.system.e2e.sicbo_ledger import Books, JournalRound
from tests.system.e2e.sicbo_rounds import dice_of, number_of


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, JournalRound]:
    """The journal of a round with some bets, as the hall gives it, and what lies in its file."""
    return asyncio.run(_finish_rounds(tmp_path_factory.mktemp("data")))


async def _finish_rounds(data: Path) -> tuple[bytes, JournalRound]:
    async with AsyncExitStack() as stack:
        hall = stack.enter_context(HallProcess(data, settings=FAST, doors=DOORS))
        clients = await guests(hall, 5, stack)
        for client in clients:
            await client.subscribe()
        for number in range(1, 4):
            round = await open_round(clients[0], number - 1)
            await asyncio.gather(*(bet_at_random(client, round) for client in clients))
            await over(clients[0], round)
        table = await clients[0].table()
        kept = next(r for r in Books(data).rounds if r.number == number_of(round))
        url = f"{journal_url(hall.web_url, table)}?{urlencode({'round': kept.number})}"
        status, content = await get(url)
        assert status == 200, content
        with Process("verify", url) as verify:
            assert verify.wait() == 0, verify.report()
        return content, kept


def verdict(path: Path, content: bytes) -> tuple[int, str]:
    path.write_bytes(content)
    with Process("verify", str(path)) as verify:
        return verify.wait(), verify.report()


def test_a_finished_round_verifies_offline(
    finished: tuple[bytes, JournalRound], tmp_path: Path
) -> None:
    content, kept = finished
    code, report = verdict(tmp_path / "journal", content)
    assert code == 0, report
    assert dice_of(bytes.fromhex(kept.secret)) == kept.dice
    assert hashlib.sha256(bytes.fromhex(kept.secret)).hexdigest() == kept.commitment
    rows = [json.loads(line) for line in content.splitlines()[:-1]]
    assert [{**row, "round": kept.number} for row in rows] == kept.rows
    # And so does what a forger's tools make of it, if nothing is forged.
    assert verdict(tmp_path / "same", rewritten(rows, content))[0] == 0


def _pay_one_more(settled: Json) -> None:
    seat, ((bet, chips), *others) = next(iter(settled["payouts"].items()))
    settled["payouts"][seat] = [[bet, chips + 1], *others]


FORGERIES: dict[str, Callable[[Json], None]] = {
    "bet_placed": lambda bet: bet.update(amount=bet["amount"] + 1),
    "rolled": lambda roll: roll.update(dice=[die % 6 + 1 for die in roll["dice"]]),
    "settled": _pay_one_more,
    "round_ended": lambda end: end.update(secret=end["secret"][::-1]),
}
"""What is changed in the first event of each of these types."""


def rewritten(rows: list[Json], content: bytes) -> bytes:
    """Other rows in place of those, with hashes that fit, as a forger would write them."""
    lines = [json.dumps(row, separators=(",", ":")).encode() for row in rows]
    (hash,) = [event["previous"] for event in rows[0]["events"] if event["type"] == "opened"]
    for line in lines:
        hash = hashlib.sha256(hash.encode() + line).hexdigest()
    trailer = {**json.loads(content.splitlines()[-1]), "head": rows[-1]["seq"], "hash": hash}
    return b"\n".join([*lines, json.dumps(trailer, separators=(",", ":")).encode()])


@pytest.mark.parametrize("forged", FORGERIES)
def test_a_tampered_journal_does_not_verify(
    finished: tuple[bytes, JournalRound], tmp_path: Path, forged: str
) -> None:
    content, _ = finished
    rows = [json.loads(line) for line in content.splitlines()[:-1]]
    events = [event for row in rows for event in row["events"]]
    FORGERIES[forged](next(event for event in events if event["type"] == forged))
    code, report = verdict(tmp_path / "journal", rewritten(rows, content))
    assert code == 1, report
    assert "problem" in report


def test_a_journal_without_one_of_its_bets_does_not_verify(
    finished: tuple[bytes, JournalRound], tmp_path: Path
) -> None:
    content, _ = finished
    rows = [json.loads(line) for line in content.splitlines()[:-1]]
    bet = next(row for row in rows if row["command"]["type"] == "bet")
    fewer = [row for row in rows if row is not bet]
    code, report = verdict(tmp_path / "journal", rewritten(fewer, content))
    assert code == 1, report
