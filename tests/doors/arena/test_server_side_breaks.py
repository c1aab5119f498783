"""A game server whose link to the portal breaks at every step, or carries nonsense."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import cast

import pytest

from tests.doors.arena.federation import DUEL, FOUR, Federation, federation, key, win_four
from tests.doors.arena.game_server import Transport, ints, text
from tests.doors.arena.portal import (
    ACCEPT,
    TRANSPORTS,
    Link,
    create,
    refuse,
)
from tests.support.waiting import WAIT_SECONDS

pytestmark = pytest.mark.slow
"""Links cut and halls killed, step by step and on both transports."""

OVER_TCP = pytest.mark.parametrize("shared", ["tcp"], indirect=True)
"""Where a packet can be cut."""
OVER_WEBSOCKET = pytest.mark.parametrize("shared", ["ws"], indirect=True)
"""Where a message is a packet."""
SETTINGS = ("table.grace_seconds=30", "limits.message_bytes=4096")


@pytest.fixture(scope="module", params=TRANSPORTS)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Federation]:
    transport = cast(Transport, request.param)
    with federation(tmp_path_factory.mktemp("hall"), transport, *SETTINGS) as fed:
        yield fed


@pytest.fixture
def fed(shared: Federation) -> Iterator[Federation]:
    # Both games are there when a test begins, and again when it has ended.
    shared.server(FOUR)
    shared.server(DUEL)
    yield shared
    shared.portal.on_register = Link.accept
    shared.leave()


class Waiting:
    """A portal that does not answer registrations until it is told to."""

    def __init__(self, fed: Federation) -> None:
        self._fed = fed
        fed.portal.on_register = lambda link: None

    def link(self) -> Link:
        """One on which Connect Four waits for the answer."""

        def find() -> Link | None:
            for link in reversed(self._fed.portal.links):
                if link.log and link.registration[2] == FOUR and not (link.ended or link.accepted):
                    return link
            return None

        found: Link = self._fed.portal.until(find, "a registration")
        return found

    def accept(self, match: int, *status: int) -> Link:
        """The link, accepted once the match stands like this at the hall."""
        link = self.link()
        deadline = time.monotonic() + WAIT_SECONDS
        while link.status(match) != status:
            assert time.monotonic() < deadline, f"match {match} never is {status}"
        self._fed.portal.on_register = Link.accept
        link.accept()
        return link


# Registering


def _cut(link: Link) -> None:
    link.cut()


def _close(link: Link) -> None:
    link.close()


def _refuse(link: Link) -> None:
    link.send(refuse("we are full"))


def _refuse_and_close(link: Link) -> None:
    link.send(refuse("we are full"))
    link.close()


def _accept_and_cut(link: Link) -> None:
    link.send(ACCEPT)
    link.cut()


def _accept_and_close(link: Link) -> None:
    link.send(ACCEPT)
    link.close()


@pytest.mark.parametrize(
    "answer",
    [_cut, _close, _refuse, _refuse_and_close, _accept_and_cut, _accept_and_close],
    ids=lambda answer: answer.__name__.strip("_"),
)
def test_it_registers_until_it_is_taken(fed: Federation, answer: Callable[[Link], None]) -> None:
    tries: list[Link] = []

    def on_register(link: Link) -> None:
        if link.registration[2] == FOUR and not tries:
            tries.append(link)
            answer(link)
        else:
            link.accept()

    fed.portal.on_register = on_register
    before, other = fed.server(FOUR), fed.server(DUEL)
    before.cut()
    link = fed.server(FOUR, after=before)
    (tried,) = tries
    assert tried.registration == link.registration
    match = fed.free_number()
    assert link.create(match, 7, 8, key(match)) is None
    tried.waits_for_end()
    assert fed.server(DUEL) is other, "links of other games go on"


# Making a match


def test_a_create_whose_answer_is_lost_may_be_sent_again(fed: Federation) -> None:
    link, match = fed.server(FOUR), fed.free_number()
    link.send(create(match, 7, 8, key(match)))
    link.cut()
    link = fed.server(FOUR, after=link)
    assert link.create(match, 7, 8, key(match)) is None
    assert link.create(match, 7, 8, "another") is not None
    assert link.status(match) == (0,)
    first, second, table = fed.four(match)
    win_four(first, second, table)
    assert fed.portal.result(match) == (1, 0)


@OVER_TCP
def test_half_a_create_makes_nothing(fed: Federation) -> None:
    link, match = fed.server(FOUR), fed.free_number()
    link.send(create(match, 7, 8, key(match))[:-1])
    assert fed.new_match(DUEL), "others need not wait for the rest"
    link.cut()
    link = fed.server(FOUR, after=link)
    assert link.status(match) is None
    whole = create(match, 7, 8, key(match))
    for n in range(len(whole)):
        link.send(whole[n : n + 1])
    link.answer("yes")
    assert link.status(match) == (0,)


# Starts and results


def test_a_start_that_the_portal_missed_is_told_when_it_is_back(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    waiting = Waiting(fed)
    fed.server(FOUR).cut()
    waiting.link()
    fed.four(match)
    link = waiting.accept(match, 1, 0, 0)
    link.waits_for("started", match)


def test_a_result_that_the_portal_missed_is_told_when_it_is_back(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    fed.server(FOUR).waits_for("started", match)
    waiting = Waiting(fed)
    fed.server(FOUR).cut()
    waiting.link()
    win_four(first, second, table)
    waiting.accept(match, 2, 1, 0)
    assert fed.portal.result(match) == (1, 0)


def test_a_result_comes_again_after_every_registration(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    first, second, table = fed.four(match)
    win_four(first, second, table)
    assert fed.portal.result(match) == (1, 0)
    for times in (2, 3):
        link = fed.server(FOUR)
        link.cut()
        again = fed.server(FOUR, after=link)
        again.waits_for("result", match, 1, 0)
        assert not again.told("started", match)
        assert fed.portal.results[match] == [(1, 0)] * times
    assert again.create(match, 7, 8, key(match)) is None
    fed.portal.until(lambda: len(fed.portal.results[match]) == 4 or None, "it once more")


def test_whole_matches_while_the_portal_is_away(fed: Federation) -> None:
    matches = [fed.new_match(FOUR) for _ in range(3)]
    before = fed.server(FOUR)
    fed.portal.stop()
    for match in matches:
        first, second, table = fed.four(match)
        win_four(first, second, table)
    fed.portal.start()
    fed.server(FOUR, after=before)
    assert [fed.portal.result(match) for match in matches] == [(1, 0)] * 3


def test_a_status_is_answered_at_any_time(fed: Federation) -> None:
    match = fed.new_match(FOUR)
    waiting = Waiting(fed)
    fed.server(FOUR).cut()
    link = waiting.link()
    assert link.status(match) == (0,)
    assert link.status(fed.free_number()) is None
    assert waiting.accept(match, 0) is link
    assert link.status(match) == (0,)


# Bad packets

NOT_TEXT = ints(3) + b"\xc3\x28\xff"
BAD: dict[str, bytes] = {
    "an unknown action": ints(9, 1000),
    "a negative action": ints(-1),
    "a result, as servers send it": ints(2, 1000, 1, 0),
    "a key of a negative length": ints(1, 1000, 7, 8, -1),
    "a key of an absurd length": ints(1, 1000, 7, 8, 2**31 - 1),
    "a key that is too long": ints(1, 1000, 7, 8, 4096),
    "a key that is no text": ints(1, 1000, 7, 8) + NOT_TEXT,
    "an error of a negative length": ints(0, -1),
    "an error that is no text": ints(0) + NOT_TEXT,
}
AS_ANSWER = {
    "an unknown answer": ints(2),
    "a negative answer": ints(-7),
    "an error of a negative length": ints(0, -1),
    "an error of an absurd length": ints(0, 2**30),
    "an error that is no text": ints(0) + NOT_TEXT,
}
BAD_MESSAGES: dict[str, bytes | str] = {
    "a text": "1",
    "no whole number": b"\x01\x00",
    "a create that is too short": create(1000, 7, 8, "key")[:-1],
    "a create that is too long": create(1000, 7, 8, "key") + b"\0",
    "two packets": ints(3, 1000, 3, 1000),
}


def _is_refused(fed: Federation, link: Link, other: Link) -> None:
    """The link ends with an error; the game registers again, and the other game notices nothing."""
    fed.portal.until(lambda: (link.log[-1].kind == "no" and link.ended) or None, "an error")
    assert link.log[-1].values[0]
    fed.portal.on_register = Link.accept
    again = fed.server(FOUR, after=link)
    match = fed.free_number()
    assert again.create(match, 7, 8, key(match)) is None
    assert fed.server(DUEL) is other
    assert other.status(fed.free_number()) is None


@pytest.mark.parametrize("name", AS_ANSWER)
def test_bad_answers_to_a_registration(fed: Federation, name: str) -> None:
    other = fed.server(DUEL)
    waiting = Waiting(fed)
    fed.server(FOUR).cut()
    link = waiting.link()
    link.send(AS_ANSWER[name])
    _is_refused(fed, link, other)


@pytest.mark.parametrize("name", BAD)
def test_bad_packets(fed: Federation, name: str) -> None:
    link, other = fed.server(FOUR), fed.server(DUEL)
    link.send(BAD[name])
    _is_refused(fed, link, other)


@OVER_WEBSOCKET
@pytest.mark.parametrize("name", BAD_MESSAGES)
def test_bad_messages(fed: Federation, name: str) -> None:
    link, other = fed.server(FOUR), fed.server(DUEL)
    link.send(BAD_MESSAGES[name])
    _is_refused(fed, link, other)


@pytest.mark.parametrize("name", BAD)
def test_bad_packets_leave_what_came_before(fed: Federation, name: str) -> None:
    link, other, match = fed.server(FOUR), fed.server(DUEL), fed.free_number()
    if fed.portal.transport == "tcp":
        link.send(create(match, 7, 8, key(match)) + ints(3, match) + BAD[name] + text("more"))
    else:
        for packet in (create(match, 7, 8, key(match)), ints(3, match), BAD[name]):
            link.send(packet)
    link.answer("yes")
    assert link.answer("status").values == (0,)
    _is_refused(fed, link, other)
    first, second, table = fed.four(match)
    win_four(first, second, table)
    assert fed.portal.result(match) == (1, 0)


def test_an_error_of_the_portal_ends_the_link_and_it_registers_again(fed: Federation) -> None:
    link = fed.server(FOUR)
    link.send(refuse("that was no packet"))
    link.waits_for_end()
    fed.server(FOUR, after=link)
