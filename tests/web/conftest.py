"""A browser, a hall, and people who look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.debian import INSTALL_SECONDS
from tests.support.processes import HallProcess
from tests.web.browser import LOOK_MS, People, launch


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            # The first of them may have to install it.
            item.add_marker(pytest.mark.timeout(INSTALL_SECONDS), append=False)


# For a module, not for the whole run: in this process no loop but Playwright's runs meanwhile, and
# other modules have tests that await.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=LOOK_MS)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data") as hall:
        yield hall


@pytest.fixture
def people(browser: Browser, hall: HallProcess) -> Iterator[People]:
    people = People(browser, hall)
    yield people
    people.leave()


@pytest.fixture
def new_person(people: People) -> Callable[..., Page]:
    """The page of someone new, as `People.new_person`."""
    return people.new_person
