"""Who is connected to which node, as all nodes know it.

Each node says what has changed with its own people, numbered, and from time to time the number
alone; a node that has missed one asks for everything. What a node said is forgotten with its lease.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from gamehall.errors import HallError
from gamehall.hall.beat.steps import Kind
from gamehall.hall.nodes.clock import Alarm, Clock
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.online import Elsewhere, Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.attendance import Attendance

GATHER_MS = 20
"""How long changes are gathered before other nodes hear of them."""
REMIND_SECONDS = 1.0
"""How often a node says how many changes it has told."""
SILENT_SECONDS = 10.0
"""After which a node without a lease that says nothing is gone, with its people."""
ASK_SECONDS = 2.0
"""How long an answer is waited for: while one that was lost is, nobody knows who is there."""
ANY_GAME = ""
"""No game's name: a client that can be challenged to this one can be challenged to all."""


class _Changed(Body, frozen=True):
    number: int
    """Of the last change that this tells, or was told before."""
    came: tuple[Elsewhere, ...] = ()
    went: tuple[int, ...] = ()
    kept_briefly: tuple[int, ...] = ()
    """Those of them whose seats are kept for a short time only."""


class _Everyone(Body, frozen=True):
    number: int
    here: tuple[Elsewhere, ...]


class _WhoIsThere(Body, frozen=True):
    pass


@dataclass(eq=False, repr=False)
class Presence:
    _exchange: Exchange
    _nodes: Nodes
    _players: Players
    _attendance: Attendance
    _clock: Clock
    _kinds: Iterable[Kind]

    def __post_init__(self) -> None:
        self._usual_options = {
            kind.game.name: msgspec.to_builtins(kind.rules.read_options({}))
            for kind in self._kinds
            if kind.game.seats(kind.rules.read_options({})).least == 2
        }
        """Of each game that one can be challenged to."""
        self._number = 0
        self._said: dict[int, Elsewhere] = {}
        """The people of this node, as the others were told."""
        self._changed: dict[int, Online] = {}
        self._alarm: Alarm | None = None
        self._heard: dict[str, int] = {}
        """By node: the number of the last change that is known here."""
        self._heard_at: dict[str, float] = {}
        self._asking: set[str] = set()
        self._exchange.on("changed", _Changed, self._hear)
        self._exchange.answer("everyone", _WhoIsThere, self._tell_everyone)

    def changed(self, online: Online) -> None:
        """Something about a player at this node may have changed."""
        known = online.links or online.player.id in self._said
        if self._exchange.alone or not known or online.player.kind == "bot":
            return
        self._changed[online.player.id] = online
        if self._alarm is None:
            self._alarm = self._clock.call_at(self._clock.now_ms() + GATHER_MS, self._tell)

    def knows_everyone(self) -> bool:
        """Whether every other node has said who is there."""
        return self._nodes.alone or self._heard.keys() | {self._nodes.name} >= {*self._nodes.live}

    def flush(self) -> None:
        """Tells the others of every change at once, before they are told anything else."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._tell()

    def _tell(self) -> None:
        self._alarm = None
        changed, self._changed = self._changed, {}
        came, went, kept_briefly = [], [], []
        for player, online in changed.items():
            if online.links:
                at = self._at(online)
                if self._said.get(player) != at:
                    self._said[player] = at
                    came.append(at)
            elif self._said.pop(player, None) is not None:
                went.append(player)
                if online.kept_briefly:
                    kept_briefly.append(player)
        if came or went:
            self._number += 1
            said = _Changed(self._number, tuple(came), tuple(went), tuple(kept_briefly))
            self._exchange.tell_all("changed", said)

    def _at(self, online: Online) -> Elsewhere:
        plays = [
            game for game, usual in self._usual_options.items() if online.can_play(game, usual)
        ]
        return Elsewhere(
            online.player,
            not online.busy,
            tuple(plays),
            plays_all=online.can_play(ANY_GAME, {}),
            playing=online.playing,
        )

    def remind(self) -> None:
        """Lets the others notice what they have missed."""
        self._exchange.tell_all("changed", _Changed(self._number))

    async def run(self) -> None:
        """Reminds the others, for as long as the hall runs."""
        while True:
            self.remind()
            await asyncio.sleep(REMIND_SECONDS)
            self._forget_silent()

    # What others say

    def _hear(self, node: str, changed: _Changed) -> None:
        self._heard_at[node] = asyncio.get_running_loop().time()
        known = self._heard.get(node)
        is_new = bool(changed.came or changed.went)
        if known is None or known + is_new != changed.number:
            self._ask(node)
            return
        self._heard[node] = changed.number
        for at in changed.came:
            self._set(node, at.player.id, at)
        for player in changed.went:
            self._set(node, player, None, kept_briefly=player in changed.kept_briefly)

    def _ask(self, node: str) -> None:
        if node in self._asking:
            return
        self._asking.add(node)

        def answered(everyone: _Everyone | HallError) -> None:
            self._asking.discard(node)
            if isinstance(everyone, HallError):
                return  # The next reminder asks again.
            self._heard[node] = everyone.number
            here = {at.player.id: at for at in everyone.here}
            for player in self._at_node(node):
                if player not in here:
                    self._set(node, player, None)
            for player, at in here.items():
                self._set(node, player, at)

        self._exchange.ask(node, "everyone", _WhoIsThere(), _Everyone, answered, ASK_SECONDS)

    def _tell_everyone(self, node: str, _: _WhoIsThere, reply: Answering) -> None:
        reply(_Everyone(self._number, tuple(self._said.values())))

    def _set(
        self, node: str, player: int, at: Elsewhere | None, *, kept_briefly: bool = False
    ) -> None:
        online = self._players.set_elsewhere(node, player, at, kept_briefly=kept_briefly)
        if online is None:
            return
        if online.here:
            self._attendance.returned(online)
        else:
            self._attendance.dropped(online)

    def _at_node(self, node: str) -> list[int]:
        return [id for id, online in self._players.online.items() if node in online.elsewhere]

    def _forget_silent(self) -> None:
        """A node whose lease is out may still reach others; when it does not, it is gone."""
        long_ago = asyncio.get_running_loop().time() - SILENT_SECONDS
        for node, at in list(self._heard_at.items()):
            if at < long_ago and node not in self._nodes.live:
                self.node_gone(node)

    def node_gone(self, node: str) -> None:
        self._heard.pop(node, None)
        self._heard_at.pop(node, None)
        for player in self._at_node(node):
            self._set(node, player, None)
