"""Every original system at one hall at once, while the page watches every table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from gamehall.cli.verify import verify
from tests.support.debian import INSTALL_SECONDS
from tests.support.processes import HallProcess, Process
from tests.system.originals.party import DuelPage, Party, parties, take_down
from tests.system.originals.watching import PAIRS, Spectator, finished_rounds
from tests.web.browser import People, launch

GAMES = {"bingo", "bingo-duel", "connect-four", "four-stone", "sicbo"}
DOORS = ("rfc", "mario", "caller", "duel", "watch", "four", "practice", "arena-tcp")
SETTINGS = (
    "bingo.pause_seconds=0.05",
    "sicbo.betting_seconds=1.5",
    "sicbo.reveal_seconds=0.2",
    "sicbo.pause_seconds=0.5",
    # More than by default, where there is no telling what else is done meanwhile: clients that
    # take one read for one packet, or build their game in a thread, are late on a machine that is
    # very busy, and nothing that the hall can see tells it so.
    "duel.gap_ms=600",
    "practice.begin_ms=4000",
)
LOOK_SECONDS = 0.1
"""Between two looks at who has ended, and which tables are new."""


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.mark.timeout(INSTALL_SECONDS)
def test_all_originals_at_once(tmp_path: Path, browser: Browser) -> None:
    _meet(tmp_path / "data", browser, games=1, kills=1, settings=("duel.size=3",))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kills", [0, 3])
def test_ten_games_each(tmp_path: Path, browser: Browser, kills: int) -> None:
    _meet(tmp_path / "data", browser, games=10, kills=kills)


def _meet(
    data: Path, browser: Browser, games: int, kills: int, settings: tuple[str, ...] = ()
) -> None:
    """All play that many games each, the hall is killed that often, and then everything is read."""
    with HallProcess(data, settings=(*SETTINGS, *settings), doors=DOORS) as hall:
        people = People(browser, hall)
        people.forgive("ERR_CONNECTION_REFUSED|WebSocket connection to")  # While it is killed.
        spectator = Spectator(hall, people.new_person("spectator").context)
        signs = data.parent / "signs"
        signs.mkdir()
        page = DuelPage("duel_page", f"ws://127.0.0.1:{hall.ports['watch']}/")
        everyone = parties(hall, signs, page, games)
        try:
            _play(hall, everyone, spectator, games, kills)
        finally:
            for party in everyone:
                party.leave()
        people.leave()
        rounds = finished_rounds(data)
        assert len(rounds) >= 4 * games
        for table, round in rounds:
            address = f"{hall.web_url}/api/tables/{table}/journal?round={round}"
            assert verify(address) == 0, address
        assert spectator.due <= set(spectator.seen)
        assert set(spectator.seen.values()) == GAMES
        assert page.picks >= games
        assert kills == 0 or PAIRS.intersection(spectator.resumed)
        assert "Traceback" not in "\n".join(hall.stderr), hall.report()
    with Process("doctor", f"--data={data}") as doctor:
        assert doctor.wait() == 0, doctor.report()


def _play(
    hall: HallProcess, everyone: list[Party], spectator: Spectator, games: int, kills: int
) -> None:
    limit = time.monotonic() + 300 + 60 * games
    # Somewhere in the course of the games, each time another of them is in the middle.
    kill_at = [len(everyone) * games * (n + 1) // (kills + 1) for n in range(kills)]
    spectator.look()
    for party in everyone:
        party.start()
    while not all(_ready(party, spectator) for party in everyone):
        assert time.monotonic() < limit, "\n".join(party.report() for party in everyone)
        if kill_at and sum(min(party.games, games) for party in everyone) >= kill_at[0]:
            on = PAIRS.intersection(party.game for party in everyone if not party.done)
            if not on or spectator.shows(*on):
                hall.restart()
                # If the last of them was over by then, the kill does not count.
                still_on = spectator.come_back()
                if not on or on & still_on:
                    kill_at.pop(0)
        _attend(everyone, spectator)
        time.sleep(LOOK_SECONDS)
    _attend(everyone, spectator)
    assert not kill_at


def _ready(party: Party, spectator: Spectator) -> bool:
    """Whether it may leave. Who does not wait for a spectator may have played before one came."""
    return party.done and (not party.game or spectator.knows(party.game))


def _attend(everyone: list[Party], spectator: Spectator) -> None:
    """Once around: who has ended comes again, every game has its spectator, and who is ready
    leaves."""
    ready = [party for party in everyone if _ready(party, spectator)]
    on = {party.game for party in everyone if party not in ready}
    for party in everyone:
        if party in ready:
            if party.game not in on:
                spectator.dismiss(party.game)
            party.leave()
        else:
            party.tend()
    waiting = [(party.game, party.signs()) for party in everyone]
    spectator.look()
    for game, signs in waiting:
        if spectator.shows(game):
            take_down(signs)
