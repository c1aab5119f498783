"""The page verifies journals itself: good ones, and ones that someone has tampered with."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.web.browser import People
from tests.web.guests import Guest, bots_play, drop, match, play_bingo, play_sicbo

SETTINGS = (
    "bingo.pause_seconds=0",
    "duel.size=4",
    "sicbo.betting_seconds=0.5",
    "sicbo.reveal_seconds=0",
    "sicbo.pause_seconds=30",
)
PASSED = "Everything in this journal is in order."
FAILED = "This journal is not in order."
ALWAYS = (
    r"^In order: \d+ rows are numbered 1 to \d+ without a gap, and time never goes back\.$",
    r"^In order: The chain of hashes holds from the first row to the last\.$",
    r"^In order: 1 secret was told; it is the one committed to when the round opened\.$",
    r"^In order: \d+ rows were decided again by the rules; every move was allowed and caused",
    r"^In order: 1 result follows from the moves\.$",
)
DRAWN = {
    "connect-four": None,
    "four-stone": None,
    "bingo-duel": "2 boards",
    "bingo": r"1 card, \d+ called numbers",
    "sicbo": "1 roll of the dice",
}
"""What is drawn from the secret in each game; a tournament has no need to draw seats."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    data = tmp_path_factory.mktemp("hall") / "data"
    with HallProcess(data, settings=SETTINGS) as hall:
        yield hall


@pytest.fixture(scope="module")
def rounds(hall: HallProcess) -> dict[str, tuple[int, int]]:
    """Table and round of a finished game of each kind."""
    found = {}
    for game in ("connect-four", "bingo-duel", "four-stone"):
        _, (table,) = bots_play(hall, game)
        found[game] = (table, 1)
    with Guest(hall, "anna") as anna:
        return {**found, "bingo": play_bingo(anna), "sicbo": play_sicbo(anna)}


def journal(hall: HallProcess, table: int, round: int) -> bytes:
    url = f"{hall.web_url}/api/tables/{table}/journal?round={round}"
    with urllib.request.urlopen(url, timeout=WAIT_SECONDS) as answer:
        body: bytes = answer.read()
    return body


def tampered(body: bytes) -> tuple[bytes, int]:
    """With one byte of a move of Connect Four changed, and the number of its row."""
    moves = list(re.finditer(rb'"seq":(\d+),.*"column":(\d)', body))
    move = moves[len(moves) // 2]
    place = move.start(2)
    changed = b"0" if body[place : place + 1] != b"0" else b"1"
    return body[:place] + changed + body[place + 1 :], int(move[1])


def drawn_again(what: str) -> str:
    return rf"^In order: Drawn again from the secret, with the same result: {what}\.$"


@pytest.mark.parametrize("game", DRAWN)
def test_a_good_journal(
    new_person: Callable[..., Page], rounds: dict[str, tuple[int, int]], game: str
) -> None:
    table, round = rounds[game]
    page = new_person()
    # The page's own parts are loaded when they are needed; here they are not what is counted.
    expect(page.get_by_role("heading", name="Pick a game and play")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("/api/")[2]))
    page.evaluate(f"location.hash = '#/verify/{table}/{round}'")
    expect(page.get_by_text(PASSED)).to_be_visible()
    said = page.get_by_role("region", name="Checked and in order").get_by_role("listitem")
    drawn = DRAWN[game]
    for sentence in ALWAYS if drawn is None else (*ALWAYS, drawn_again(drawn)):
        expect(said.filter(has_text=re.compile(sentence))).to_have_count(1)
    expect(said).to_have_count(len(ALWAYS) + (drawn is not None))
    expect(page.get_by_role("region", name="Not in order")).to_have_count(0)
    expect(page.get_by_text("Compare the last hash with the one you were told")).to_be_visible()
    assert [path for path in asked if path] == [f"tables/{table}/journal?round={round}"]


@pytest.mark.slow
def test_the_hash_that_one_was_told(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    with Guest(hall, "bob") as bob, Guest(hall, "carl") as carl:
        for guest in (bob, carl):
            guest.ask("seek", game="connect-four")
        view = bob.hears("table_view", status="playing")
        table = view["table"]
        page = new_person("eve", path=f"/#/table/{table}")
        expect(page.get_by_text(re.compile("(bob|carl) is to move."))).to_be_visible()
        players = (bob, carl) if view["seat"] == 0 else (carl, bob)
        drop(players, table, (0, 1, 0, 1, 0, 1, 0))
        page.get_by_role("link", name="Verify this game").click()
    expect(page.get_by_text(PASSED)).to_be_visible()
    expect(page.get_by_text("The hash that you were told is that of row")).to_be_visible()
    drawn = page.get_by_role("listitem").filter(has_text=re.compile(drawn_again("who sits where")))
    expect(drawn).to_be_visible()


def test_a_tampered_file(
    hall: HallProcess, new_person: Callable[..., Page], rounds: dict[str, tuple[int, int]]
) -> None:
    table, round = rounds["connect-four"]
    good = journal(hall, table, round)
    bad, row = tampered(good)
    page = new_person(path=f"/#/verify/{table}/{round}")
    expect(page.get_by_text(PASSED)).to_be_visible()
    for name, body, verdict in (
        ("bad.jsonl", bad, FAILED),
        ("good.jsonl", good, PASSED),
        ("no journal.txt", b"nothing of the kind", FAILED),
        ("bad.jsonl", bad, FAILED),
    ):
        file = FilePayload(name=name, mimeType="application/x-ndjson", buffer=body)
        page.get_by_label("Check a journal file from this device").set_input_files(file)
        expect(page.get_by_text(f"File: {name}")).to_be_visible()
        expect(page.get_by_text(verdict)).to_be_visible()
    expect_broken_at(page, row)


def test_a_journal_that_was_changed_on_its_way(
    people: People, rounds: dict[str, tuple[int, int]]
) -> None:
    table, round = rounds["connect-four"]
    page = people.new_person()
    rows: list[int] = []

    def change(route: Route) -> None:
        answer = route.fetch()
        body, row = tampered(answer.body())
        rows.append(row)
        route.fulfill(response=answer, body=body)

    page.route("**/journal**", change)
    page.evaluate(f"location.hash = '#/verify/{table}/{round}'")
    expect(page.get_by_text(FAILED)).to_be_visible()
    expect_broken_at(page, rows[0])
    page.unroute("**/journal**")
    page.get_by_role("button", name="Check the hall’s journal").click()
    expect(page.get_by_text(PASSED)).to_be_visible()


def expect_broken_at(page: Page, row: int) -> None:
    """A changed row shows by the hashes, and by what the rules make of it."""
    problems = page.get_by_role("region", name="Not in order").get_by_role("listitem")
    expect(problems.filter(has_text=f"Row {row} ").first).to_be_visible()
    expect(page.get_by_text("The chain of hashes holds")).to_have_count(0)


@pytest.mark.slow
def test_what_cannot_be_verified(hall: HallProcess, people: People) -> None:
    people.forgive("status of 40[349]")
    with Guest(hall, "dora") as dora, Guest(hall, "ed") as ed:
        table = match(dora, ed)
        drop((dora, ed), table, (3,))
        page = people.new_person(path=f"/#/verify/{table}/1")
        expect(page.get_by_role("alert")).to_have_text("The game is still being played.")
    nowhere = people.new_person(path="/#/verify/999999/1")
    expect(nowhere.get_by_role("alert")).to_have_text("There is no such table.")
