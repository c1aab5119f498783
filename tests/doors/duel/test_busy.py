"""Whole games of clients that take one read for one packet, on a machine that is busy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists
from tests.support.processes import HallProcess
from tests.system.originals.party import ROOT, command

AT_ONCE = 2
"""Games that are played side by side."""
GAME_SECONDS = 300.0
OPPOSITE = {"won": p.LOST, "lost": p.WON, "drawn": p.DRAWN}


@contextmanager
def busy_cores() -> Iterator[None]:
    """Children of this process keep every core busy."""
    with ExitStack() as children:
        for _ in range(os.cpu_count() or 1):
            child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            children.callback(child.wait)
            children.callback(child.kill)
        yield


def answers_at_once(client: Client) -> int:
    """The end of a game of one who picks as soon as it may, or even before it is told to."""
    board = client.take(p.BOARD)
    left = {number for row in board for number in row}
    client.ask_turn()
    while True:
        packet = client.read()
        if packet.kind == p.YOURS:
            client.pick(left.pop())
        elif packet.kind == p.PICKED:
            left.discard(packet.value)
        elif packet.kind != p.NOT_YOURS:
            return packet.kind


def game(at: Duelists, match: int) -> None:
    """A bot, which comes first in every other match, and a client as those that exist."""
    text = f"7:8:{match}:the key"
    with ExitStack() as closing:

        def original() -> subprocess.Popen[str]:
            program = subprocess.Popen(
                [*command("duel_player"), str(at.hall.ports["duel"]), text],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            closing.callback(program.wait)
            closing.callback(program.kill)
            return program

        bot = at.client()
        if match % 2:
            bot.hello(f"{text}:fast")
            bot.take(p.ACCEPTED)
            program = original()
        else:
            program = original()
            bot.hello(f"{text}:fast")
            bot.take(p.ACCEPTED)
        ended = answers_at_once(bot)
        said, _ = program.communicate(timeout=GAME_SECONDS)
        assert program.returncode == 0, said
        assert ended == OPPOSITE[said.split()[-1]]


def play(data: Path, games: int, *settings: str) -> None:
    # With a longer gap than by default: on a machine that is busier still, the client reads so late
    # that two packets are there at once, although the hall has kept the gap.
    settings = ("duel.close_seconds=0", "duel.gap_ms=400", *settings)
    with (
        HallProcess(data, settings=settings, doors=("duel",)) as hall,
        ThreadPoolExecutor(AT_ONCE) as threads,
        busy_cores(),
    ):
        at = Duelists(hall)
        for each in [threads.submit(game, at, at.new_match()) for _ in range(games)]:
            each.result()
        at.leave()


def test_small_games_on_a_busy_machine(tmp_path: Path) -> None:
    play(tmp_path, 2, "duel.size=3")


@pytest.mark.slow
@pytest.mark.timeout(3 * GAME_SECONDS)
def test_twenty_whole_games_on_a_busy_machine(tmp_path: Path) -> None:
    play(tmp_path, 20)
