"""The RFC of Sic Bo, whatever it is wrapped in: its actions, and what its clients are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import Any

import msgspec

from gamehall.errors import (
    BadRequest,
    HallError,
    NoFunds,
    NotAllowed,
    Refused,
    RoundOver,
    UnknownAction,
)
from gamehall.games.sicbo import CHIPS, SicBo
from gamehall.games.sicbo_events import (
    DICE_NOT_CHOSEN,
    BetPlaced,
    BetWindowClosed,
    InvalidAmount,
    RoundNotFound,
    Settled,
    placed_by,
)
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Done, Reply, Told
from gamehall.hall.beat.sent_again import OTHER_CONTENT
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.clock import TableTime
from gamehall.hall.people.online import Online
from gamehall.store.people import Player
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.refusing import as_refusal
from gamehall.wire.net.serial import SENTENCE_CHARACTERS_MAX, SerialLink
from gamehall.wire.sicbo import messages as m
from gamehall.wire.sicbo.requests import (
    Asked,
    Wrong,
    read_amount,
    read_bet,
    read_credentials,
    read_open_round,
    read_request,
)

GAME = SicBo.name

Enter = Callable[[str, str], Awaitable[Player]]
"""Makes a link the player of that name and password."""

_encode = msgspec.json.Encoder().encode


class Croupier:
    """Serves the hall's Sic Bo tables to all links of one door. Doors wrap and add."""

    door = "rfc"
    datas: type[m.TableDatas] = m.TableDatas
    """What `get_table_info` is answered with."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    # How this door says it

    def wrap(self, message: m.Message) -> bytes:
        return _encode(message)

    def accepted(self, round: int, bet: BetPlaced) -> m.Message:
        return m.Message("bet_accepted", payload=m.accepted(round, bet))

    def payouts(self, round: int, settled: Settled) -> Iterable[m.Message]:
        """What a player is told of its own bets."""
        for payouts in settled.payouts.values():
            for paid in payouts:
                yield m.paid_out(round, m.bet_id(paid.bet), paid.chips)

    def user_info(self, balance: int, table: int) -> m.Message:
        return m.Message("get_user_info", payload=m.UserInfo(balance, table, CHIPS))

    def table_info(self, shown: m.Shown) -> m.Message:
        now_ms = self.hall.clock.now_ms()
        datas = self.datas(
            shown.table_info(now_ms), shown.histories(), m.own_stake(shown.view.stake)
        )
        return m.Message("get_table_info", payload={}, datas=datas)

    # Requests

    def handle(self, link: SerialLink, asked: Asked, table: int | None = None) -> None:
        """Answers a request, now or later, at that table or the hall's own."""
        try:
            work = self._start(link, asked, table)
        except Exception as error:  # noqa: BLE001 (as_refusal logs it)
            self.refuse(link, asked.echo, as_refusal(error, door=self.door, action=asked.action))
        else:
            if work is not None:
                link.later(work, partial(self.refuse, link, asked.echo))

    def _start(
        self, link: SerialLink, asked: Asked, table: int | None
    ) -> Coroutine[Any, Any, None] | None:
        match asked.action:
            case "place_bet":
                # Without a task where everything is at hand: bets come by the thousand.
                found = self._loaded(table)
                if found is None or link.online is None:
                    return self._bet_later(link, asked, table)
                self._bet(link, link.online, asked, found)
                return None
            case "ping":
                self.answer(link, asked, m.Message("pong"))
                return None
            case "subscribe_rounds":
                return self.subscribe(link, asked, table)
            case "get_user_info":
                return self._user_info(link, asked, table)
            case "get_table_info":
                return self._table_info(link, asked, table)
            case "rebet":
                return self._rebet(link, asked, table)
            case "bet_history_for_table":
                return self._bet_history(link, asked, table)
            case "deposit":
                return self._deposit(link, asked)
            case "set_mode":
                raise NotAllowed(DICE_NOT_CHOSEN)
        raise UnknownAction

    def _loaded(self, table: int | None) -> KnownTable | None:
        id = self.house if table is None else table
        return None if id is None else self.hall.reading.loaded(id)

    async def _load(self, table: int | None) -> KnownTable:
        found = await self.hall.reading.load(await self.house_table() if table is None else table)
        found.wake()  # Whoever asks is connected to it, also without subscribing.
        return found

    @property
    def house(self) -> int | None:
        """The table that is meant where none is named, once it is known."""
        return self.hall.house_tables.known(GAME)

    async def house_table(self) -> int:
        return await self.hall.house_tables.table(GAME)

    async def _someone(self, link: SerialLink) -> Online:
        if link.online is None:
            await link.become_someone()
        return link.me

    async def subscribe(self, link: SerialLink, asked: Asked, table: int | None = None) -> None:
        found = await self._load(table)
        if not _watches(link, found.id):
            await self.hall.seating.watch(link, found.id, None)
        self.answer(link, asked, self._round_state(found))

    async def log_in(self, link: SerialLink, asked: Asked, enter: Enter) -> bool:
        """Answers a login by name and password; whether it succeeded. Raises Wrong."""
        credentials = read_credentials(asked)
        try:
            player = await enter(credentials.username, credentials.password)
        except Refused as error:
            self.refuse(link, asked.echo, Wrong("LOGIN_FAILED", str(error)))
            link.count_failure(error)
            return False
        answer = m.Message("login", payload=m.LoggedIn(player.name, player.balance))
        self.answer(link, asked, answer)
        return True

    async def _user_info(self, link: SerialLink, asked: Asked, table: int | None) -> None:
        online = await self._someone(link)
        found = await self._load(table)
        balance = await self.hall.reading.balance(online.player.id)
        self.answer(link, asked, self.user_info(balance, found.id))

    async def _table_info(self, link: SerialLink, asked: Asked, table: int | None) -> None:
        found = await self._load(table)
        player = None if link.online is None else link.online.player.id
        self.answer(link, asked, self.table_info(_shown(found, player)))

    async def _bet_later(self, link: SerialLink, asked: Asked, table: int | None) -> None:
        online = await self._someone(link)
        self._bet(link, online, asked, await self._load(table))

    def _bet(self, link: SerialLink, online: Online, asked: Asked, table: KnownTable) -> None:
        try:
            bet = read_bet(asked.sent)
        except Wrong:
            # A request id is looked up first, whatever comes with it.
            if asked.request_id is not None and table.knows(online.player.id, asked.request_id):
                raise BadRequest(OTHER_CONTENT) from None
            raise

        request = asked.by_content(online.player.id, f"{bet.side} {bet.amount}")
        reply = self._bets_answered(link, asked, table, bet.round)
        self.hall.seating.act_at(table, online, bet, request, reply)

    async def _rebet(self, link: SerialLink, asked: Asked, table: int | None) -> None:
        online = await self._someone(link)
        found = await self._load(table)
        named = read_open_round(asked.sent)
        request = asked.by_content(online.player.id, "rebet")
        reply = self._bets_answered(link, asked, found, named)
        await self.hall.sicbo_bets.rebet(online, found.id, named, request, reply)

    def _bets_answered(
        self, link: SerialLink, asked: Asked, table: KnownTable, named: int | None
    ) -> Reply:
        """Tells each bet that was placed, or why none was; `named` is the round they named."""

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, HallError):
                found = self.hall.reading.loaded(table.id) or table
                self.refuse(link, asked.echo, _of_bet(answer, named, found.state.opened.round))
            else:
                for placed in placed_by(answer.events):
                    self.answer(link, asked, self.accepted(answer.round, placed))

        return reply

    async def _bet_history(self, link: SerialLink, asked: Asked, table: int | None) -> None:
        online = await self._someone(link)
        found = await self._load(table)
        rounds = await self.hall.sicbo_bets.history(found.id, online.player.id)
        self.answer(link, asked, m.bet_history(rounds))

    async def _deposit(self, link: SerialLink, asked: Asked) -> None:
        online = await self._someone(link)
        request = asked.by_content(online.player.id, f"deposit {read_amount(asked.sent)}")
        answer = online.recall(request)
        if answer is None:
            balance = await self.hall.people.deposit(online)
            answer = m.Message("deposit", payload=m.Balance(balance))
            online.remember(request, answer)
        self.answer(link, asked, answer)

    # Telling

    def tell(self, link: SerialLink, told: Told) -> bool:
        """Tells a beat of a Sic Bo table; False if some of it was skipped.

        Who watches hears of the round. Its own payouts everyone gets, between the result and the
        end of the round.
        """
        follows = _watches(link, told.table)
        if not follows and told.table != self.house:
            # A member may play elsewhere too, which this client would take for its own table.
            return True
        kept_up = True
        player = None if link.online is None else link.online.player.id
        for place, scene in enumerate(told.scenes):
            watches = follows and bool(scene.events)
            if watches:
                kept_up = self._offer(link, told, place, "before") and kept_up
            if player in scene.insiders:
                self._pay(link, scene.round, scene.insiders[player])
            if watches:
                kept_up = self._offer(link, told, place, "after") and kept_up
        return kept_up

    def _offer(self, link: SerialLink, told: Told, place: int, part: str) -> bool:
        frames = told.memo.get((self.door, place, part))
        if frames is None:
            self._encode_for_all(link, told, place)
            frames = told.memo[self.door, place, part]
        return not frames or link.channel.offer(frames)

    def _encode_for_all(self, link: SerialLink, told: Told, place: int) -> None:
        scene = told.scenes[place]
        table = self.hall.reading.loaded(told.table)
        time = TableTime() if table is None else table.time
        shown = m.shown(self.hall.games[GAME], scene.state, time, None)
        parts = m.told(scene.events, shown, self.hall.clock.now_ms())
        for part, messages in zip(("before", "after"), parts, strict=True):
            frames = [link.channel.frame(self.wrap(message)) for message in messages]
            told.memo[self.door, place, part] = b"".join(frames)

    def _pay(self, link: SerialLink, round: int, events: Iterable[Any]) -> None:
        for event in events:
            if isinstance(event, Settled):
                for message in self.payouts(round, event):
                    self.send(link, message)

    def bring_up_to_date(self, link: SerialLink, table: int) -> None:
        """After it was skipped over: how the round stands."""
        found = self._loaded(table)
        if found is not None and _watches(link, table):
            self.send(link, self._round_state(found))

    def _round_state(self, table: KnownTable) -> m.Message:
        return _shown(table, None).round_state(self.hall.clock.now_ms())

    # To the client

    def answer(self, link: SerialLink, asked: Asked, message: m.Message) -> None:
        if asked.echo is not None:
            message = msgspec.structs.replace(message, request_id=asked.echo)
        self.send(link, message)

    def refuse(self, link: SerialLink, echo: Any, error: HallError) -> None:
        code = error.rfc_code if isinstance(error, Wrong) else error.code.upper()
        said = m.ErrorSaid(code, str(error)[:SENTENCE_CHARACTERS_MAX], echo)
        self.send(link, m.Message("error", echo, said))

    def garbled(self, link: SerialLink, garbled: Garbled, request: bytes | None) -> None:
        """Answers it; `request` is the object that was refused unread, if there was one."""
        code = "BAD_REQUEST" if garbled.code == "too_large" else garbled.code.upper()
        try:
            echo = None if request is None else read_request(request).echo
        except Wrong as wrong:
            echo = wrong.echo
        self.refuse(link, echo, Wrong(code, garbled.reason))

    def send(self, link: SerialLink, message: m.Message) -> None:
        link.channel.send(link.channel.frame(self.wrap(message)))


def _shown(table: KnownTable, player: int | None) -> m.Shown:
    """How it stands now."""
    return m.shown(table.kind.game, table.state, table.time, player)


def _watches(link: SerialLink, table: int) -> bool:
    return link.watching is not None and table in link.watching


def _of_bet(error: HallError, named: int | None, round: int) -> HallError:
    """The refusal of a bet, in the RFC's words."""
    if isinstance(error, NoFunds):
        return InvalidAmount("The amount is more than your balance.")
    if isinstance(error, RoundOver):
        later = named is not None and named > round
        return RoundNotFound() if later else BetWindowClosed()
    return error
