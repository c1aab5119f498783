"""What happens at a table, in sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gamehall.terminal.boards import BOARDS
from gamehall.terminal.boards.bingo import name_of
from gamehall.terminal.boards.four_stone import place_name
from gamehall.terminal.boards.sicbo_sides import side_name
from gamehall.terminal.text import chips, listed

Payload = dict[str, Any]

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
        if kind in UNTOLD:
            return None
        told = self._of_house(kind, event)
        if told is None and self._game in BOARDS:
            # Another game may have events of the same names, with other fields.
            if kind in UNTOLD_OF_GAMES:
                return None
            told = self._of_game(kind, event)
        return told or self._of_any(event)

    def _of_house(self, kind: str, event: Payload) -> str | None:
        match kind:
            case "seated":
                return f"{event['person']['name']} sits down."
            case "started":
                return "The game begins."
            case "left" if event["reason"] == "no_funds":
                return f"{self.does(event['seat'], 'leave')} the table, without the chips to play."
            case "left":
                return f"{self.does(event['seat'], 'leave')} the table."
            case "rematch_wanted":
                return f"{self.does(event['seat'], 'want')} another game."
            case "round_ended":
                return self.outcome(event["outcome"])
            case "round_voided":
                return self.outcome(None)
            case "closed":
                return "The table closes."
        return None

    def _of_game(self, kind: str, event: Payload) -> str | None:
        seat = event.get("seat")
        match kind:
            case "dropped":
                return f"{self.does(seat, 'drop')} into column {event['column'] + 1}."
            case "picked":
                return f"{self.does(seat, 'pick')} {event['number']}."
            case "moved":
                taken = ", ".join(map(place_name, event["taken"]))
                move = f"{place_name(event['from'])} to {place_name(event['to'])}"
                took = f", taking {taken}" if taken else ""
                return f"{self.does(seat, 'move')} {move}{took}."
            case "resigned":
                return f"{self.does(seat, 'resign')}."
            case "abandoned":
                return f"{self.does(seat, 'give')} up."
            case "timed_out":
                return f"{self.does(seat, 'run')} out of time."
            case "draw_offered":
                return f"{self.does(seat, 'offer')} a draw."
            case "draw_answered":
                return f"{self.does(seat, 'accept' if event['accepted'] else 'decline')} the draw."
        return self._of_crowd(kind, event)

    def _of_crowd(self, kind: str, event: Payload) -> str | None:
        match kind:
            case "boards_dealt":
                return "The boards are dealt."
            case "cards_dealt":
                return f"Cards are dealt to {event['count']}."
            case "called":
                return f"Called: {name_of(event['number'])}."
            case "bingo_claimed":
                return f"{self.does(event['seat'], 'say')} BINGO, and it is true."
            case "all_called":
                return "All numbers were called."
            case "bet_placed":
                return f"You bet {_bet(event)}."
            case "bets_placed":
                return f"You bet {listed([_bet(bet) for bet in event['bets']])}."
            case "betting_closed":
                return "No more bets."
            case "rolled":
                dice = " ".join(map(str, event["dice"]))
                result = event["result"]
                if result == "NONE":
                    result = "neither BIG nor SMALL"
                return f"The dice: {dice}, together {event['sum']}: {result}."
            case "settled":
                paid = sum(won for each in event["payouts"].values() for _, won in each)
                return f"You are paid {chips(paid)} chips."
        return None

    def _of_any(self, event: Payload) -> str:
        """An event of a game that is known only by its picture."""
        fields = {name: value for name, value in event.items() if name not in ("type", "at_ms")}
        seat = fields.pop("seat", None)
        who = f"{self.name(seat)}: " if isinstance(seat, int) else ""
        details = "".join(f" {name} {json.dumps(value)}" for name, value in fields.items())
        return f"{who}{event['type'].replace('_', ' ')}{details}."


def _bet(bet: Payload) -> str:
    return f"{chips(bet['amount'])} on {side_name(bet['side'])}"


def speaker_of(view: Payload | None) -> Speaker:
    """Who tells what happens at the table of this `table_view`."""
    if view is None:
        return Speaker({}, None, "")
    names = {person["seat"]: person["name"] for person in view["players"]}
    return Speaker(names, view["seat"], view["game"])


def turn_in(view: Payload) -> int | None:
    """The seat that is to move. By `turn` a game of someone's own may mean anything else."""
    turn = view["view"].get("turn") if isinstance(view["view"], dict) else None
    seats = [person["seat"] for person in view["players"]]
    return turn if turn in seats else None


def turn_of(view: Payload, speaker: Speaker) -> str:
    """Who is waited for, or how it stands, in a sentence."""
    if view["status"] == "waiting":
        return "Waiting for another player."
    if view["status"] == "closed":
        return "This table is closed."
    if view["status"] == "over":
        return speaker.outcome(view["outcome"])
    turn = turn_in(view)
    offered = any(each["type"] == "answer_draw" for each in view["legal"])
    if offered:
        return "Your opponent offers a draw."
    if turn is not None:
        return "Your turn." if turn == view["seat"] else f"{speaker.name(turn)} is to move."
    if view["legal"]:
        return "You can act."
    return "You are watching." if view["seat"] is None else "Waiting for the others."
