"""The hall as a game server of a portal: what it registers, makes, admits and reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from tests.doors.arena.federation import (
    DUEL,
    FOUR,
    KEY,
    Federation,
    federation,
    key,
    play_duel,
    win_four,
)
from tests.doors.arena.game_server import Transport
from tests.doors.arena.portal import TRANSPORTS
from tests.doors.duel import packets as p
from tests.doors.duel.judge import lines, played_out

SETTINGS = (
    "table.grace_seconds=0.5",
    "duel.size=3",
    "duel.casual=false",
    "duel.close_seconds=0.2",
    "arena.author=the house",
    "arena.address=hall.example",
)


@pytest.fixture(scope="module", params=TRANSPORTS)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Federation]:
    transport = cast(Transport, request.param)
    with federation(tmp_path_factory.mktemp("hall"), transport, *SETTINGS) as fed:
        yield fed


@pytest.fixture
def fed(shared: Federation) -> Iterator[Federation]:
    yield shared
    shared.leave()


def test_each_game_registers_under_its_name_and_on_a_link_of_its_own(fed: Federation) -> None:
    four, duel = fed.server(FOUR), fed.server(DUEL)
    assert four is not duel
    ip, port, name, rule, author = four.registration
    assert (ip, port, name) == ("hall.example", fed.hall.ports["native"], FOUR)
    assert author == "the house"
    assert "Connect Four" in rule
    ip, port, name, rule, author = duel.registration
    assert (ip, port, name) == ("hall.example", fed.hall.ports["duel"], DUEL)
    assert "Bingo" in rule


def test_a_match_may_be_made_again_but_not_another_of_its_number(fed: Federation) -> None:
    link, match = fed.server(FOUR), fed.new_match(FOUR)
    right = key(match)
    assert link.create(match, 7, 8, right) is None
    for uid1, uid2, other in ((7, 9, right), (8, 7, right), (7, 8, "another")):
        assert link.create(match, uid1, uid2, other) is not None
    assert link.create(match, 7, 8, right) is None
    assert fed.server(DUEL).create(match, 7, 8, right) is None, "another game counts by itself"
    assert fed.server(FOUR) is link


@pytest.mark.parametrize(
    ("match", "uid1", "uid2", "wrong"),
    [
        (-1, 7, 8, KEY),
        (5000, -7, 8, KEY),
        (5000, 7, -(2**31), KEY),
        (5000, 7, 7, KEY),
        (5000, 7, 8, ""),
        (5000, 7, 8, "a:b"),
        (5000, 7, 8, "k" * 257),
    ],
)
def test_what_can_be_no_match_is_refused_and_the_link_goes_on(
    fed: Federation, match: int, uid1: int, uid2: int, wrong: str
) -> None:
    link = fed.server(FOUR)
    assert link.create(match, uid1, uid2, wrong) is not None
    assert link.status(match) is None
    fed.new_match(FOUR)
    assert fed.server(FOUR) is link


def test_a_match_of_connect_four(fed: Federation) -> None:
    link, match = fed.server(FOUR), fed.new_match(FOUR)
    assert link.status(match) == (0,)
    second = fed.native()
    claimed = second.claim(8, match)
    assert claimed["seat"] == 1
    assert second.hears("table_view")["status"] == "waiting"
    assert not link.told("started", match)
    first = fed.native()
    table: int = claimed["table"]
    assert first.claim(7, match) == {"table": table, "seat": 0}
    assert second.hears("seated")["seat"] == 1
    link.waits_for("started", match)
    assert link.status(match) == (1, 0, 0)
    assert not link.told("result", match)
    win_four(first, second, table)
    assert fed.portal.result(match) == (1, 0)
    assert link.status(match) == (2, 1, 0)
    assert second.hears("table_over")["outcome"]["winners"] == [0]
    kinds = [packet.kind for packet in link.log if match in packet.values]
    assert kinds == ["started", "result"], "each once, while the link holds"


def test_a_draw_is_nothing_to_nothing(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    first.drop(table, 0)
    first.ask("offer_draw", table=table)
    second.ask("answer_draw", table=table, accept=True)
    assert fed.portal.result(match) == (0, 0)


def test_who_leaves_or_stays_away_has_lost(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    first.ask("leave", table=table)
    assert fed.portal.result(match) == (0, 1)
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    second.close()
    assert fed.portal.result(match) == (1, 0)


def test_who_comes_back_plays_on(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    first.drop(table, 0)
    first.close()
    first = fed.native(first.token)
    assert first.claim(7, match) == {"table": table, "seat": 0}
    assert first.hears("table_view")["status"] == "playing"
    second.ask("act", table=table, command={"type": "resign"})
    assert fed.portal.result(match) == (1, 0)
    assert first.refused("claim_match", uid=7, key=key(match)) == "round_over"


def test_only_its_two_players_may_sit_at_a_match(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    right = key(match)
    first, stranger = fed.native(), fed.native()
    table: int = first.claim(7, match)["table"]
    assert stranger.refused("sit", table=table) == "table_full"
    assert stranger.refused("sit", table=table, seat=1) == "table_full"
    assert stranger.refused("claim_match", uid=7, key=right) == "seat_taken"
    assert first.refused("claim_match", uid=8, key=right) == "seat_taken"
    assert stranger.refused("claim_match", uid=8, key="a guess") == "no_such_match"
    assert stranger.refused("claim_match", uid=9, key=right) == "no_such_match"
    assert stranger.refused("claim_match", uid=-1, key=right) == "bad_request"
    assert stranger.ask("watch", table=table) == {"table": table, "seat": None}
    assert fed.native().claim(8, match) == {"table": table, "seat": 1}
    fed.server(FOUR).waits_for("started", match)


def test_who_goes_before_the_other_has_come_finds_the_seat_again(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first = fed.native()
    table: int = first.claim(7, match)["table"]
    first.ask("leave", table=table)
    assert fed.native().refused("claim_match", uid=7, key=key(match)) == "seat_taken"
    assert fed.native().claim(8, match) == {"table": table, "seat": 1}
    assert first.claim(7, match) == {"table": table, "seat": 0}
    fed.server(FOUR).waits_for("started", match)


def test_guessing_keys_ends_the_connection(fed: Federation) -> None:
    fed.new_match(FOUR)
    guesser = fed.native()
    for n in range(5):
        assert guesser.refused("claim_match", uid=7, key=f"guess {n}") == "no_such_match"
    with pytest.raises((AssertionError, OSError)):
        guesser.ask("ping")


def test_a_match_of_bingo_through_the_duel_door(fed: Federation) -> None:
    link, match = fed.server(DUEL), fed.new_match(DUEL)
    first, second = fed.duel(match)
    link.waits_for("started", match)
    numbers = [number for row in first.board for number in row]
    picks, _ = played_out(first.board, second.board, numbers)
    early, late = picks[:2], picks[2:]
    play_duel(first, second, early)
    assert link.status(match) == (1, lines(first.board, early), lines(second.board, early))
    play_duel(first, second, late, ends=True)
    scores = (lines(first.board, picks), lines(second.board, picks))
    assert fed.portal.result(match) == scores
    assert link.status(match) == (2, *scores)
    fed.refused_duelist(f"7:8:{match}:{key(match)}")
    fed.refused_duelist(f"7:{key(match)}")


def test_the_lines_of_a_running_match_are_its_scores(fed: Federation) -> None:
    link, match = fed.server(DUEL), fed.new_match(DUEL)
    first, second = fed.duel(match)
    early = first.board[0]
    play_duel(first, second, early)
    assert link.status(match) == (1, 1, lines(second.board, early))


def test_players_may_come_with_a_credential_of_their_own(fed: Federation) -> None:
    match = fed.new_match(DUEL)
    second = fed.duelist(f"8:{key(match)}", 8)
    fed.refused_duelist(f"8:{key(match)}")
    first = fed.duelist(f"7:{key(match)}", 7)
    for client in (first, second):
        client.take(p.BOARD)
    assert first.is_my_turn(), "whoever comes second begins"
    second.close()
    first.take(p.OTHER_LEFT)
    assert fed.portal.result(match) == (3, 0)


def test_the_duel_door_admits_the_players_of_a_match_alone(fed: Federation) -> None:
    match = fed.new_match(DUEL)
    right = key(match)
    for hello in (
        f"7:8:{match}:guess",
        f"8:7:{match}:{right}",
        f"7:9:{match}:{right}",
        f"7:8:{fed.free_number()}:{right}",
        "7:guess",
        f"9:{right}",
        f":{right}",
        "7:",
    ):
        fed.refused_duelist(hello)
    first = fed.duelist(f"7:8:{match}:{right}", 7)
    second = fed.duelist(f"8:{right}", 8)
    second.take(p.BOARD)
    fed.refused_duelist(f"7:8:{match}:{right}")
    first.take(p.BOARD)
    first.close()
    back = fed.duelist(f"7:8:{match}:{right}", 7)
    assert back.take(p.BOARD) == first.board


def test_a_browser_plays_bingo_against_a_socket(fed: Federation) -> None:
    match = fed.new_match(DUEL)
    browser = fed.native()
    table: int = browser.claim(7, match)["table"]
    duelist = fed.duelist(f"7:8:{match}:{key(match)}", 8)
    duelist.take(p.BOARD)
    fed.refused_duelist(f"7:{key(match)}")
    fed.server(DUEL).waits_for("started", match)
    browser.ask("act", table=table, command={"type": "resign"})
    duelist.take(p.OTHER_LEFT)
    assert fed.portal.result(match) == (0, 3)


def test_another_round_at_the_table_is_no_match(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    win_four(first, second, table)
    assert fed.portal.result(match) == (1, 0)
    first.ask("rematch", table=table)
    second.ask("rematch", table=table)
    first.ask("act", table=table, command={"type": "resign"})
    fed.new_match(FOUR)
    assert fed.portal.results[match] == [(1, 0)]


def test_status_of_a_match_that_nobody_knows(fed: Federation) -> None:
    link = fed.server(FOUR)
    assert link.status(fed.free_number()) is None
    assert link.status(-1) is None
    assert fed.server(FOUR) is link
