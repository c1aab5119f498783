"""Pig: roll as often as you dare, then hold. A one loses what is at stake; twelve points win."""

from gamehall.errors import NotYourTurn
from gamehall.games.game import Cell, Command, Event, Game, Outcome, Picture, Seats


class Move(Command, frozen=True):
    roll: bool


class Moved(Event, frozen=True):
    seat: int
    die: int = 0
    won: int = 0


class Pig(Game[dict[str, object]]):
    name = "little-pig"
    title = "Little Pig"
    commands = (Move,)
    events = (Moved,)

    def seats(self, options):
        return Seats(least=2, most=2)

    def start(self, start):
        return {"scores": [0, 0], "turn": 0, "stake": 0, "moves": 0}

    def legal(self, state, seat):
        return [] if seat != state["turn"] or self.outcome(state) else [Move(True), Move(False)]

    def decide(self, state, seat, command, context):
        if seat != state["turn"]:
            raise NotYourTurn
        if not command.roll:
            return (Moved(seat, won=state["stake"]),)
        return (Moved(seat, die=1 + context.chance.below(f"roll {state['moves']}", 6)[0]),)

    def apply(self, state, event):
        scores, goes_on = list(state["scores"]), event.die > 1
        scores[event.seat] += event.won
        stake, turn = (state["stake"] + event.die, event.seat) if goes_on else (0, 1 - event.seat)
        return {"scores": scores, "turn": turn, "stake": stake, "moves": state["moves"] + 1}

    def fork(self, state):
        return state

    def leave(self, state, seat):
        return (Moved(1 - seat, won=12),)

    def outcome(self, state):
        winners = tuple(seat for seat in (0, 1) if state["scores"][seat] >= 12)
        return Outcome(winners, "twelve_points") if winners else None

    def view(self, state, seat):
        return state

    def picture(self, view):
        cells = (Cell("Roll", command=Move(True)), Cell("Hold", command=Move(False)))
        return Picture((cells,), f"{view['scores']}, and {view['stake']} at stake.")
