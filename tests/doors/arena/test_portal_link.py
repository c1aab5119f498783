"""What the hall tells a portal of itself, and how it behaves towards one that is away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from websockets.sync.client import connect

from gamehall.wire.arena.portal_link import Pauses
from tests.doors.arena.federation import DUEL, FOUR, federation, key
from tests.doors.arena.game_server import Transport
from tests.support.processes import HallProcess, Process


def test_pauses_grow_up_to_a_bound_and_begin_anew() -> None:
    pauses, others = Pauses(), Pauses()
    for _ in range(3):
        seconds = [pauses.next_seconds() for _ in range(40)]
        assert 0 < seconds[0] <= 1
        assert seconds[1] <= 2
        assert max(seconds[:3]) < 8 < min(seconds[-20:])
        assert max(seconds) <= 60
        assert seconds != [others.next_seconds() for _ in range(40)], "each has its own"
        pauses.reset()
        others.reset()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_address_is_that_of_the_hall(tmp_path: Path, transport: Transport, host: str) -> None:
    with federation(tmp_path, transport, more=(f"--host={host}",)) as fed:
        for game in (FOUR, DUEL):
            assert fed.server(game).registration[0] == "127.0.0.1"
        assert fed.server(FOUR).registration[4] == "Gamehall"
        assert fed.hall.stop() == 0
        for link in fed.portal.links:
            link.waits_for_end()


def test_without_a_duel_door_bingo_is_played_at_the_web_port(
    tmp_path: Path, transport: Transport
) -> None:
    with federation(tmp_path, transport, doors=("native-tcp",)) as fed:
        _, port, _, rule, _ = fed.server(DUEL).registration
        assert port == fed.hall.ports["native"]
        assert "claim_match" in rule
        match = fed.new_match(DUEL)
        first, second = fed.native(), fed.native()
        table = first.claim(7, match)["table"]
        second.claim(8, match)
        second.ask("act", table=table, command={"type": "resign"})
        assert fed.portal.result(match) == (7, 0)


def test_the_watch_door_knows_the_players_of_a_match(tmp_path: Path, transport: Transport) -> None:
    doors = ("native-tcp", "duel", "watch")
    with federation(tmp_path, transport, "duel.size=3", doors=doors) as fed:
        match = fed.new_match(DUEL)
        first = fed.duelist(f"8:{key(match)}", 8)
        fed.duelist(f"7:{key(match)}", 7)
        fed.server(DUEL).waits_for("started", match)
        with connect(f"ws://127.0.0.1:{fed.hall.ports['watch']}") as page:
            page.send('{"msg": "ping"}')
            (room,) = json.loads(page.recv())["game_state"].values()
        assert room == {"players": ["8", "7"], "next_move": "7"}
        first.close()


def test_a_hall_without_its_portal_is_a_hall(tmp_path: Path) -> None:
    for url in ("tcp://127.0.0.1:1", "ws://127.0.0.1:1/portal"):
        with HallProcess(tmp_path, settings=(f"arena.portal={url}",)) as hall:
            hall.wait_until(lambda: any("portal_lost" in line for line in hall.stderr))
            assert hall.stop() == 0
            assert "Traceback" not in "\n".join(hall.stderr)


@pytest.mark.parametrize("game", ["sicbo", "bingo", "tournament", "chess"])
def test_only_games_for_two_can_be_offered(tmp_path: Path, game: str) -> None:
    arguments = ("serve", f"--data={tmp_path}", "--port=0", "--doors=none")
    with Process(*arguments, f"--set=arena.games=connect-four,{game}") as hall:
        assert hall.wait() == 1
        assert "`arena.games`" in "\n".join(hall.stderr)
        assert repr(game) in "\n".join(hall.stderr)


@pytest.mark.slow
def test_two_bots_play_a_match_and_its_log_is_verified(
    tmp_path: Path, transport: Transport
) -> None:
    with federation(tmp_path, transport, "duel.close_seconds=0.2") as fed:
        match = fed.new_match(DUEL)
        door = ("bot", "duel", f"--port={fed.hall.ports['duel']}", "--fast")
        bots = [Process(*door, f"--uid={uid}", f"--key={key(match)}") for uid in (7, 8)]
        with bots[0], bots[1]:
            assert [bot.wait() for bot in bots] == [0, 0], bots[0].report() + bots[1].report()
        scores = fed.portal.result(match)
        assert max(scores) >= 7
        journal = f"{fed.hall.web_url}/api/tables/1/journal"
        with Process("verify", journal) as verifying:
            assert verifying.wait() == 0, verifying.report()
