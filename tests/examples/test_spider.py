"""The spider's master, by hand: who gets which page, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from examples.spider import spider
from examples.spider.spider import (
    Crawl,
    Failed,
    FetchFailed,
    GivenUp,
    HandedOut,
    HandOut,
    NotYourPage,
    Report,
    Reported,
    Summed,
    TakeBack,
    View,
    Work,
    WorkerLost,
    WorkOffered,
)

from gamehall.errors import Refused
from gamehall.games.game import Outcome, Timer
from gamehall.table_log import house
from gamehall.testing import Playout
from tests.contract.game_contract import GameContract
from tests.examples.spider_play import (
    GAME,
    SITE,
    STAR,
    a_crawl,
    answer,
    answer_of,
    crawled,
    events_of,
    expected,
    game_of,
    hand_out,
    leave,
    result_of,
    task_of,
    title_of,
    url_of,
)
from tests.games.house_play import refusal

LEASE_MS = 15_000


class TestSpider(GameContract):
    game = GAME
    people = 3
    playouts = 1

    def opened(self) -> Iterator[Playout]:
        """With a crawl begun: before that, nothing happens by itself."""
        for table in super().opened():
            table.act(0, Crawl(url_of("/"), delay_ms=len(table.rows) % 2))
            yield table


# The result


def test_pages_go_out_level_by_level_and_by_their_addresses() -> None:
    links = {"/": ("/b", "/a", "/"), "/a": ("/d",), "/b": ("/c", "/a"), "/c": ("/",), "/d": None}
    table = crawled(links)
    paths = [page.url.removeprefix(SITE) for page in result_of(events_of(table))]
    assert paths == ["/", "/a", "/b", "/c", "/d"]
    assert result_of(events_of(table)) == expected(links)
    assert table.rows[-1].events[:3] == (
        FetchFailed(0, 4, "status 404"),
        GivenUp(4, "status 404"),
        Summed(pages=5, failed=1, links=7),
    )
    assert table.ended[-1].outcome == Outcome((), "done", scores={0: 4}, again_ms=0)


def test_a_level_waits_for_the_one_before() -> None:
    table = a_crawl(people=3)
    assert hand_out(table) == [(0, "/")]
    answer(table, 0, STAR)
    assert hand_out(table) == [(1, "/a"), (2, "/b"), (0, "/c")]
    table.act(1, Report(1, links=(url_of("/deep"),)))
    table.act(2, Report(2))
    assert [type(each.command) for each in timers(table)] == [TakeBack]
    table.act(0, Report(3))
    assert hand_out(table) == [(1, "/deep")]


def test_the_limit_cuts_the_last_level_by_address() -> None:
    links = {"/": ("/c", "/a", "/b"), "/a": ("/z",), "/b": ("/y",), "/c": ("/x",)}
    for most in range(1, 9):
        table = crawled(links, pages_most=most)
        assert result_of(events_of(table)) == expected(links, most)
        assert len(result_of(events_of(table))) == min(most, 7)
    assert [page.url for page in expected(links, 6)][4:] == [url_of("/x"), url_of("/y")]


def test_no_more_is_remembered_than_can_be_fetched() -> None:
    table = a_crawl(pages_most=10)
    hand_out(table)
    table.act(0, Report(0, links=tuple(url_of(f"/{n:03}") for n in range(200))))
    assert game_of(table).urls == [url_of("/"), *(url_of(f"/{n:03}") for n in range(9))]
    assert not game_of(table).found


def test_links_are_counted_once_whatever_their_form() -> None:
    table = a_crawl()
    hand_out(table)
    forms = ("/a", "/a#part", "/a#", "/A", "/")
    links = (*(url_of(form) for form in forms), "HTTP://127.0.0.1:08080/a")
    reported = table.act(0, Report(0, "T", links)).events[0]
    assert reported == Reported(0, 0, "T", links=3, found=(url_of("/A"), url_of("/a")))


def test_a_link_is_found_once() -> None:
    table = a_crawl(people=2)
    hand_out(table)
    table.act(0, Report(0, links=(url_of("/a"), url_of("/b"))))
    hand_out(table)
    for seat, found in ((1, (url_of("/c"),)), (0, ())):
        links = (url_of("/"), url_of("/b"), url_of("/c"))
        reported = table.act(seat, Report(task_of(table, seat).page, links=links)).events[0]
        assert isinstance(reported, Reported)
        assert (reported.links, reported.found) == (3, found)


# Workers


def test_only_who_offers_to_work_gets_pages() -> None:
    table = a_crawl(people=3, workers=0)
    assert table.rules.timer(table.state) is None
    assert table.act(2, Work()).events == [WorkOffered(2)]
    assert table.act(2, Work()).events == []
    assert hand_out(table) == [(2, "/")]
    assert table.act(2, Work()).events == [], "it has a page already"


def test_a_lease_that_is_over_gives_the_page_to_another() -> None:
    table = a_crawl(people=2)
    hand_out(table)
    assert timers(table) == [Timer(table.at_ms + LEASE_MS, TakeBack())]
    assert table.fire().events == [WorkerLost(0, 0)]
    assert hand_out(table) == [(1, "/")]
    assert refusal(table, 0, Report(0, "late")) is NotYourPage
    assert table.act(0, Work()).events == [WorkOffered(0)]
    answer(table, 1, STAR)
    assert hand_out(table) == [(0, "/a"), (1, "/b")]


def test_who_was_lost_gets_no_page_until_it_offers_itself_again() -> None:
    table = a_crawl(people=1)
    hand_out(table)
    table.fire()
    assert table.rules.timer(table.state) is None
    table.act(0, Work())
    assert hand_out(table) == [(0, "/")]


def test_an_answer_counts_until_the_page_is_taken_back() -> None:
    table = a_crawl()
    hand_out(table)
    table.at_ms += 2 * LEASE_MS
    assert answer(table, 0, STAR)[0] == Reported(
        0, 0, title_of(url_of("/")), 3, tuple(url_of(path) for path in ("/a", "/b", "/c"))
    )


def test_who_leaves_gives_its_page_back_at_once() -> None:
    table = a_crawl(people=3)
    hand_out(table)
    assert leave(table, 0) == (house.Left(0, "left"), WorkerLost(0, 0))
    assert hand_out(table) == [(1, "/")]
    assert leave(table, 2) == (house.Left(2, "left"), WorkerLost(2))
    assert leave(a_crawl(people=2, workers=1), 1) == (house.Left(1, "left"),)


def test_a_crawl_waits_for_workers_when_all_have_left() -> None:
    table = a_crawl(people=2)
    hand_out(table)
    leave(table, 0)
    leave(table, 1)
    assert table.rules.timer(table.state) is None
    table.sit()
    (seat,) = table.state.seat_of.values()
    table.act(seat, Work())
    assert hand_out(table) == [(seat, "/")]


def test_whoever_waits_longest_is_next() -> None:
    table = a_crawl(people=2)
    hand_out(table)
    answer(table, 0, STAR)
    hand_out(table)
    answer(table, 1, STAR)
    answer(table, 0, STAR)
    assert hand_out(table) == [(1, "/c")]


# Pages that fail


def test_a_page_is_tried_three_times_by_whoever() -> None:
    table = a_crawl(people=2)
    for seat in (0, 1):
        assert hand_out(table) == [(seat, "/")]
        assert table.act(seat, Failed(0, "timeout")).events == [FetchFailed(seat, 0, "timeout")]
    hand_out(table)
    failed, given_up, summed, *_ = table.act(0, Failed(0, "reset")).events
    assert (failed, given_up) == (FetchFailed(0, 0, "reset"), GivenUp(0, "reset"))
    assert summed == Summed(pages=1, failed=1, links=0)


def test_a_page_that_fails_twice_is_found_in_the_end() -> None:
    table = a_crawl()
    for _ in range(2):
        hand_out(table)
        table.act(0, Failed(0, "timeout"))
    hand_out(table)
    table.act(0, Report(0))
    assert Summed(pages=1, failed=0, links=0) in table.rows[-1].events


def test_a_page_that_ends_its_workers_is_given_up() -> None:
    table = a_crawl()
    for loss in range(10):
        hand_out(table)
        lost = table.fire().events if loss % 2 else leave(table, 0)
        if loss % 2 == 0 and not table.ended:
            table.act(None, house.Sit(house.Person(1, "player 1")))
        if not table.ended:
            table.act(0, Work())
    assert GivenUp(0, "lost") in lost
    assert Summed(pages=1, failed=1, links=0) in lost


# The delay


def test_the_delay_lies_between_any_two_pages() -> None:
    table = a_crawl(people=3, delay_ms=500)
    begun_ms = table.at_ms
    assert hand_out(table) == [(0, "/")]
    assert table.at_ms == begun_ms
    answer(table, 0, STAR)
    for count, each in enumerate([(1, "/a"), (2, "/b"), (0, "/c")], 1):
        assert hand_out(table) == [each]
        assert table.at_ms == begun_ms + 500 * count


def test_a_page_that_was_taken_back_waits_for_the_delay_too() -> None:
    table = a_crawl(people=2, delay_ms=500)
    handed_ms = table.at_ms
    hand_out(table)
    leave(table, 0)
    assert timers(table) == [Timer(handed_ms + 500, HandOut())]
    with pytest.raises(Refused):
        table.act(None, HandOut())


def test_nothing_goes_out_or_comes_back_before_its_time() -> None:
    table = a_crawl(people=1)
    hand_out(table)
    table.at_ms += LEASE_MS - 1
    with pytest.raises(Refused):
        table.act(None, TakeBack())
    with pytest.raises(Refused):
        table.act(None, HandOut())


# Around the crawl


def test_the_next_round_begins_empty_with_everyone_seated() -> None:
    table = crawled(STAR)
    assert table.state.opened.round == 2
    assert list(table.state.seat_of.values()) == [0]
    assert GAME.view(game_of(table), 0).working is False
    assert list(GAME.legal(game_of(table), 0)) == [Work()]


def test_a_view_is_small_and_shows_ones_own_task() -> None:
    table = a_crawl(people=2)
    hand_out(table)
    task = task_of(table, 0)
    view = GAME.view(game_of(table), 0)
    assert view == View(url_of("/"), 0, 1, 0, 0, 2, working=True, task=task)
    assert GAME.view(game_of(table), 1).task is None
    assert GAME.view(game_of(table), None) == View(url_of("/"), 0, 1, 0, 0, 2, False, None)
    table.act(0, Report(0, links=tuple(url_of(f"/{n}".ljust(200, "x")) for n in range(200))))
    hand_out(table)
    assert len(msgspec.json.encode(GAME.view(game_of(table), 0))) < 1000


def test_chairs_of_workers_that_did_nothing_are_free_again() -> None:
    table = a_crawl(people=1)
    for _ in range(100):
        table.sit()
        table.act(1, Work())
        leave(table, 1)
    assert len(table.state.chairs) == 1


def test_there_is_always_a_chair_for_another_worker() -> None:
    """Even if every page is reported by someone else, who then leaves."""
    pages = 100
    links = {f"/{n}": (f"/{n + 1}",) for n in range(pages)} | {"/": ("/0",)}
    table = Playout(GAME, people=1)
    table.act(0, Crawl(url_of("/"), delay_ms=0, pages_most=pages))
    for _ in range(pages):
        player = table.sit()
        seat = table.state.seat_of[player]
        table.act(seat, Work())
        hand_out(table)
        table.act(seat, answer_of(task_of(table, seat), links))
        if not table.ended:
            leave(table, seat)
    (ended,) = table.ended
    assert ended.outcome.scores == dict.fromkeys(range(1, pages + 1), 1)
    assert GAME.seats(table.state.options).most > spider.PAGES_MAX


def test_a_fork_shares_nothing_that_changes() -> None:
    state = game_of(a_crawl())
    forked = GAME.fork(state)
    assert forked == state
    for field in state.__struct_fields__:
        value = getattr(state, field)
        assert getattr(forked, field) is not value or not isinstance(value, list | set | dict)


def test_nothing_is_left_to_do_when_it_is_summed_up() -> None:
    state = GAME.apply(game_of(a_crawl(people=2, workers=1)), Summed(1, 0, 0))
    assert not list(GAME.legal(state, 1))
    assert GAME.timer(state) is None


def test_the_picture_says_how_far_it_is() -> None:
    table = a_crawl(people=2)
    picture = GAME.picture(GAME.view(game_of(table), None))
    assert picture.caption == f"{SITE}/: 0 of 1 pages done, 0 failed; level 0, 2 workers."


def test_every_handed_page_says_where_and_until_when() -> None:
    table = a_crawl(lease_ms=700)
    (handed,) = table.fire().events
    assert handed == HandedOut(0, 0, url_of("/"), 0, table.at_ms, table.at_ms + 700)


def timers(table: Playout) -> list[Timer]:
    timer = table.rules.timer(table.state)
    return [] if timer is None else [timer]
