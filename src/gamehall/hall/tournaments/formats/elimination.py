"""Elimination: who loses is out; in double elimination, who loses twice.

* The bracket is seeded so that the best can meet only in the end. If the entrants are no power of
  two, the best have a bye in the first round. A game begins as soon as its two players are known.
* A draw is replayed, with the other to begin, up to two times; then the higher seed goes
  on. There is no game for the third place: those who lose in the semi-finals share it.
* A player due to meet someone who has withdrawn goes on with a bye. Of two who have both withdrawn
  the higher seed does, and is out in turn. Two who both do not show up are both out, also in
  double elimination; if that is the final, they share the first place.
* Double: who loses goes on in the losers' bracket. Its winner meets the winner of the winners'
  bracket in the final, and if it wins, they play once more, since each has then lost once.
* Ranking: those who are still in come first, then those who came further; equals share a rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from gamehall.hall.tournaments.formats.bracket import Bracket, Slot, Source
from gamehall.hall.tournaments.formats.field import Arrangement, Field, Match, Pairing, Rest
from gamehall.hall.tournaments.formats.format import Format
from gamehall.hall.tournaments.formats.standings import Standing, Sums, in_order

REPLAYS_MOST = 2
UNKNOWN = -1
Side = int | None
"""A seat; None if nobody takes it; `UNKNOWN` as long as that is not decided."""


class Elimination(Format):
    def __init__(self, bracket: Callable[[int], Bracket]) -> None:
        """`bracket`: of so many entrants."""
        self._bracket = bracket

    def next(self, field: Field) -> list[Arrangement]:
        steps: list[Arrangement] = []
        for contest in self._contests(field):
            step = contest.due(field)
            if step is not None:
                steps.append(step)
        return steps

    def ranking(self, field: Field) -> list[Standing]:
        keys: dict[int, tuple[bool, int]] = {}
        for contest in self._contests(field):
            for seat in contest.sides:
                if seat is not None and seat != UNKNOWN:
                    is_in = contest.winner in (seat, UNKNOWN)
                    keys[seat] = (is_in, contest.slot.level)
        return in_order(field, keys, Sums(field.matches, field.rests), {})

    def _contests(self, field: Field) -> Iterator[_Contest]:
        """Every slot of the bracket as it stands, in its order."""
        matches: dict[int, list[Match]] = {}
        for match in field.matches:
            matches.setdefault(match.slot, []).append(match)
        byes = {rest.slot: rest.seat for rest in field.rests}
        order = list(field.seeds)
        done: list[_Contest] = []

        def side(source: Source) -> Side:
            if source.kind == "seed":
                return order[source.number] if source.number < len(order) else None
            before = done[source.number]
            return before.winner if source.kind == "winner" else before.loser

        for number, slot in enumerate(self._bracket(len(order))):
            one, other = (side(source) for source in slot.sides)
            if slot.is_reset and (not done[-1].matches or done[-1].winner == done[-1].sides[0]):
                one, other = None, None
            contest = _Contest(number, slot, (one, other), matches.get(number, []))
            contest.settle(field, byes.get(number))
            done.append(contest)
            yield contest


class _Contest(msgspec.Struct, gc=False):
    """A slot as it stands."""

    number: int
    slot: Slot
    sides: tuple[Side, Side]
    matches: list[Match]
    """The game and its replays."""
    winner: Side = UNKNOWN
    loser: Side = UNKNOWN

    def settle(self, field: Field, bye: int | None) -> None:
        """Finds out who has won, by what has been recorded and nothing else: who withdraws later
        changes nothing that is past."""
        one, other = self.sides
        last = self.matches[-1] if self.matches else None
        if bye is not None:
            self._won_by(bye)
        elif last is None:
            if one is None and other is None:
                self.winner = self.loser = None
        elif last.winner is not None:
            self._won_by(last.winner)
        elif last.is_draw:
            if len(self.matches) > REPLAYS_MOST:
                self._won_by(_higher_seed(field, last.first, last.second))
        elif last.state == "over":
            self.winner = self.loser = None

    def due(self, field: Field) -> Arrangement | None:
        """What has to happen now for it to go on."""
        one, other = self.sides
        if self.winner != UNKNOWN or UNKNOWN in self.sides:
            return None
        if self.matches and self.matches[-1].state == "playing":
            return None
        slot = self.slot
        seats = [seat for seat in (one, other) if seat is not None]
        there = [seat for seat in seats if seat not in field.withdrawn]
        if len(there) < 2:
            seat = there[0] if there else _higher_seed(field, *seats)
            return Rest(seat, slot.round, slot.stage, self.number)
        if self.matches:
            first, second = self.matches[-1].second, self.matches[-1].first
        else:
            first, second = field.in_turn(*there)
        return Pairing(first, second, slot.round, slot.stage, self.number)

    def _won_by(self, seat: int) -> None:
        one, other = self.sides
        self.winner, self.loser = seat, other if seat == one else one


def _higher_seed(field: Field, *seats: int) -> int:
    return min(seats, key=lambda seat: field.seeds[seat])
