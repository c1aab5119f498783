"""What a format of tournaments is: who plays whom next, and who is ahead."""

from __future__ import annotations

from typing import ClassVar

from gamehall.hall.tournaments.formats.field import Arrangement, Field
from gamehall.hall.tournaments.formats.standings import Standing, ranked


class Format:
    """A format has no state and no chance of its own: all it says follows from the field."""

    timed: ClassVar[bool] = False
    """Whether it ends when its time is up; until then people may come."""
    tie_breaks: ClassVar[tuple[str, ...]] = ()
    """What decides between those with as many points."""

    def next(self, field: Field) -> list[Arrangement]:
        """What is due now; asked again once that is recorded, until nothing is due.

        Nobody is in it who plays or has withdrawn, but for a bracket's `Rest` of someone who has
        withdrawn: it is how of two who are gone one goes on, to be out in its next game.
        """
        raise NotImplementedError

    def ranking(self, field: Field) -> list[Standing]:
        """All entrants, the best first. Equal ranks differ in nothing but the seeding."""
        return ranked(field, field.seeds, self.tie_breaks, field.matches, field.rests)

    def is_over(self, field: Field) -> bool:
        """Whether it ends, given that nothing is due."""
        return not field.open
