"""Nim: take one, two or three sticks. The player who takes the last wins; leaving is giving up."""

from gamehall.errors import IllegalCommand, NotYourTurn
from gamehall.games.game import Cell, Command, Event, Game, Outcome, Picture, Seats


class Take(Command, frozen=True):
    sticks: int


class Took(Event, frozen=True):
    seat: int
    sticks: int


class Nim(Game[dict[str, int]]):
    name = "nim"
    title = "Nim"
    commands = (Take,)
    events = (Took,)

    def seats(self, options):
        return Seats(least=2, most=2)

    def start(self, start):
        return {"sticks": 15, "turn": 0}

    def legal(self, state, seat):
        if seat != state["turn"]:
            return []
        return [Take(sticks) for sticks in (1, 2, 3) if sticks <= state["sticks"]]

    def decide(self, state, seat, command, context):
        if seat != state["turn"]:
            raise NotYourTurn
        if command not in self.legal(state, seat):
            raise IllegalCommand("Take one, two or three sticks, and no more than there are.")
        return (Took(seat, command.sticks),)

    def apply(self, state, event):
        return {"sticks": state["sticks"] - event.sticks, "turn": 1 - event.seat}

    def fork(self, state):
        return state

    def leave(self, state, seat):
        return (Took(1 - seat, state["sticks"]),)

    def outcome(self, state):
        return None if state["sticks"] else Outcome((1 - state["turn"],), "last_stick")

    def view(self, state, seat):
        return state

    def picture(self, view):
        places = range(view["sticks"], 0, -1)
        sticks = tuple(Cell("|", command=Take(n) if n <= 3 else None) for n in places)
        return Picture((sticks,), f"{view['sticks']} sticks are left.")
