"""The native door: one JSON object a message, over WebSocket and over lines of TCP."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache, partial
from types import CoroutineType
from typing import Any

import msgspec
import structlog

from gamehall.errors import BadRequest, HallError, NotLoggedIn, UnknownAction, snake_case
from gamehall.hall.beat.requests import Done, Told
from gamehall.hall.hall import Hall
from gamehall.hall.people.notices import GoingAway, Notice, PlayerLeft, TableOver, TableView
from gamehall.table_log import house
from gamehall.wire.native.action import Action, Asked, Sent, read_envelope
from gamehall.wire.native.actions import ACTIONS
from gamehall.wire.native.messages import Acted, ErrorPayload, Reply, TableEvents
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.refusing import as_refusal, decoded
from gamehall.wire.net.serial import SENTENCE_CHARACTERS_MAX, SerialLink
from gamehall.wire.net.shell import Channel

log = structlog.get_logger(__name__)

WRONG_FORM = BadRequest.message.removesuffix(".")

_encode = msgspec.json.Encoder().encode


class NativeLink(SerialLink):
    __slots__ = ("_stale", "form", "frame")

    def __init__(self, hall: Hall, channel: Channel) -> None:
        super().__init__(hall, channel)
        self.form: str = channel.kind
        """Names the form of this door's messages: links of one form may share a frame."""
        self.frame: Callable[[bytes], bytes] = channel.frame
        """Makes of a message what goes over the wire: the same for all links of a form."""
        self._stale: set[int] | None = None
        """Tables of which something was skipped because the client does not keep up."""

    @property
    def takes_challenges(self) -> bool:
        return True

    # From the client

    def garbled(self, garbled: Garbled) -> None:
        self._send_error(None, garbled.code, garbled.reason)

    def drained(self) -> None:
        stale, self._stale = self._stale, None
        for table in stale or ():
            self.hall.spawn(self._send_fresh_view(table))

    def going_away(self, seconds: float) -> None:
        self.tell(GoingAway(seconds))

    def _handle(self, message: bytes) -> None:
        try:
            envelope = read_envelope(message)
        except (msgspec.MsgspecError, RecursionError) as error:
            reason = BadRequest(f"{WRONG_FORM}: {error}")
            self._send_error(_request_id(message), reason.code, str(reason))
            return
        request_id = envelope.requestId
        self._perform(Asked(envelope.action, request_id, envelope.payload, request_id))

    def _perform(self, asked: Asked) -> None:
        """Answers a request, at once or later."""
        try:
            action = ACTIONS.get(asked.action)
            if action is None:
                raise UnknownAction
            try:
                payload = action.decode(asked.sent)
            except (msgspec.MsgspecError, RecursionError) as error:
                payload = _read_again(action, asked.sent, error)
            if action.login and self.online is None:
                raise NotLoggedIn
            result = self.me.recall(asked.request(self.me.player.id)) if action.once else None
            if result is None:
                result = action.handler(self, payload, asked)
        except Exception as error:  # noqa: BLE001 (as_refusal logs it)
            self.refuse(asked, as_refusal(error, door="native", action=asked.action))
            return
        if type(result) is CoroutineType:
            work = self._answer_later(result, asked, action)
            self.later(work, partial(self.refuse, asked))
        elif result is not None:
            self.answer(asked, result)

    async def _answer_later(
        self, work: Coroutine[Any, Any, Any], asked: Asked, action: Action
    ) -> None:
        online = self.online
        result = await work
        if result is not None:
            self.answer(asked, result)
            if action.once and online is not None:
                # Also if the client is gone by now: it will ask again.
                online.remember(asked.request(online.player.id), result)

    # To the client

    def answer(self, asked: Asked, payload: Any) -> None:
        action = "pong" if asked.action == "ping" else asked.action
        self._send(Reply(action, asked.echo, payload))

    def acted(self, asked: Asked, answer: Done | HallError) -> None:
        """Answers a request that a table has taken, or refused: as `settle`, for the most frequent
        of all."""
        if isinstance(answer, HallError):
            self.refuse(asked, answer)
        else:
            acted = Acted(answer.table, answer.seq)
            self.channel.send(self.frame(_encode(Reply(asked.action, asked.echo, acted))))

    def settle(self, asked: Asked, shape: Callable[[Done], Any]) -> Callable[[Any], None]:
        """A reply for the table to call, once the request is durable or refused."""

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, HallError):
                self.refuse(asked, answer)
            else:
                self.answer(asked, shape(answer))

        return reply

    def refuse(self, asked: Asked, error: HallError) -> None:
        self._send_error(asked.echo, error.code, str(error))
        self.count_failure(error)

    def _send_error(self, request_id: Any, code: str, message: str) -> None:
        sentence = message[:SENTENCE_CHARACTERS_MAX]
        self._send(Reply("error", request_id, ErrorPayload(code, sentence, request_id)))

    def _send(self, reply: Reply) -> None:
        self.channel.send(self.frame(_encode(reply)))

    def tell(self, notice: Notice) -> None:
        told = self.channel.offer(_notice_frame(self, notice))
        if not told and isinstance(notice, TableView):
            self._stale = (self._stale or set()) | {notice.table}

    def tell_table(self, told: Told, seat: int | None) -> None:
        player = None
        if told.insiders and self.online is not None and self.online.player.id in told.insiders:
            player = self.online.player.id
        key = (self.form, player)
        frame = told.memo.get(key)
        if frame is None:
            frame = told.memo[key] = _told_frame(self, told, player)
        if frame and not self.channel.offer(frame):
            self._stale = (self._stale or set()) | {told.table}

    async def _send_fresh_view(self, table: int) -> None:
        try:
            await self.hall.seating.send_view(self, table)
        except HallError as error:
            log.info("no_fresh_view", table=table, code=error.code)


