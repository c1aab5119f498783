"""What happens at a table, in sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gamehall.terminal.boards import BOARDS
from gamehall.terminal.boards.bingo import name_of
from gamehall.terminal.boards.four_stone import place_name
from gamehall.terminal.boards.sicbo import side_name
from gamehall.terminal.text import listed

Payload = dict[str, Any]
Does = Callable[[str], str]
"""Whoever an event is about, with a verb: `You drop` or `Ann drops`."""
Tell = Callable[[Does, Payload], str]

REASONS = {
    "line": "the line is complete",
    "board_full": "the board is full",
    "agreed": "both agreed on a draw",
    "resigned": "a player resigned",
    "time": "a player ran out of time",
    "left": "a player left",
    "abandoned": "a player left",
    "bingo": "bingo",
    "draw": "both boards were completed by the same number",
    "all_called": "all numbers were called",
    "one_stone": "one stone is left",
    "no_move": "no stone can move",
    "repetition": "the position was there for the third time",
    "big": "BIG wins",
    "small": "SMALL wins",
    "none": "neither BIG nor SMALL",
}
UNTOLD = frozenset({"opened", "seats_drawn", "reservations_lapsed"})
"""Events of the hall that say nothing to a player which is not told otherwise."""
UNTOLD_OF_GAMES = frozenset({"joined", "parted"})


class Speaker:
    """Sentences about one table, for the one who sits on `seat`, or for a spectator."""

    def __init__(self, names: Mapping[int, str], seat: int | None, game: str) -> None:
        self._names = names
        self._seat = seat
        self._game = game

    def name(self, seat: Any) -> str:
        return self._names.get(seat, f"Seat {seat}")

    def does(self, seat: Any, verb: str) -> str:
        """As `You drop` or `Ann drops`."""
        if seat == self._seat and seat is not None:
            return f"You {verb}"
        first, space, rest = verb.partition(" ")
        return f"{self.name(seat)} {first}s{space}{rest}"

    def outcome(self, outcome: Payload | None) -> str:
        """How a round ended."""
        if outcome is None:
            return "The round was called off; everything was given back."
        why = REASONS.get(outcome["reason"], outcome["reason"].replace("_", " "))
        winners = outcome["winners"]
        if winners and self._seat in winners:
            told = "You have won"
        elif winners:
            names = listed([self._names.get(seat, f"seat {seat}") for seat in winners])
            told = "You have lost" if self._seat is not None else f"{names} won"
            if self._seat is not None and len(self._names) > 2:
                told = f"{names} has won"
        elif outcome.get("again_ms") is not None:
            told = "The round is over"
        else:
            told = "A draw"
        return f"{told}: {why}.{self._scores(outcome.get('scores'))}"

    def _scores(self, scores: Mapping[Any, int] | None) -> str:
        if not scores:
            return ""
        each = (f"{self._names.get(int(seat), seat)} {score}" for seat, score in scores.items())
        return f" Score: {', '.join(each)}."

    def event(self, event: Payload) -> str | None:
        """What happened; None if there is nothing to tell."""
        kind = event["type"]
        # Another game may have events of the same names, with other fields.
        is_known = self._game in BOARDS
        if kind in UNTOLD or (is_known and kind in UNTOLD_OF_GAMES):
            return None
        if kind in ("round_ended", "round_voided"):
            return self.outcome(event.get("outcome"))
        tell = OF_HOUSE.get(kind) or (OF_GAMES.get(kind) if is_known else None)
        if tell is None:
            return self._of_any(event)
        return tell(partial(self.does, event.get("seat")), event)

    def _of_any(self, event: Payload) -> str:
        """An event of a game that is known only by its picture."""
        fields = {name: value for name, value in event.items() if name not in ("type", "at_ms")}
        seat = fields.pop("seat", None)
        who = f"{self.name(seat)}: " if isinstance(seat, int) else ""
        details = "".join(f" {name} {json.dumps(value)}" for name, value in fields.items())
        return f"{who}{event['type'].replace('_', ' ')}{details}."


def _left(does: Does, event: Payload) -> str:
    broke = ", without the chips to play" if event["reason"] == "no_funds" else ""
    return f"{does('leave')} the table{broke}."


def _moved(does: Does, event: Payload) -> str:
    taken = ", ".join(map(place_name, event["taken"]))
    took = f", taking {taken}" if taken else ""
    return f"{does('move')} {place_name(event['from'])} to {place_name(event['to'])}{took}."


def _rolled(_: Does, event: Payload) -> str:
    result = "neither BIG nor SMALL" if event["result"] == "NONE" else event["result"]
    return f"The dice: {' '.join(map(str, event['dice']))}, together {event['sum']}: {result}."


def _settled(_: Does, event: Payload) -> str:
    paid = sum(won for each in event["payouts"].values() for _, won in each)
    return f"You are paid {paid:,} chips."


def _bet(bet: Payload) -> str:
    return f"{bet['amount']:,} on {side_name(bet['side'])}"


OF_HOUSE: dict[str, Tell] = {
    "seated": lambda _, event: f"{event['person']['name']} sits down.",
    "started": lambda *_: "The game begins.",
    "left": _left,
    "rematch_wanted": lambda does, _: f"{does('want')} another game.",
    "closed": lambda *_: "The table closes.",
}
"""What events of any table mean."""
OF_GAMES: dict[str, Tell] = {
    "dropped": lambda does, event: f"{does('drop')} into column {event['column'] + 1}.",
    "picked": lambda does, event: f"{does('pick')} {event['number']}.",
    "moved": _moved,
    "resigned": lambda does, _: f"{does('resign')}.",
    "abandoned": lambda does, _: f"{does('give')} up.",
    "timed_out": lambda does, _: f"{does('run')} out of time.",
    "draw_offered": lambda does, _: f"{does('offer')} a draw.",
    "draw_answered": lambda does, event: (
        f"{does('accept' if event['accepted'] else 'decline')} the draw."
    ),
    "boards_dealt": lambda *_: "The boards are dealt.",
    "cards_dealt": lambda _, event: f"Cards are dealt to {event['count']}.",
    "called": lambda _, event: f"Called: {name_of(event['number'])}.",
    "bingo_claimed": lambda does, _: f"{does('say')} BINGO, and it is true.",
    "all_called": lambda *_: "All numbers were called.",
    "bet_placed": lambda _, event: f"You bet {_bet(event)}.",
    "bets_placed": lambda _, event: f"You bet {listed([_bet(bet) for bet in event['bets']])}.",
    "betting_closed": lambda *_: "No more bets.",
    "rolled": _rolled,
    "settled": _settled,
}
"""What those of the hall's own games mean."""
