"""This node's part in the lobby: it asks the lead for its people, and tells them what comes of it.

It keeps what its people wait for, so that no wish dies with the lead, and opens the tables that it
is told to open. The `desk` decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TypeVar

import msgspec
import structlog

from gamehall.errors import HallError, NotFree, Unavailable
from gamehall.hall.lobby.challenge_book import ChallengeBook
from gamehall.hall.lobby.desk import PAIR, Desk
from gamehall.hall.lobby.ends import Ends
from gamehall.hall.lobby.messages import (
    Again,
    Answer,
    Begin,
    Challenge,
    Heard,
    News,
    NoSeat,
    Noted,
    Outcome,
    Over,
    Pairing,
    Propose,
    SeekKey,
    Seeks,
    TakeUp,
    Wish,
)
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Answering, Body, Exchange, Spawn, later
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    ChallengeWithdrawn,
    Notice,
)
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.holds import OPEN_MS, Holds
from gamehall.hall.seats.new_tables import NewTables
from gamehall.hall.seats.out_of_reach import OutOfReach
from gamehall.store.store import Store

T = TypeVar("T", bound=Body)
log = structlog.get_logger(__name__)

AGAIN_SECONDS = 1.0
"""How often the lead is told everything that is waited for, and looks at it again."""
LOOK_AGAIN_SECONDS = 0.1
"""The pause before the store is asked again who plays elsewhere."""

Said = Challenge | Over | Pairing | Outcome | NoSeat


@dataclass(eq=False, repr=False)
class Front:
    _exchange: Exchange
    _nodes: Nodes
    _lead: Lead
    _players: Players
    _new_tables: NewTables
    _holds: Holds
    _out_of_reach: OutOfReach
    _store: Store
    _clock: Clock
    _spawn: Spawn
    _: KW_ONLY
    challenge_seconds: float
    """After which a challenge is over."""

    def __post_init__(self) -> None:
        self.book = ChallengeBook(self._clock)
        """The challenges that people of this node have sent or received."""
        self.seeks: dict[int, tuple[SeekKey, ...]] = {}
        """By player: what it waits for at this node."""
        self._asking: dict[int, int] = {}
        """By player: how many of its wishes wait for their answers."""
        self._early: dict[int, list[Notice]] = {}
        """What it is told after them."""
        self._opening: set[str] = set()
        """The origins of tables that this node is opening."""
        self.desk = Desk(
            self._nodes,
            self._players,
            self._holds,
            self._clock,
            self._tell,
            Ends(self._exchange, self._nodes, self._store, self.book).find,
            challenge_seconds=self.challenge_seconds,
        )
        self._lead.serve("lobby-wish", Wish, self._decide)
        take_up = later(self._spawn, "lobby-taken-up", self.desk.take_up)
        self._lead.serve("lobby-taken-up", TakeUp, take_up)
        self._exchange.on("lobby-told", News, lambda _, told: self._hear(told.said))

    # Wishes

    async def ask(self, player: int, wish: Seeks | Propose | Answer, answer: type[T]) -> T:
        """What the lead decides. Raises what it raised, or Unavailable."""
        self._asking[player] = self._asking.get(player, 0) + 1
        try:
            return await self._lead.ask("lobby-wish", Wish(wish), answer)
        finally:
            self._asking[player] -= 1
            if not self._asking[player]:
                del self._asking[player]
                early = self._early.pop(player, ())
                asyncio.get_running_loop().call_soon(self._notify_all, player, early)

    def tell_seeks(self, player: int) -> None:
        wish = Wish(Seeks(player, self.seeks.get(player, ())))
        self._lead.tell("lobby-wish", wish, Noted)

    async def again(self) -> None:
        """Tells the lead everything that is waited for here. Raises Unavailable."""
        while True:
            seeks = tuple(Seeks(player, keys) for player, keys in self.seeks.items())
            open = tuple(each.id for each in self.book.all())
            again = Again(seeks, open, tuple(self._opening))
            heard = await self._lead.ask("lobby-wish", Wish(again), Heard)
            for over in heard.over:
                self._hear(over)
            # One may have ended while the lead was asked.
            unknown = tuple(each for each in self.book.all() if each.id in heard.unknown)
            if not unknown:
                return
            await self._lead.ask("lobby-taken-up", TakeUp(unknown), Noted)

    async def run(self) -> None:
        """Tells the lead again, for as long as the hall runs."""
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            self.desk.look_again()
            self.book.forget_old()
            await self._try_again()

    def node_gone(self, node: str) -> None:
        # It may have been the lead.
        self._spawn(self._try_again())

    async def _try_again(self) -> None:
        try:
            await self.again()
        except HallError as error:
            log.info("lead_out_of_reach", node=self._nodes.lead, code=error.code)

    def _decide(self, node: str, wish: Wish, reply: Answering) -> None:
        reply(self.desk.decide(node, wish))

    def player_changed(self, online: Online) -> None:
        self.desk.player_changed(online)

    # Tables for two

    async def open(self, pairing: Pairing) -> int:
        """The table, which the lead told this node to open. Raises NotFree, Unavailable."""
        origin, both = pairing.origin, pairing.people
        if pairing.challenge:
            self._holds.hold(both, origin, pairing.by)

        async def opened(table: int, until_ms: int) -> None:
            await self._check_free(both, table)
            await self._lead.insist("lobby-wish", Wish(Begin(origin)), Noted, OPEN_MS / 1000)
            self.tell_people(Outcome(origin, both, pairing.by, table, until_ms), both)

        self._opening.add(origin)
        try:
            return await self._new_tables.open_match(
                [self._online(player) for player in both],
                pairing.key.game,
                msgspec.json.decode(pairing.key.options),
                drawn=not pairing.challenge,
                rated=pairing.key.rated,
                origin=origin,
                opened=opened,
                not_begun=lambda player, table: self.tell_people(NoSeat(player, table), (player,)),
            )
        except BaseException:
            self.tell_people(Outcome(origin, both, pairing.by), both)
            raise
        finally:
            self._opening.discard(origin)

    async def _check_free(self, people: Sequence[int], table: int) -> None:
        """Looks in the store, since the lead may not have heard yet that someone has got a seat
        elsewhere, in a tournament, say. Raises NotFree, Unavailable."""
        loop = asyncio.get_running_loop()
        until = loop.time() + OPEN_MS / 1000
        while True:
            try:
                if await self._out_of_reach.plays_elsewhere(people, table):
                    raise NotFree
                return
            except Unavailable:
                if loop.time() > until:
                    raise
                await asyncio.sleep(LOOK_AGAIN_SECONDS)

    def is_drawn(self, player: int) -> bool:
        """Whether it was paired with someone who waited, and is about to sit down."""
        return self._holds.origin(player).startswith(PAIR)

    def _online(self, player: int) -> Online:
        online = self._players.online.get(player)
        if online is None:
            raise NotFree
        return online

    async def _open_drawn(self, pairing: Pairing) -> None:
        try:
            second = pairing.people[-1]
            waits = pairing.key in self.seeks.get(second, ())
            if not waits or self._holds.origin(second) != pairing.origin:
                # It was called off.
                nothing = Outcome(pairing.origin, pairing.people, pairing.by)
                self.tell_people(nothing, pairing.people)
            else:
                await self.open(pairing)
        except HallError as error:
            log.info("not_paired", people=pairing.people, code=error.code)
        finally:
            self._opening.discard(pairing.origin)

    # What comes of it

    def tell_people(self, said: Outcome | NoSeat, people: Iterable[int]) -> None:
        """Tells the nodes of these people, and the lead."""
        found = (self._players.online.get(player) for player in people)
        nodes = {node for online in found if online is not None for node in online.elsewhere}
        self._tell({*nodes, self._nodes.lead, self._nodes.name}, said)

    def _tell(self, nodes: Iterable[str], said: Said) -> None:
        # What the lead says about it is heard later.
        nodes = sorted(nodes, key=lambda node: (node == self._nodes.lead, node))
        others = [node for node in nodes if node != self._nodes.name]
        if others:
            self._lead.tell_presence()
            self._exchange.tell_each(others, "lobby-told", News(said))
        if len(others) != len(nodes):
            self._hear(said)

    def _hear(self, said: Said) -> None:
        match said:
            case Challenge():
                self.know(said)
            case Over():
                if self.desk.hear_over(said):
                    self.hear_over(said)
            case Pairing():
                self._holds.hold(said.people, said.origin, said.by)
                if said.by == self._nodes.name and not said.challenge:
                    self._opening.add(said.origin)
                    self._spawn(self._open_drawn(said))
            case Outcome():
                self._hear_outcome(said)
                self.desk.hear_outcome(said)
            case NoSeat():
                self._holds.not_begun(said.player, said.table)

    def _hear_outcome(self, said: Outcome) -> None:
        if not said.table:
            self._holds.let_go(said.people, said.origin, said.by)
            return
        for challenge in self.book.of(said.people[0]):
            if challenge.origin == said.origin:
                self.hear_over(Over(challenge.id, 0, ""))
        self._holds.opened(said.people, said.origin, said.table, said.until_ms)

    def know(self, challenge: Challenge) -> None:
        if challenge.id in self.book:
            return
        over = self.book.ended(challenge.id)
        if over is not None:
            # A new lead has it from a node that did not hear of its end.
            self._tell((self._nodes.lead,), over)
            return
        self.book.add(challenge)
        sender, game, options = challenge.sender, challenge.game, challenge.options
        # It may be told late, to a node that had missed it.
        seconds = max(0, challenge.due_ms - self._clock.now_ms()) / 1000
        told = Challenged(challenge.id, sender.id, sender.name, game, options, seconds)
        self._notify(challenge.target.id, told)

    def hear_over(self, over: Over) -> None:
        """Tells its people here, once."""
        challenge = self.book.end(over)
        if challenge is None:
            return
        sender, target = challenge.people
        if over.reason == "gone":
            # Who is connected here was only out of the lead's reach.
            self._notify(over.by, ChallengeExpired(over.challenge))
        if over.reason == "expired":
            for player in challenge.people:
                self._notify(player, ChallengeExpired(over.challenge))
        elif over.by == sender:
            self._notify(target, ChallengeWithdrawn(over.challenge, over.reason))
        elif over.by == target:
            online = self._players.online.get(sender)
            # Who plays someone else needs no such news; who is about to may not come to it.
            if over.reason == "refused" or (online is not None and not online.playing):
                refused = ChallengeRefused(over.challenge, over.by, over.reason)
                self._notify(sender, refused)

    def _notify(self, player: int, notice: Notice) -> None:
        """Tells its clients here; first they get the answers that they wait for."""
        if player in self._asking:
            self._early.setdefault(player, []).append(notice)
        else:
            self._notify_all(player, (notice,))

    def _notify_all(self, player: int, notices: Iterable[Notice]) -> None:
        online = self._players.online.get(player)
        for link in () if online is None else tuple(online.links):
            for notice in notices:
                link.tell(notice)
