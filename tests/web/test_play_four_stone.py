"""Two browsers play Four Stone, after a challenge from the list of players."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.playing import LOST, WON, accept, challenge, expect_result, say_hello, your_turn

MOVES = ["A1A2", "B4B3", "A2B2", "C4C3", "B2C2", "D4D3", "C2D2"]
"""The shortest win; seat 0 takes a stone with each but its first move."""


def move(page: Page, text: str) -> None:
    start, end = text[:2], text[2:]
    page.get_by_role("button", name=re.compile(f"^{start}, ")).click()
    page.get_by_role("button", name=f"{end}, empty, possible move").click()


def test_a_challenge_and_a_win(new_person: Callable[..., Page]) -> None:
    anna, bob = new_person(), new_person()
    say_hello(bob, "bob")
    say_hello(anna, "anna")
    challenge(anna, "bob", "Four Stone")
    accept(bob, "anna", "Four Stone")
    players = (anna, bob)
    for turn, text in enumerate(MOVES):
        mover = players[turn % 2]
        expect(your_turn(mover)).to_be_visible()
        move(mover, text)
        stone = ("dot", "ring")[turn % 2]
        for page in players:
            arrived = page.get_by_role("button", name=f"{text[2:]}, {stone}")
            expect(arrived).to_be_visible()
    expect_result(anna, WON, "A player has too few stones left.")
    expect_result(bob, LOST, "A player has too few stones left.")
    for page in players:
        expect(page.get_by_role("button", name=re.compile("^[A-D][1-4], ring"))).to_have_count(1)
        expect(page.get_by_role("button", name=re.compile("^[A-D][1-4], dot"))).to_have_count(4)


@pytest.mark.slow
def test_a_challenge_is_refused(new_person: Callable[..., Page]) -> None:
    anna, bob = new_person(), new_person()
    say_hello(bob, "bob")
    say_hello(anna, "anna")
    challenge(anna, "bob", "Connect Four")
    expect(anna.get_by_text("Challenge sent.")).to_be_visible()
    bob.get_by_role("button", name="Refuse").click()
    expect(anna.get_by_text("Your challenge was refused.")).to_be_visible()
