"""The ways from a first visit to a game, accounts, and what to do about a nuisance."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import (
    api,
    column,
    expect_column,
    game_card,
    in_turn,
    quick_match,
    say_hello,
    table_of,
    your_turn,
)

PASSWORD = "correct horse"


def account(page: Page, name: str) -> None:
    expect(page.get_by_role("link", name=f"{name}, your account")).to_be_visible()


def fill_in(page: Page, form: str, name: str) -> None:
    page.goto(page.url.partition("#")[0] + "#/account")
    fields = page.get_by_role("form", name=form)
    fields.get_by_label("Name").fill(name)
    fields.get_by_label("Password").fill(PASSWORD)
    fields.get_by_role("button", name=form).click()


def test_one_click_to_a_game_against_a_bot(new_person: Callable[..., Page]) -> None:
    page = new_person()
    card = game_card(page, "Connect Four")
    card.get_by_label("Strength of the bot at Connect Four").select_option("random")
    card.get_by_role("button", name="Against a bot").click()
    expect(your_turn(page)).to_be_visible()
    expect(page.get_by_text("(bot)")).to_be_visible()
    # The bot may have begun.
    stones = page.locator(".c4-cell .stone")
    before = stones.count()
    column(page, 4).click()
    expect(stones).to_have_count(before + 2)
    expect(your_turn(page)).to_be_visible()


@pytest.mark.slow
def test_a_name_is_chosen_and_kept(new_person: Callable[..., Page]) -> None:
    page = new_person()
    page.get_by_label("Your name").fill("anna")
    game_card(page, "Bingo").get_by_role("button", name="Come in").click()
    leave = page.get_by_role("button", name="Leave the table")
    expect(leave).to_be_visible()
    account(page, "anna")
    page.reload()
    account(page, "anna")
    leave.click()
    expect(page.get_by_text("Players here")).to_be_visible()
    account(page, "anna")


@pytest.mark.slow
def test_an_account_takes_seats_and_chips_along(new_person: Callable[..., Page]) -> None:
    home = new_person("anna")
    bob = new_person("bob")
    first, second = quick_match(home, bob, "Connect Four")
    column(first, 4).click()
    expect_column(second, [4], 4)
    fill_in(home, "Register", "anna")
    expect(home.get_by_text("You are logged in as anna.")).to_be_visible()
    home.get_by_role("button", name="Log out").click()
    expect(home.get_by_text("You have not chosen a name yet.")).to_be_visible()

    away = new_person()
    fill_in(away, "Log in", "anna")
    expect(away.get_by_text("You are logged in as anna.")).to_be_visible()
    expect(away.get_by_text("1,000,000 chips of play money")).to_be_visible()
    away.get_by_role("link", name="Hall", exact=True).click()
    away.get_by_role("link", name=f"Connect Four: table {table_of(bob)}", exact=True).click()
    first, second = in_turn(away, bob)
    expect(column(first, 4)).to_have_accessible_name("Column 4, 1 stone, from below: dot")
    column(first, 4).click()
    expect_column(second, [4, 4], 4)


@pytest.mark.slow
def test_a_wrong_password_is_said(new_person: Callable[..., Page]) -> None:
    page = new_person()
    fill_in(page, "Log in", "nobody")
    expect(page.get_by_text(re.compile("password", re.I)).last).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("your account"))).to_have_count(0)


@pytest.mark.slow
def test_an_open_table_is_found_and_watched(new_person: Callable[..., Page]) -> None:
    anna, bob, eve = new_person(), new_person(), new_person()
    # Whoever has a name is told of changes, the others ask now and then.
    say_hello(bob, "bob")
    say_hello(eve, "eve")
    anna.get_by_label("Your name").fill("anna")
    game_card(anna, "Four Stone").get_by_role("button", name="Open a table").click()
    expect(anna.get_by_text("Waiting for another player…")).to_be_visible()
    bob.get_by_role("button", name="Sit down: Four Stone: anna").click()
    in_turn(anna, bob)
    eve.get_by_role("link", name=re.compile("^Watch: Four Stone: ")).click()
    for page in (anna, bob, eve):
        expect(page.get_by_text("1 spectator")).to_be_visible()
    expect(eve.get_by_role("button", name="Resign")).to_have_count(0)


@pytest.mark.slow
def test_the_way_back_to_a_private_table(new_person: Callable[..., Page]) -> None:
    page = new_person("anna")
    game_card(page, "Connect Four").get_by_role("button", name="Invite a friend").click()
    expect(page.get_by_text("Waiting for another player…")).to_be_visible()
    page.goto(page.url.partition("#")[0])
    page.reload()
    tables = page.get_by_role("navigation", name="Your tables")
    tables.get_by_role("link").click()
    expect(page.get_by_label("Send this link to a friend:")).to_be_visible()
    page.get_by_role("button", name="Leave the table").click()
    expect(page.get_by_text("Players here")).to_be_visible()
    expect(tables).to_have_count(0)


@pytest.mark.slow
def test_a_nuisance_is_muted_and_reported(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    anna, bob = new_person("anna"), new_person("bob")
    quick_match(anna, bob, "Connect Four")
    bob.get_by_label("Message").fill("you cheat")
    bob.get_by_role("button", name="Send").click()
    for page in (anna, bob):
        expect(page.get_by_role("log")).to_contain_text("bob: you cheat")

    anna.get_by_role("button", name="Report bob").click()
    anna.get_by_label("What has bob done?").fill("calls me a cheat")
    anna.locator(".person-menu").get_by_role("button", name="Send").click()
    expect(anna.get_by_text("Thank you. The operator will look at it.")).to_be_visible()
    token = (hall.data / "operator-token").read_text(encoding="utf-8").strip()
    (report,) = api(hall, "reports", token)["reports"]
    assert report["text"] == "calls me a cheat"
    assert report["table"] == table_of(anna)
    assert "you cheat" in str(report["chat"])

    anna.get_by_role("button", name="Mute bob").click()
    expect(anna.get_by_role("log")).not_to_contain_text("cheat")
    bob.get_by_label("Message").fill("hello?")
    bob.get_by_role("button", name="Send").click()
    anna.get_by_label("Message").fill("peace")
    anna.get_by_role("button", name="Send").click()
    expect(anna.get_by_role("log")).to_have_text("anna: peace")
    expect(bob.get_by_role("log")).to_contain_text("hello?")
    anna.get_by_role("button", name="Unmute bob").click()
    expect(anna.get_by_role("log")).to_contain_text("hello?")
