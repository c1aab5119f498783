"""Either side is killed and comes back, at every step of a match: no result is lost or changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.doors.arena.federation import (
    DUEL,
    FOUR,
    Federation,
    Json,
    Native,
    federation,
    key,
    win_four,
)
from tests.doors.arena.game_server import Transport
from tests.doors.duel import packets as p
from tests.support.waiting import WAIT_SECONDS

pytestmark = pytest.mark.slow
"""Links cut and halls killed, step by step and on both transports."""

SETTINGS = ("table.grace_seconds=20", "duel.size=3")
KILLS = 6
PAUSE_SECONDS = 0.05
"""Between two tries."""


@pytest.fixture
def fed(tmp_path: Path, transport: Transport) -> Iterator[Federation]:
    with federation(tmp_path, transport, *SETTINGS) as fed:
        yield fed


def test_killed_at_every_step_of_a_match(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    fed.hall.restart()
    assert fed.server(FOUR).status(match) == (0,)
    first = fed.native()
    table: int = first.claim(7, match)["table"]
    fed.hall.restart()
    assert fed.server(FOUR).status(match) == (0,)
    second, first = fed.native(), fed.native(first.token)
    assert second.claim(8, match) == {"table": table, "seat": 1}
    fed.hall.restart()
    fed.server(FOUR).waits_for("started", match)
    assert fed.server(FOUR).status(match) == (1, 0, 0)
    first, second = fed.native(first.token), fed.native(second.token)
    # Neither the end nor what follows from it may depend on the portal or on the hall's memory.
    before = fed.server(FOUR)
    fed.portal.stop()
    win_four(first, second, table)
    fed.hall.restart()
    fed.portal.start()
    link = fed.server(FOUR, after=before)
    assert fed.portal.result(match) == (1, 0)
    assert link.status(match) == (2, 1, 0)
    fed.hall.restart()
    link = fed.server(FOUR, after=link)
    link.waits_for("result", match, 1, 0)
    assert link.create(match, 7, 8, key(match)) is None
    assert link.create(match, 7, 9, key(match)) is not None


def test_killed_in_a_duel(fed: Federation) -> None:
    match = fed.new_match(DUEL)
    first, second = fed.duel(match)
    second.pick(5)
    assert first.take(p.PICKED) == 5
    fed.hall.restart()
    first_again = fed.duelist(f"7:{key(match)}", 7)
    assert first_again.take(p.BOARD) == first.board
    assert first_again.take(p.PICKED) == 5
    second_again = fed.duelist(f"7:8:{match}:{key(match)}", 8)
    assert second_again.take(p.BOARD) == second.board
    assert first_again.is_my_turn()
    fed.server(DUEL).waits_for("started", match)


def test_the_time_to_come_goes_on_while_the_hall_is_down(
    tmp_path: Path, transport: Transport
) -> None:
    settings = ("arena.no_show_seconds=2", "table.grace_seconds=1")
    with federation(tmp_path, transport, *settings) as fed:
        nobody, one = fed.new_match(FOUR), fed.new_match(FOUR)
        waiting = fed.native()
        table = waiting.claim(8, one)["table"]
        fed.hall.restart()
        waiting = fed.native(waiting.token)
        assert fed.portal.result(nobody) == (0, 0)
        assert fed.portal.result(one) == (0, 1)
        assert waiting.hears("table_over")["table"] == table


class Stubborn:
    """A player who comes again and sends the same again, until it is done."""

    def __init__(self, fed: Federation) -> None:
        self._fed = fed
        self._token: str | None = None
        self._native: Native | None = None

    def ask(self, action: str, request: str, **payload: Any) -> Json:
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            try:
                if self._native is None:
                    self._native = self._fed.native(self._token)
                    self._token = self._native.token
                return self._native.ask(action, request, **payload)
            except OSError:
                self._native = None
                time.sleep(PAUSE_SECONDS)
        raise AssertionError(f"in vain: {action} {payload}")


def create_stubbornly(fed: Federation, match: int) -> None:
    for _ in range(100):
        try:
            assert fed.server(FOUR).create(match, 7, 8, key(match)) is None
        except OSError:
            continue
        return
    raise AssertionError("in vain")


def play_stubbornly(fed: Federation, match: int) -> None:
    """The first player wins, whatever happens to the hall."""
    players = Stubborn(fed), Stubborn(fed)
    for uid, player in zip((7, 8), players, strict=True):
        claimed = player.ask("claim_match", f"claim {match}", uid=uid, key=key(match))
    for n, column in enumerate((0, 1) * 3 + (0,)):
        command = {"type": "drop", "column": column}
        players[n % 2].ask("act", f"{match}:{n}", table=claimed["table"], command=command)


def test_killed_at_random_moments(fed: Federation) -> None:
    rng = Random(7)
    over = threading.Event()

    def kill() -> None:
        for _ in range(KILLS):
            # Long enough for a match or two.
            if over.wait(rng.uniform(0.02, 0.3)):
                return
            fed.hall.restart()
        over.set()

    killer = threading.Thread(target=kill)
    killer.start()
    matches: list[int] = []
    try:
        while not over.is_set():
            matches.append(fed.free_number())
            create_stubbornly(fed, matches[-1])
            play_stubbornly(fed, matches[-1])
    finally:
        over.set()
        killer.join()
    assert [fed.portal.result(match) for match in matches] == [(1, 0)] * len(matches)
