"""English, Vietnamese, French and Chinese, on every route."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.guests import Guest
from tests.web.places import Places, busy_hall, go

SAID = """() => {
  const said = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode;
    if (!parentElement.closest("option[lang], noscript")) said.push(data);
  }
  for (const name of ["aria-label", "aria-valuetext", "alt", "placeholder", "title"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) said.push(one.getAttribute(name));
  }
  return said.map((text) => text.trim());
}"""
"""All that is seen or read aloud where scripts run, but for the names of the languages."""
NAMES = re.compile(
    r"anna|bob|carl|Guest( \d+)?|Random bot( \d)?|Gamehall|Sic Bo|Bingo|[0-9a-f]{64}"
)
"""What is the same in every language."""
ALIKE = {
    "vi": "",
    "fr": r"Chat|Club \(optional\)|Message|Moment|Pause|Points|Port|Score|table \d+",
    "zh": "",
}
"""Words of English that are words of theirs too."""
TITLES = {
    "en": "Pick a game and play",
    "vi": "Chọn trò chơi rồi chơi ngay",
    "fr": "Choisissez un jeu et jouez",
    "zh": "选一个游戏，马上开始",
}
LOGIN_FAILED = {
    "en": "Name and password do not match.",
    "vi": "Tên và mật khẩu không khớp.",
    "fr": "Le nom et le mot de passe ne correspondent pas.",
    "zh": "用户名与密码不符。",
}
WRONG_KEY = {
    "en": "This table is private. Ask the player who opened it for the link.",
    "vi": "Bàn này riêng tư. Hãy xin đường dẫn từ người mở bàn.",
    "fr": "Cette table est privée. Demandez le lien à qui l’a ouverte.",
    "zh": "这是私人牌桌，请向开桌的人索取链接。",
}
LOCALES = {"vi": "vi-VN", "fr": "fr-CA", "zh": "zh-CN"}


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HallProcess, Places]]:
    with busy_hall(tmp_path_factory.mktemp("hall") / "data") as busy:
        yield busy


@pytest.fixture(scope="module")
def hall(busy: tuple[HallProcess, Places]) -> HallProcess:
    return busy[0]


@pytest.fixture(scope="module")
def places(busy: tuple[HallProcess, Places]) -> Places:
    return busy[1]


@pytest.fixture(scope="module")
def english(browser: Browser, hall: HallProcess, places: Places) -> set[str]:
    """Whatever the page says in English on any route."""
    people = People(browser, hall)
    page = people.new_person(locale="en-GB")
    found = {text for place, ready in places.items() for text in said(page, place, ready)}
    people.leave()
    assert len(found) > 200
    return found


def said(page: Page, place: str, ready: str) -> set[str]:
    """What has words in it."""
    go(page, place, ready)
    texts: list[str] = page.evaluate(SAID)
    return {text for text in texts if re.search("[a-z]{2}", NAMES.sub("", text))}


@pytest.mark.slow
@pytest.mark.parametrize("language", LOCALES)
def test_nothing_is_left_in_english(
    new_person: Callable[..., Page], places: Places, english: set[str], language: str
) -> None:
    page = new_person(locale=LOCALES[language])
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[language])
    left = [
        f"{place}: {text}"
        for place, ready in places.items()
        for text in said(page, place, ready) & english
        if not re.fullmatch(ALIKE[language], text)
    ]
    assert not left, "\n".join(left)
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_a_language_is_chosen_and_kept(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    with Guest(hall, "henry") as henry:
        table = henry.ask("open_table", game="connect-four", private=True)["table"]
        page = new_person(locale="de-DE")
        names = page.get_by_role("banner").get_by_role("combobox").first
        for language, title in TITLES.items():
            names.select_option(language)
            go(page, "#/", "h1")
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
            expect(page.locator("html")).to_have_attribute("lang", language)
            page.reload()
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
            go(page, f"#/table/{table}", "[role=alert]")
            expect(page.get_by_role("alert")).to_have_text(WRONG_KEY[language])
            go(page, "#/account", "form")
            log_in = page.locator("form").first
            log_in.locator("input").first.fill("nobody")
            log_in.locator("input").last.fill("not the password")
            log_in.get_by_role("button").click()
            expect(page.get_by_role("alert").last).to_have_text(LOGIN_FAILED[language])
