"""Tournaments are games: what holds for every game holds for them."""

from __future__ import annotations

from collections.abc import Iterator

from gamehall.table_log import house
from tests.contract.game_contract import GameContract
from tests.hall.formats.play import FORMATS
from tests.hall.tournament_play import GAME, TournamentTable


class TestTournament(GameContract):
    game = GAME
    option_sets = (
        *({"format": format, "minutes": 0.002} for format in FORMATS),
        {"format": "swiss", "rounds": 4, "starts_at_ms": 1_000_100},
        {"format": "arena", "minutes": 0.005, "players_most": 6},
    )
    playouts = 2
    people = 5

    def opened(self) -> Iterator[TournamentTable]:
        for options in self.option_sets:
            for seed in range(self.playouts):
                yield TournamentTable(GAME, options, seed=seed, strays=0.1, people=self.people)

    def test_one_that_all_have_left_ends_once_the_games_are_reported(self) -> None:
        for table in self.moments():
            fork = table.fork()
            assert isinstance(fork, TournamentTable)
            for seat in self.seats(fork):
                if not fork.ended:
                    fork.act(seat, house.Leave())
            games = len(fork.tournament.field.matches)
            while not fork.ended:
                fork.step()
            assert len(fork.tournament.field.matches) == games
            assert self.whole(fork.replayed()) == self.whole(fork.state)