def _read_again(action: Action, raw: Sent, error: Exception) -> Any:
    """What `null` stands for, an empty payload; of anything else, what is wrong with it. Raises
    BadRequest."""
    if bytes(raw) != b"null":
        raise BadRequest(f"{WRONG_FORM}: {error}") from None
    return decoded(action.decode, b"{}", WRONG_FORM)


def _told_frame(link: NativeLink, told: Told, player: int | None) -> bytes:
    """The beat as one notice; behind it, who left and what has ended, each as its own."""
    after, events = told.seen_by(player)
    if not events:
        return b""
    happened = Reply("table_events", None, TableEvents(told.table, told.seq, after, events))
    if not told.by_the_house:
        return link.frame(_encode(happened))
    notices = [happened]
    for player, left, name, reason in told.left:
        notices.append(_as_reply(PlayerLeft(told.table, player, name, left, reason)))
    for round in told.ended:
        ended, seq = round.event, told.seq
        outcome = ended.outcome if isinstance(ended, house.RoundEnded) else None
        over = TableOver(told.table, seq, seq, round.round, outcome, ended.secret, round.hash)
        notices.append(_as_reply(over))
    return b"".join([link.frame(_encode(notice)) for notice in notices])


_last_notice: dict[str, tuple[Notice, bytes]] = {}
"""The notice encoded last, by form: it often goes to many."""


def _notice_frame(link: NativeLink, notice: Notice) -> bytes:
    last = _last_notice.get(link.form)
    if last is not None and last[0] is notice:
        return last[1]
    frame = link.frame(_encode(_as_reply(notice)))
    _last_notice[link.form] = (notice, frame)
    return frame


def _as_reply(notice: Notice) -> Reply:
    return Reply(notice_action(type(notice)), None, notice)


@cache
def notice_action(notice: type) -> str:
    """`TableView` is `table_view`."""
    return snake_case(notice.__name__)


def _request_id(message: bytes) -> str | None:
    """The request id of a message that is otherwise wrong, if it can be made out."""
    try:
        found = msgspec.json.decode(message, type=dict[str, msgspec.Raw]).get("requestId")
        return None if found is None else msgspec.json.decode(found, type=str)[:64]
    except (msgspec.MsgspecError, RecursionError):
        return None
