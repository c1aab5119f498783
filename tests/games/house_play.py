"""Tables of two games, and people who sit down at them, for the tests of the house's rules."""

from __future__ import annotations

from typing import Any

import pytest

from gamehall import errors
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Command, Event
from gamehall.table_log import house
from gamehall.testing import Playout
from tests.games.toys import HighCard

FOUR = ConnectFour()
CARDS = HighCard()
ANN, BEN, CLEO = (house.Person(n, name) for n, name in ((1, "Ann"), (2, "Ben"), (3, "Cleo")))


def empty(game: ConnectFour | HighCard = FOUR, **how: Any) -> Playout:
    """A table at which nobody sits yet."""
    return Playout(game, people=0, **how)


def sit(table: Playout, person: house.Person, seat: int | None = None) -> list[Event]:
    return table.act(None, house.Sit(person, seat)).events


def refusal(table: Playout, seat: int | None, command: Command) -> type[errors.Refused]:
    rows = len(table.rows)
    with pytest.raises(errors.Refused) as refused:
        table.act(seat, command)
    assert len(table.rows) == rows
    return refused.type


def shut(table: Playout, reason: str) -> list[Event]:
    """What closes a table whose first round is not over: every end reveals."""
    secret = table.draws.secret(1).hex()
    return [house.RoundVoided(reason, secret, table.at_ms), house.Closed(reason)]
