"""Which games a bot plays at a hall, as the options of every command that sends one there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gamehall.games.game import Game


@dataclass(frozen=True)
class Engagement:
    """With whom a bot plays, how long, and in which tournament."""

    games: int = 0
    """How many games it plays before it ends, or rounds in which it takes part; 0 is for ever."""

    seek: bool = True
    """Whether it puts itself on the wait list, or goes to the hall's own table."""

    accept: bool = True
    """Whether it accepts challenges. All others are refused."""

    table: int | None = None
    """Plays only at this table, as long as a rematch is wanted there."""

    key: str | None = None
    """The key of that table, if it is private."""

    tournament: int | None = None
    """Plays only in this tournament, until all of it is over."""

    away: int | None = None
    """Plays only in a tournament of another hall, which this hall follows under this number and
    tells where it is."""

    club: str = ""
    """The machine that it plays for there."""

    def check(self, game: Game[Any]) -> None:
        """Raises ValueError if a bot of this game cannot do so."""
        if self.games < 0:
            raise ValueError("--games takes a number from 0.")
        if self.table is None and not (self.seek or self.accept):
            raise ValueError("A bot that neither seeks nor accepts needs a --table.")
        if self.key is not None and self.table is None:
            raise ValueError("--key is that of a --table.")
        if self.tournament is not None and self.away is not None:
            raise ValueError("A tournament is either this hall's --tournament, or --away.")
        in_tournament = self.tournament is not None or self.away is not None
        if self.club and not in_tournament:
            raise ValueError("--club is for a --tournament.")
        if in_tournament and (self.table is not None or self.games):
            raise ValueError("In a --tournament there is no choice of a --table or of --games.")
        begins_empty = game.seats(game.options()).least == 0
        if begins_empty and self.table is None and not self.seek:
            raise ValueError(
                "Nobody is challenged to this game: let it seek, or give it a --table."
            )


ANY_GAMES = Engagement()
