"""What tests of games need, for ours and for those of whoever writes a game; matches use it too.

Everything here is plain and seeded: the same seed plays the same game, and nothing beyond the
standard library and the hall's own dependencies is imported.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from random import Random
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from gamehall.errors import Refused
from gamehall.games.chance import Chance, commitment_to
from gamehall.games.game import Command, Context, Game, Party
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.journal import Row, RowCodec, chained
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState

T = TypeVar("T")


class FixedDraws:
    """The secrets of a table's rounds, all from one seed."""

    def __init__(self, seed: int | str = 0) -> None:
        self.seed = seed

    def secret(self, round: int) -> bytes:
        return hashlib.sha256(f"{self.seed}:{round}".encode()).digest()

    def commitment(self, round: int) -> str:
        return commitment_to(self.secret(round))


class ScriptedChance(Chance):
    """Chance that draws what the test wrote down, and by a fixed seed what it did not.

    `script` has the numbers of a label's draw: for `shuffled`, the old place of each item.
    """

    __slots__ = ("_script",)

    def __init__(self, script: Mapping[str, Sequence[int]], seed: bytes = b"scripted") -> None:
        super().__init__(seed)
        self._script = script

    def below(self, label: str, *sizes: int) -> tuple[int, ...]:
        if label not in self._script:
            return super().below(label, *sizes)
        drawn = tuple(self._script[label])
        for number, size in zip(drawn, sizes, strict=True):
            if not 0 <= number < size:
                raise ValueError(f"{label}: {number} is not below {size}")
        return drawn

    def shuffled(self, label: str, items: Sequence[T]) -> list[T]:
        if label not in self._script:
            return super().shuffled(label, items)
        order = self._script[label]
        if sorted(order) != list(range(len(items))):
            raise ValueError(f"{label}: {order} is no order of {len(items)} items")
        return [items[place] for place in order]


def a_context(at_ms: int = 0, chance: Chance | None = None) -> Context:
    """A context for calling `decide` directly."""
    return Context(at_ms, chance or Chance(b"a fixed seed"))


