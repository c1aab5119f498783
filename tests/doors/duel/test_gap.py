"""Clients as those that exist, one `recv` a packet, each a thread of its own: whole games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists, RecvClient
from tests.doors.duel.judge import DRAWN, LOST, WON, result

SETTINGS = ("duel.size=3", "duel.gap_ms=400", "duel.close_seconds=0.2")
"""A gap that a client keeps up with whose machine is busy: its thread may wait for its turn."""
ENDS = {p.WON: WON, p.LOST: LOST, p.DRAWN: DRAWN}


def plays(client: Client, text: str) -> list[int]:
    """What such a client does: it waits for what comes and picks when it is told to."""
    client.hello(text)
    rng, picked = Random(text), list[int]()
    client.take(p.ACCEPTED, p.BOARD)
    client.ask_turn()
    has_picked = False
    while True:
        kind, value = client.read()
        if kind == p.YOURS:
            if has_picked:
                continue  # The answer to what it asked first, behind the notice of its turn.
            has_picked = True
            number = rng.choice([n for n in range(1, 10) if n not in picked])
            picked.append(number)
            client.pick(number)
        elif kind == p.PICKED:
            has_picked = False
            picked.append(value)
        elif kind != p.NOT_YOURS:
            break
    board, marked = client.take(p.OTHER_BOARD)
    assert ENDS[kind] == result(client.board, board, picked)
    assert list(marked) == [str(number) for number in picked]
    client.ended()
    return picked


@pytest.mark.parametrize("game", range(3))
def test_a_whole_game_with_one_read_for_each_packet(at: Duelists, game: int) -> None:
    text = f"7:8:{at.new_match()}:key {game}"
    with ThreadPoolExecutor(2) as threads:
        games = [threads.submit(plays, at.client(RecvClient), text) for _ in range(2)]
        first, second = (each.result() for each in games)
    assert first == second


def test_one_who_parses_plays_with_one_who_does_not(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key"
    with ThreadPoolExecutor(2) as threads:
        fast = threads.submit(plays, at.client(), f"{text}:fast")
        slow = threads.submit(plays, at.client(RecvClient), text)
        assert fast.result() == slow.result()


def test_all_that_was_missed_comes_packet_by_packet(at: Duelists) -> None:
    first, second, text = at.pair()
    board = first.board
    picks = [board[0][0], board[1][1], board[0][1]]
    for picker, other, number in ((second, first, 0), (first, second, 1), (second, first, 2)):
        picker.pick(picks[number])
        other.take(p.PICKED, p.YOURS)
    first.close()
    back = at.client(RecvClient)
    back.hello(text.removesuffix(":fast"))
    back.ask_turn()
    assert back.take(p.ACCEPTED, p.BOARD) == board
    assert [back.take(p.PICKED) for _ in picks] == picks
    back.take(p.YOURS)
