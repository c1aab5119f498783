"""What holds for every game, whatever is played.

Inherit it, name the game, and pytest runs it all:

    class TestMyGame(GameContract):
        game = MyGame()
        option_sets = ({}, {"players": 4})
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from gamehall.errors import Refused
from gamehall.games.chance import Chance
from gamehall.games.game import Command, Context, Event, Game, Outcome, Picture
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState
from gamehall.testing import Playout, arbitrary_command


def plain(value: object) -> Any:
    """The value after it has been JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


class GameContract:
    game: ClassVar[Game[Any]]
    option_sets: ClassVar[Sequence[Mapping[str, Any]]] = ({},)
    """The tables that are played; give every option that changes the rules."""
    playouts: ClassVar[int] = 6
    """Random games for each set of options."""
    people: ClassVar[int | None] = None
    """How many sit down at once; None: the fewest who can play."""
    steps_most: ClassVar[int] = 1000
    """A random game is over by then."""

    # What the suite looks at

    def played(self) -> Iterator[Playout]:
        """Rounds played to their end."""
        for table in self.opened():
            table.run(self.steps_most)
            yield table

    def opened(self) -> Iterator[Playout]:
        """Tables at the beginning of a round."""
        for options in self.option_sets:
            for seed in range(self.playouts):
                yield Playout(self.game, options, seed=seed, strays=0.15, people=self.people)

    def moments(self) -> Iterator[Playout]:
        """Running tables, at every step of random rounds."""
        for table in self.opened():
            for _ in range(self.steps_most):
                if table.ended:
                    break
                yield table
                table.step()

    def seats(self, table: Playout) -> list[int]:
        return sorted(table.state.seat_of.values())

    def sight(self, state: TableState) -> list[Any]:
        """All that can be seen of a state: the views of a spectator and of every seat."""
        if state.game is None:
            return []
        sights = [plain(self.game.view(state.game, seat)) for seat in (None, *state.chairs)]
        sights += [plain(list(self.game.legal(state.game, seat))) for seat in state.chairs]
        return [*sights, plain(self.game.outcome(state.game))]

    def whole(self, state: TableState) -> list[Any]:
        """`sight`, with what happens by itself."""
        timer = None if state.game is None else self.game.timer(state.game)
        return [*self.sight(state), plain(timer)]

    def tried(self, state: TableState, seat: int | None, command: Command, at_ms: int) -> object:
        """What the game decides, as a value; a refusal too."""
        try:
            return self.game.decide(state.game, seat, command, Context(at_ms, Chance(b"seed")))
        except Refused as refusal:
            return refusal.code, str(refusal)

    def candidates(self, table: Playout, rng: Random) -> Iterator[tuple[int, Command]]:
        """Commands that seats may send now, and some that they mostly may not."""
        for seat in self.seats(table):
            for command in self.game.legal(table.state.game, seat):
                if not isinstance(command, self.game.notes):
                    yield seat, command
            for _ in range(5):
                yield seat, arbitrary_command(self.game, rng)

    # How it is declared

    def test_names(self) -> None:
        for name in (self.game.name, *self.game.aliases):
            assert re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name)
        assert self.game.title.strip()
        assert set(self.game.notes) <= set(self.game.commands)

    def test_tags_are_unique_and_not_those_of_the_house(self) -> None:
        for of_house, of_game in (
            (house.COMMANDS, (*self.game.commands, *self.game.timers)),
            (house.EVENTS, self.game.events),
        ):
            tags = [kind.__struct_config__.tag for kind in (*of_house, *of_game)]
            assert len(tags) == len(set(tags)), sorted(map(str, tags))

    def test_options_have_defaults_and_survive_json(self) -> None:
        kind = self.game.options
        for options in (kind(), *(msgspec.convert(given, kind) for given in self.option_sets)):
            seats = self.game.seats(options)
            assert 0 <= seats.least <= seats.most
            assert seats.most >= 1
            assert msgspec.convert(plain(options), kind) == options

    # Deciding

    def test_deciding_again_gives_the_same(self) -> None:
        rng = Random(1)
        for table in self.moments():
            other = self.game.fork(table.state.game)
            for seat, command in self.candidates(table, rng):
                before = self.sight(table.state)
                first = self.tried(table.state, seat, command, table.at_ms)
                assert self.tried(table.state, seat, command, table.at_ms) == first
                assert self.sight(table.state) == before, "deciding has changed the state"
                twin = table.rules.fork(table.state)
                twin.game = other
                assert self.tried(twin, seat, command, table.at_ms) == first

    def test_what_is_legal_is_accepted(self) -> None:
        for table in self.moments():
            for seat in self.seats(table):
                for command in self.game.legal(table.state.game, seat):
                    assert type(command) in self.game.commands
                    if not isinstance(command, self.game.notes):
                        table.fork().act(seat, command)

    def test_only_refusals_escape_and_they_change_nothing(self) -> None:
        rng = Random(2)
        for table in self.moments():
            draft = table.rules.fork(table.state)
            before = self.whole(draft)
            for seat, command in self.candidates(table, rng):
                try:
                    table.fork().act(seat, command)
                    continue
                except Refused as refusal:
                    code = refusal.code
                assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
                with pytest.raises(Refused):
                    table.rules.decide(draft, seat, command, table.at_ms, table.draws, table.chain)
                assert self.whole(draft) == before

    def test_a_timer_that_is_due_is_accepted(self) -> None:
        for table in self.moments():
            timer = self.game.timer(table.state.game)
            if timer is not None:
                assert type(timer.command) in self.game.timers
                assert timer.waits_for is None or timer.waits_for in table.state.chairs
                table.fork().fire()

    def test_a_seat_cannot_send_what_a_timer_sends(self) -> None:
        for table in self.moments():
            timer = self.game.timer(table.state.game)
            if timer is None:
                continue
            fork = table.fork()
            fork.at_ms = max(fork.at_ms, timer.due_ms)
            for seat in self.seats(table):
                with pytest.raises(Refused):
                    fork.act(seat, timer.command)

    def test_notes_change_nothing_but_the_timer(self) -> None:
        rng = Random(3)
        for table in self.moments():
            noted = table.rules.fork(table.state)
            for seat in self.seats(table):
                for command in self.game.legal(table.state.game, seat):
                    if isinstance(command, self.game.notes):
                        self.game.note(noted.game, seat, command, table.at_ms)
            for seat, command in self.candidates(table, rng):
                expected = self.tried(table.state, seat, command, table.at_ms)
                assert self.tried(noted, seat, command, table.at_ms) == expected

    # Recording

    def test_a_fork_and_its_origin_do_not_touch_each_other(self) -> None:
        for seed, table in enumerate(self.moments()):
            before = self.whole(table.state)
            stays, goes = table.rules.fork(table.state), table.fork(seed)
            for _ in range(4):
                if not goes.ended:
                    goes.step()
            assert self.whole(table.state) == before
            assert self.whole(stays) == before

    def test_a_replay_leads_to_the_same(self) -> None:
        for table in self.moments():
            assert self.whole(table.replayed()) == self.whole(table.state)
        for table in self.played():
            assert self.whole(table.replayed()) == self.whole(table.state)

    def test_rows_survive_json(self) -> None:
        for table in self.played():
            for row, line in zip(table.rows, table.lines, strict=True):
                again = table.codec.decode(line)
                assert (again.command, again.events) == (row.command, row.events)
                assert table.codec.encode(again) == line

    # Seeing

    def test_views_and_pictures_are_json(self) -> None:
        for table in chain(self.moments(), self.played()):
            for seat in (None, *table.state.chairs):
                view = self.game.view(table.state.game, seat)
                assert isinstance(plain(view), dict)
                picture = self.game.picture(view)
                if picture is not None:
                    self.check_picture(picture)

    def check_picture(self, picture: Picture) -> None:
        assert plain(msgspec.convert(plain(picture), Picture)) == plain(picture)
        assert len({len(row) for row in picture.rows}) <= 1
        for cell in (cell for row in picture.rows for cell in row):
            assert cell.command is None or type(cell.command) in self.game.commands

    def test_only_insiders_see_more_than_spectators(self) -> None:
        kinds: Any = reduce(or_, self.game.events)
        for table in self.played():
            seats = sorted(table.state.chairs)
            for event in (event for row in table.rows for event in row.events):
                if type(event) not in self.game.events:
                    continue
                insiders = set(self.game.insiders(event))
                assert insiders <= set(seats)
                public = self.game.seen(event, None)
                for seat in seats:
                    seen = self.game.seen(event, seat)
                    assert seat in insiders or seen == public
                    self.check_seen(seen, kinds)

    def check_seen(self, seen: Event | None, kinds: Any) -> None:
        if seen is not None:
            assert msgspec.json.decode(msgspec.json.encode(seen), type=kinds) == seen

    # Ending

    def test_random_rounds_end(self) -> None:
        for table in self.played():
            ended = table.ended[-1]
            assert re.fullmatch(r"[a-z]+(_[a-z]+)*", ended.outcome.reason)
            assert (
                msgspec.json.decode(msgspec.json.encode(ended.outcome), type=Outcome)
                == ended.outcome
            )
            assert bytes.fromhex(ended.secret) == table.draws.secret(1)

    def test_nothing_is_legal_when_it_is_over(self) -> None:
        for table in self.played():
            if table.state.over:
                for seat in table.state.chairs:
                    assert not list(self.game.legal(table.state.game, seat))
                assert self.game.timer(table.state.game) is None

    def test_what_is_carried_over_survives_json(self) -> None:
        for table in self.played():
            carry = self.game.carry(table.state.game)
            assert msgspec.convert(plain(carry), type(carry)) == carry

    def test_anyone_may_leave_at_any_moment(self) -> None:
        for table in self.moments():
            for seat in self.seats(table):
                fork = table.fork(seat)
                fork.act(seat, house.Leave())
                if not fork.ended:
                    fork.run(self.steps_most)
                assert self.whole(fork.replayed()) == self.whole(fork.state)

    def test_a_round_that_all_have_left_ends(self) -> None:
        for table in self.moments():
            fork = table.fork()
            for seat in self.seats(table):
                if not fork.ended:
                    fork.act(seat, house.Leave())
            for _ in range(self.steps_most):
                if not fork.ended and fork.rules.timer(fork.state) is not None:
                    fork.fire()
            # Where rounds begin empty, one that has not begun may wait for people.
            least = self.game.seats(table.state.options).least
            assert fork.ended or (least == 0 and fork.rules.timer(fork.state) is None)

    # Money

    def test_a_round_that_is_over_leaves_nothing_in_the_pot(self) -> None:
        for table in self.played():
            assert table.chips["pot:1"] == 0
            assert sum(table.chips.values()) == 0

    def test_a_void_round_gives_every_stake_back(self) -> None:
        for table in self.moments():
            fork = table.fork()
            fork.act(None, house.Close("test"))
            assert not any(fork.chips.values()), fork.chips
