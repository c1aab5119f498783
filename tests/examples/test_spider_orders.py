"""Whatever the workers do and in whatever order, the result of a crawl is the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
from examples.spider.spider import LOSSES, TRIES, Failed, HandOut, TakeBack, Work
from hypothesis import given
from hypothesis import strategies as st

from gamehall.games.game import Command
from gamehall.testing import Playout
from tests.examples.spider_play import (
    GAME,
    Links,
    a_crawl,
    answer,
    answer_of,
    check_story,
    crawled,
    events_of,
    expected,
    game_of,
    leave,
    result_of,
    task_of,
)

PEOPLE_MAX = 6
PATHS = st.sampled_from([f"/{n}" for n in range(12)] + ["/"])
SITES: st.SearchStrategy[Links] = st.dictionaries(
    PATHS, st.none() | st.lists(PATHS, max_size=5), max_size=13
)
"""Pages that nobody describes cannot be fetched either."""


Act = Callable[[], Any]


class Crowd:
    """Workers at one crawl who come, go, fail and are slow, as chance has it."""

    def __init__(self, links: Links, rng: Random, pages_most: int, delay_ms: int) -> None:
        self.links = links
        self.rng = rng
        self.table = a_crawl(people=1, workers=0, pages_most=pages_most, delay_ms=delay_ms)

    def run(self, steps_most: int = 10_000) -> Playout:
        for step in range(steps_most):
            if self.table.ended:
                break
            # In the end they pull themselves together, so that it comes to one.
            progress = self.progress()
            choices = progress + (self.trouble() if step < 100 or not progress else [])
            self.table.at_ms += self.rng.randrange(300)
            self.rng.choice(choices)()
            self.check()
        return self.table

    def progress(self) -> list[Act]:
        """What an honest and lively crowd would do."""
        state, table = game_of(self.table), self.table
        acts: list[Act] = [partial(answer, table, seat, self.links) for seat in sorted(state.tasks)]
        if isinstance(self.next_timer(), HandOut):
            acts.append(table.fire)
        working = state.tasks.keys() | set(state.idle)
        idlers = sorted(set(table.state.seat_of.values()) - working)
        return acts + [partial(table.act, seat, Work()) for seat in idlers]

    def trouble(self) -> list[Act]:
        """Coming, going, failing and being late, but never so much that a page is given up."""
        state, table = game_of(self.table), self.table
        seats = sorted(table.state.seat_of.values())
        acts: list[Act] = [table.sit] if len(seats) < PEOPLE_MAX else []
        may_lose = {
            seat
            for seat, task in state.tasks.items()
            if state.losses.get(task.page, 0) + 1 < LOSSES
        }
        acts += [partial(leave, table, s) for s in seats if s in may_lose or s not in state.tasks]
        for seat, task in state.tasks.items():
            if state.failures.get(task.page, 0) + 1 < TRIES:
                acts.append(partial(table.act, seat, Failed(task.page, "status 404")))
        if isinstance(self.next_timer(), TakeBack) and may_lose == set(state.tasks):
            acts.append(table.fire)
        return acts

    def next_timer(self) -> Command | None:
        timer = self.table.rules.timer(self.table.state)
        return None if timer is None else timer.command

    def check(self) -> None:
        state = game_of(self.table)
        pages = [task.page for task in state.tasks.values()]
        assert len(pages) == len(set(pages)), "two workers have one page"
        assert not set(pages) & set(state.waiting)
        assert not set(state.idle) & set(state.tasks)
        assert set(state.idle) | set(state.tasks) <= set(self.table.state.seat_of.values())
        for seat in self.table.state.seat_of.values():
            assert len(msgspec.json.encode(GAME.view(state, seat))) < 1000
            for command in GAME.legal(state, seat):
                self.table.fork().act(seat, command)


@given(SITES, st.integers(1, 15), st.sampled_from([0, 250]), st.randoms(use_true_random=False))
def test_the_result_is_that_of_one_worker_in_order(
    links: Links, pages_most: int, delay_ms: int, rng: Random
) -> None:
    table = Crowd(links, rng, pages_most, delay_ms).run()
    events = events_of(table)
    check_story(events, delay_ms)
    result = result_of(events)
    assert result == expected(links, pages_most)
    assert result == result_of(events_of(crawled(links, pages_most=pages_most)))
    (summed,) = (event for event in events if event["type"] == "summed")
    failed = sum(page.title is None for page in result)
    totals = (len(result), failed, sum(page.links for page in result))
    assert (summed["pages"], summed["failed"], summed["links"]) == totals


@given(SITES, st.randoms(use_true_random=False), st.integers(0, 60))
def test_a_replay_leads_to_the_same_state_at_any_moment(
    links: Links, rng: Random, steps: int
) -> None:
    crowd = Crowd(links, rng, pages_most=8, delay_ms=0)
    for _ in range(steps):
        if not crowd.table.ended:
            rng.choice(crowd.progress() + crowd.trouble())()
    replayed = crowd.table.replayed()
    assert replayed.game == game_of(crowd.table)
    assert replayed.chairs == crowd.table.state.chairs


def test_an_honest_answer_is_what_the_table_says() -> None:
    table = a_crawl()
    table.fire()
    assert answer_of(task_of(table, 0), {}) == Failed(0, "status 404")
