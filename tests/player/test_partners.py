"""Whom the AI challenges, and when it gives up waiting for company."""

from __future__ import annotations

from random import Random

from utils.partners import (
    PAUSE_SECONDS_MAX,
    PAUSE_SECONDS_MIN,
    REST_SECONDS_MAX,
    REST_SECONDS_MIN,
    Partners,
)
from utils.protocol import Player

ANN, BOB = Player("player_1", "Ann"), Player("player_2", "Bob")


def _partners(seed: int = 1, lonely_seconds: float = 0) -> Partners:
    return Partners(Random(seed), lonely_seconds)


def test_it_asks_anyone_who_is_free() -> None:
    assert _partners().choose([], 0) is None
    assert {_partners(seed).choose([ANN, BOB], 0) for seed in range(20)} == {ANN, BOB}


def test_who_did_not_want_to_is_left_alone_for_longer_each_time() -> None:
    partners = _partners()
    now, rest = 0.0, 0.0
    for _ in range(8):
        assert partners.choose([ANN], now) == ANN
        partners.give_up(now)
        began = now
        while partners.choose([ANN], now) is None:
            assert partners.choose([ANN, BOB], now) == BOB
            now += 1
        assert now - began >= rest
        rest = now - began
    assert REST_SECONDS_MIN < rest <= REST_SECONDS_MAX


def test_who_was_away_meanwhile_is_asked_like_anyone_else() -> None:
    partners = _partners()
    partners.choose([ANN], 0)
    partners.give_up(0)
    assert partners.choose([ANN], 0.1) is None
    assert partners.choose([], 0.2) is None
    assert partners.choose([ANN], 0.3) == ANN


def test_to_give_up_nobody_is_to_do_nothing() -> None:
    partners = _partners()
    partners.choose([ANN], 0)
    partners.met(0)
    partners.give_up(0)
    assert partners.choose([ANN], 0) == ANN


def test_pauses_differ_grow_and_begin_again() -> None:
    partners = _partners()
    pauses = [partners.pause_seconds() for _ in range(20)]
    assert len(set(pauses)) == len(pauses)
    assert all(PAUSE_SECONDS_MIN / 2 <= pause <= 1.5 * PAUSE_SECONDS_MAX for pause in pauses)
    assert min(pauses[10:]) > max(pauses[:2])
    partners.met(0)
    assert partners.pause_seconds() <= 1.5 * PAUSE_SECONDS_MIN


def test_it_is_lonely_only_after_company() -> None:
    partners = _partners(lonely_seconds=10)
    partners.choose([], 0)
    assert not partners.lonely(1000)
    partners.choose([ANN], 1000)
    assert not partners.lonely(1010)
    partners.choose([], 1011)
    assert partners.lonely(1011)
    partners.met(1012)
    assert not partners.lonely(1022)
    assert partners.lonely(1023)


def test_it_may_wait_for_ever() -> None:
    partners = _partners(lonely_seconds=0)
    partners.met(0)
    assert not partners.lonely(1e9)