class Playout:
    """A table at which people do random things, with every row that it wrote.

    Opens it and seats the fewest who can play; where people walk in, they do so while it runs.
    `run` then plays the round to its end; `step` does one thing; `act` does what the test wants.
    Commands of `notes` are left to the test.
    """

    def __init__(
        self,
        game: Game[Any],
        options: Mapping[str, Any] | None = None,
        *,
        seed: int | str = 0,
        strays: float = 0.0,
        people: int | None = None,
        **opening: Any,
    ) -> None:
        """`strays` is how often someone sends what is not in `legal`; `people`, how many sit down
        at once instead of the fewest; `opening` goes to `Open`."""
        self.game = game
        self.rules = TableRules(game)
        self.codec = RowCodec(game)
        self.seed = seed
        self.draws = FixedDraws(seed)
        self.at_ms = 1_000_000
        self.rows: list[Row] = []
        self.lines: list[bytes] = []
        self.chain = ""
        self.ended: list[house.RoundEnded] = []
        self.chips: Counter[int | str] = Counter()
        """What each player, by number, `house` and `pot:ROUND` have gained or lost."""
        self._rng = Random(seed)
        self._strays = strays
        self._people = 0
        self._state: TableState | None = None
        self.act(None, house.Open(game.name, dict(options or {}), nonce="fixed", **opening))
        least = game.seats(self.state.options).least
        for _ in range(least if people is None else people):
            self.sit()

    @property
    def state(self) -> TableState:
        assert self._state is not None
        return self._state

    @property
    def running(self) -> bool:
        """Whether a round has begun and is not over."""
        return self.state.game is not None and not self.state.over

    @property
    def seats(self) -> list[int]:
        """Those of which someone may act."""
        return sorted(self.state.seat_of.values())

    @property
    def context(self) -> Context:
        """What the rules may know of the world now."""
        return Context(self.at_ms, Chance(self.draws.secret(self.state.opened.round)))

    def legal(self, seat: int) -> list[Command]:
        """What `legal` lists for this seat, but for notes."""
        legal = self.game.legal(self.state.game, seat)
        return [command for command in legal if not isinstance(command, self.game.notes)]

    def act(
        self, seat: int | None, command: Command, walks_in: house.Person | None = None
    ) -> Decision:
        """What the command caused, after it was recorded. Raises Refused, and nothing changed."""
        before = None if self._state is None else self.rules.fork(self._state)
        decision = self.rules.decide(
            before, seat, command, self.at_ms, self.draws, self.chain, walks_in
        )
        self._state = decision.state
        if not decision.events:
            return decision
        if walks_in is not None:
            seat = self._state.seat_of[walks_in.player]
        seq, events = len(self.rows) + 1, tuple(decision.events)
        round = 1 if before is None else before.opened.round
        row = Row(1, seq, round, self.at_ms, seat, command, events)
        line = self.codec.encode(row)
        self.rows.append(row)
        self.lines.append(line)
        self.chain = chained(self.chain, line)
        self.ended += [ended.event for ended in decision.ended]
        for round, chairs, payment in decision.payments:
            self.chips[_account(payment.source, round, chairs)] -= payment.chips
            self.chips[_account(payment.target, round, chairs)] += payment.chips
        return decision

    def sit(self, seat: int | None = None) -> int:
        """The number of a new player who has sat down. Raises Refused."""
        player = self._people + 1
        self.act(None, house.Sit(house.Person(player, f"player {player}"), seat))
        self._people = player
        return player

    def walk_in(self, player: int, command: Command) -> Decision:
        """What the player's command caused; it is seated with it, if it has no seat yet."""
        seat = self.state.seat_of.get(player)
        person = house.Person(player, f"player {player}") if seat is None else None
        decision = self.act(seat, command, person)
        self._people = max(self._people, player)
        return decision

    def fire(self) -> Decision:
        """What the table's timer caused, the clock put forward to it."""
        timer = self.rules.timer(self.state)
        assert timer is not None, "nobody can move, and nothing happens by itself"
        self.at_ms = max(self.at_ms, timer.due_ms)
        return self.act(None, timer.command)

    def step(self) -> None:
        """Lets one random thing happen: a legal command, a stray one, someone new, the timer."""
        rng, state = self._rng, self.state
        self.at_ms += rng.randrange(50)
        seats, running = self.seats, self.running
        if running and rng.random() < self._strays:
            self._stray(seats)
            return
        if running and state.walk_in and (not seats or rng.random() < 0.3) and self._come_in():
            return
        moves = [
            (seat, command) for seat in (seats if running else ()) for command in self.legal(seat)
        ]
        if moves and (rng.random() < 0.9 or self.rules.timer(state) is None):
            self.act(*rng.choice(moves))
        else:
            self.fire()

    def run(self, steps_most: int = 10_000) -> house.RoundEnded:
        """How the round ended. Fails if it takes more steps than that."""
        rounds = len(self.ended)
        for _ in range(steps_most):
            if len(self.ended) > rounds:
                return self.ended[-1]
            self.step()
        raise AssertionError(f"{self.game.name} has not ended after {steps_most} steps")

    def fork(self, seed: int = 0, state: TableState | None = None) -> Playout:
        """Another playout that goes on from here, and leaves this one as it is.

        With a `state` it goes on from that in place of its own.
        """
        other = copy(self)
        other._state = self.rules.fork(self.state if state is None else state)
        other._rng = Random(seed)
        other.rows, other.lines = list(self.rows), list(self.lines)
        other.ended, other.chips = list(self.ended), self.chips.copy()
        return other

    def replayed(self) -> TableState:
        """The state that the written rows lead to, read back from their bytes."""
        events = (event for line in self.lines for event in self.codec.decode(line).events)
        state = self.rules.replayed(None, events)
        assert state is not None
        return state

    def _come_in(self) -> bool:
        """Whether someone has walked in: a new one, or one who was here in an earlier round."""
        player = self._rng.randint(1, self._people + 1)
        commands = self.legal(len(self.state.chairs))
        if player in self.state.seat_of or not commands:
            return False
        try:
            self.walk_in(player, self._rng.choice(commands))
        except Refused:
            return False  # Who has left before gets the old seat back, with what it did there.
        return True

    def _stray(self, seats: Sequence[int]) -> None:
        try:
            if not seats or self._rng.random() < 0.3:
                self.sit()
            else:
                command = arbitrary_command(self.game, self._rng)
                self.act(self._rng.choice(seats), command)
        except Refused:
            pass


def _account(party: Party, round: int, chairs: Mapping[int, house.Person]) -> int | str:
    if isinstance(party, int):
        return chairs[party].player
    return f"pot:{round}" if party == "pot" else party


def arbitrary_command(game: Game[Any], rng: Random) -> Command:
    """Any command, but for notes, that a seat could send: decodable, though mostly not allowed."""
    kinds = [kind for kind in game.commands if kind not in game.notes]
    for _ in range(1000):
        kind = rng.choice(kinds)
        try:
            return msgspec.convert(_arbitrary(inspect.type_info(kind), rng), kind)
        except msgspec.ValidationError:
            continue
    raise ValueError(f"{game.name}: its commands' fields have bounds that are hard to meet")


def _arbitrary(kind: inspect.Type, rng: Random) -> Any:
    match kind:
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType() | inspect.FloatType():
            edges = [edge for edge in (kind.ge, kind.le) if edge is not None]
            return rng.choice([*edges, rng.randint(-2, 20), rng.randint(0, 2000), 0, 1, 1 << 70])
        case inspect.StrType():
            return "".join(rng.choices("ab _0é\n\0😀", k=rng.randrange(8)))
        case inspect.NoneType() | inspect.AnyType():
            return None
        case inspect.LiteralType():
            return rng.choice(kind.values)
        case inspect.UnionType():
            return _arbitrary(rng.choice(kind.types), rng)
        case inspect.TupleType():
            return [_arbitrary(item, rng) for item in kind.item_types]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            return [_arbitrary(kind.item_type, rng) for _ in range(rng.randrange(4))]
        case inspect.StructType():
            fields = {field.encode_name: _arbitrary(field.type, rng) for field in kind.fields}
            return fields if kind.tag is None else {**fields, str(kind.tag_field): kind.tag}
    raise NotImplementedError(f"no arbitrary value is known for {kind}")
