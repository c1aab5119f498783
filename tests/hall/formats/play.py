"""Tournaments played by the rules alone, with results, no-shows and withdrawals by chance.

Whatever happens is checked as it happens: events and views survive JSON, deciding again gives the
same, nobody is paired who cannot play, and everyone is ranked once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from gamehall.games.chance import Chance
from gamehall.games.game import Command, Event, Start
from gamehall.hall.tournaments.events import (
    Begin,
    Bye,
    Entered,
    Finished,
    Paired,
    Report,
    TimeUp,
    TournamentOptions,
    Withdraw,
    Withdrew,
)
from gamehall.hall.tournaments.formats.field import Match
from gamehall.hall.tournaments.formats.standings import Standing
from gamehall.hall.tournaments.tournament import State, Tournament, View
from gamehall.testing import ScriptedChance, a_context

GAME = Tournament()
EVENTS: Any = reduce(or_, GAME.events)
FORMATS = ("derby", "round-robin", "swiss", "single-elimination", "double-elimination", "arena")
GAMES_OF_AN_ARENA = 60
"""So many are played before the time is up, about."""


class Mood(msgspec.Struct, frozen=True):
    """How often something other than a win happens."""

    draws: float = 0.0
    no_shows: float = 0.0
    withdrawals: float = 0.0


MOODS = st.builds(
    Mood,
    draws=st.sampled_from((0.0, 0.3, 1.0)),
    no_shows=st.sampled_from((0.0, 0.2)),
    withdrawals=st.sampled_from((0.0, 0.05, 0.3)),
)
SEEDS = st.integers(0, 1 << 32)


class Run:
    """A tournament of seats 0 … players − 1, seeded in this order, which has begun."""

    def __init__(
        self, format: str, players: int, clubs: Mapping[int, str] | None = None, **options: Any
    ) -> None:
        self.events: list[Event] = []
        self.at_ms = 0
        given = TournamentOptions(format=format, **options)  # type: ignore[arg-type]
        self._start = Start(given, tuple(range(players)), 1, 0)
        self.state = GAME.start(self._start)
        for seat, club in (clubs or {}).items():
            self.record((Entered(seat, club),))
        self.act(Begin(), chance=ScriptedChance({"order": range(players)}))

    def act(
        self, command: Command, seat: int | None = None, chance: Chance | None = None
    ) -> tuple[Event, ...]:
        """What the command caused, after it was recorded and checked."""
        context = a_context(self.at_ms, chance)
        decided = GAME.decide(self.state, seat, command, context)
        assert GAME.decide(self.state, seat, command, context) == decided
        self.record(decided)
        return decided

    def record(self, events: Sequence[Event]) -> None:
        """Checks and applies what was decided."""
        self.state = GAME.fork(self.state)
        for event in events:
            if isinstance(event, Paired):
                self._check_pairing(event)
            self.events.append(event)
            self.state = GAME.apply(self.state, event)
        if self.state.begun_ms is not None:
            self._check_ranking()

    def _check_pairing(self, paired: Paired) -> None:
        field = self.state.field
        assert paired.game == len(field.matches) + 1
        assert paired.first != paired.second
        for seat in (paired.first, paired.second):
            assert seat in field.seeds
            assert seat not in field.withdrawn
            assert all(seat not in (match.first, match.second) for match in self.playing())

    def _check_ranking(self) -> None:
        standings = self.ranking()
        assert sorted(each.seat for each in standings) == sorted(self.state.field.seeds)
        for place, each in enumerate(standings):
            assert each.rank in (place + 1, standings[place - 1].rank)
            assert each.played == each.won + each.drawn + each.lost

    # What there is to see

    def playing(self) -> list[Match]:
        return [match for match in self.state.field.matches if match.state == "playing"]

    def ranking(self) -> list[Standing]:
        return self.state.format.ranking(self.state.field)

    def order(self) -> list[int]:
        return [each.seat for each in self.ranking()]

    def pairs(self, round: int | None = None, stage: str | None = None) -> list[tuple[int, int]]:
        """Who has been paired, who begins first."""
        return [
            (match.first, match.second)
            for match in self.state.field.matches
            if round in (None, match.round) and stage in (None, match.stage)
        ]

    def byes(self) -> list[int]:
        return [event.seat for event in self.events if isinstance(event, Bye)]

    @property
    def over(self) -> bool:
        return self.state.finished is not None

    # What can be done

    def won_by(self, winner: int, loser: int, **how: Any) -> tuple[Event, ...]:
        return self.act(Report(self.game_of(winner, loser), winner, **how))

    def drawn(self, one: int, other: int) -> tuple[Event, ...]:
        return self.act(Report(self.game_of(one, other)))

    def missed(self, one: int, other: int) -> tuple[Event, ...]:
        """Neither of the two has come to their game."""
        return self.act(Report(self.game_of(one, other), None, "no_show"))

    def game_of(self, one: int, other: int) -> int:
        (number,) = (m.number for m in self.playing() if {m.first, m.second} == {one, other})
        return number

    def withdraw(self, seat: int) -> tuple[Event, ...]:
        return self.act(Withdraw(), seat)

    def time_up(self) -> tuple[Event, ...]:
        self.at_ms = max(self.at_ms, self.state.ends_at_ms)
        return self.act(TimeUp())

    def play(self, rng: Random, mood: Mood) -> None:
        """Plays to the end by chance, and checks that it ends, once, and as its log says."""
        entrants = len(self.state.field.seeds)
        for _ in range(GAMES_OF_AN_ARENA + 8 * entrants + entrants**2):
            if self.over:
                break
            self._one_thing(rng, mood)
        self.check_end()

    def play_by(self, winner_of: Callable[[Match], int | None], rng: Random) -> None:
        """Plays to the end; the results are given, the order in which they come is chance."""
        while not self.over:
            match = rng.choice(self.playing())
            self.act(Report(match.number, winner_of(match), "played"))
        self.check_end()

    def _one_thing(self, rng: Random, mood: Mood) -> None:
        field, playing = self.state.field, self.playing()
        timed = self.state.format.timed and not field.time_up
        if timed and (not playing or len(field.matches) > GAMES_OF_AN_ARENA):
            self.time_up()
        elif field.active() and rng.random() < mood.withdrawals:
            self.withdraw(rng.choice(field.active()))
        else:
            self.act(_report(rng.choice(playing), field.withdrawn, rng, mood))

    def check_end(self) -> None:
        finished = self.state.finished
        assert finished is not None, "it has not ended"
        assert not self.playing()
        assert [type(event) for event in self.events].count(Finished) == 1
        assert list(finished.ranking) == self.order()
        winners = [each.seat for each in self.ranking() if each.rank == 1]
        if finished.reason == "too_few":
            winners = []
        assert list(finished.winners) == winners
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        assert outcome.winners == finished.winners
        replayed = self.replayed()
        assert (replayed.field, replayed.finished) == (self.state.field, finished)
        view = GAME.view(self.state, None)
        assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view

    def replayed(self) -> State:
        """The state that the events lead to, read back from their bytes."""
        state = GAME.start(self._start)
        for event in self.events:
            again = msgspec.json.decode(msgspec.json.encode(event), type=EVENTS)
            assert again == event
            state = GAME.apply(state, again)
        return state


def _report(match: Match, withdrawn: set[int], rng: Random, mood: Mood) -> Report:
    """A result by chance; whoever has withdrawn has mostly lost, as the hall would report it."""
    pair = (match.first, match.second)
    there = [seat for seat in pair if seat not in withdrawn]
    if rng.random() < mood.no_shows:
        return Report(match.number, rng.choice((*pair, None)), "no_show")
    if len(there) < 2 and rng.random() < 0.8:
        return Report(match.number, *((there[0], "left") if there else (None, "no_show")))
    if rng.random() < mood.draws:
        return Report(match.number, None, "full", (7, 7))
    return Report(match.number, rng.choice(pair), "won", (rng.randrange(9), rng.randrange(9)))


def withdrew(run: Run) -> set[int]:
    return {event.seat for event in run.events if isinstance(event, Withdrew)}
