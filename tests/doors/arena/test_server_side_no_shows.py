"""Matches for which not everyone comes in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from tests.doors.arena.federation import DUEL, FOUR, Federation, federation, key, win_four
from tests.doors.arena.game_server import Transport
from tests.doors.arena.portal import TRANSPORTS
from tests.doors.duel import packets as p

SETTINGS = (
    "arena.no_show_seconds=1.5",
    "table.grace_seconds=0.5",
    "duel.size=3",
    "duel.close_seconds=0.2",
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


def test_nobody_comes(fed: Federation) -> None:
    link = fed.server(FOUR)
    matches = [fed.new_match(FOUR) for _ in range(3)]
    assert [fed.portal.result(match) for match in matches] == [(0, 0)] * 3
    assert [link.status(match) for match in matches] == [(2, 0, 0)] * 3
    assert not any(link.told("started", match) for match in matches)
    late = fed.native()
    assert late.refused("claim_match", uid=7, key=key(matches[0])) == "round_over"


@pytest.mark.parametrize(("uid", "scores"), [(7, (1, 0)), (8, (0, 1))])
def test_one_comes(fed: Federation, uid: int, scores: tuple[int, int]) -> None:
    match = fed.new_match(FOUR)
    waiting = fed.native()
    table = waiting.claim(uid, match)["table"]
    assert fed.portal.result(match) == scores
    over = waiting.hears("table_over")
    assert (over["table"], over["outcome"]) == (table, None)
    late = fed.native()
    assert late.refused("claim_match", uid=15 - uid, key=key(match)) == "round_over"


def test_one_comes_and_goes(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first = fed.native()
    first.ask("leave", table=first.claim(7, match)["table"])
    assert fed.portal.result(match) == (0, 0)


def test_one_comes_through_the_duel_door(fed: Federation) -> None:
    match = fed.new_match(DUEL)
    waiting = fed.duelist(f"8:{key(match)}", 8)
    assert fed.portal.result(match) == (0, 1)
    waiting.take(p.OTHER_LEFT)
    waiting.ended()
    fed.refused_duelist(f"7:8:{match}:{key(match)}")


def test_who_has_begun_may_take_longer(fed: Federation) -> None:
    played, missed = fed.new_match(FOUR), fed.new_match(FOUR)
    first, second, table = fed.four(played)
    assert fed.portal.result(missed) == (0, 0)
    win_four(first, second, table)
    assert fed.portal.result(played) == (1, 0)
