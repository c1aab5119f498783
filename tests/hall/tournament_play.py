"""Tournaments at a table of the house, where people come and go, and the hall reports results."""

from __future__ import annotations

from typing import Any

from gamehall.games.game import Event
from gamehall.hall.tournaments.events import Begin, Paired, Report
from gamehall.hall.tournaments.formats.field import Match
from gamehall.hall.tournaments.tournament import State, Tournament, View
from gamehall.testing import Playout

GAME = Tournament()


class TournamentTable(Playout):
    """A playout in which the organiser begins and the hall reports, by chance."""

    def step(self) -> None:
        rng = self._rng
        self.at_ms += rng.randrange(50)
        lot = rng.random()
        if lot < self._strays:
            self._stray(sorted(self.state.seat_of.values()))
        elif self.rules.timer(self.state) is not None and (lot > 0.9 or not self.playing()):
            self.fire()
        elif self.tournament.begun_ms is None:
            self.act(None, Begin())
        else:
            self.report(rng.choice(self.playing()))

    @property
    def tournament(self) -> State:
        state = self.state.game
        assert isinstance(state, State)
        return state

    def playing(self) -> list[Match]:
        return [match for match in self.tournament.field.matches if match.state == "playing"]

    def report(self, match: Match) -> None:
        """The result of a game, by chance."""
        winner = self._rng.choice((match.first, match.second, None))
        reason = self._rng.choice(("won", "no_show"))
        self.act(None, Report(match.number, winner, reason))

    def view(self) -> View:
        return GAME.view(self.tournament, None)

    def events(self) -> list[Event]:
        """All events of the last row that are the tournament's own."""
        return [event for event in self.rows[-1].events if type(event) in GAME.events]

    def paired(self) -> list[Paired]:
        return [event for event in self.events() if isinstance(event, Paired)]


def a_table(people: int = 4, seed: int = 0, **options: Any) -> TournamentTable:
    return TournamentTable(GAME, options, people=people, seed=seed)


def begun(people: int = 4, seed: int = 0, **options: Any) -> TournamentTable:
    table = a_table(people, seed, **options)
    table.act(None, Begin())
    return table
