"""Playing Sic Bo by hand, for its tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from gamehall import errors
from gamehall.games.game import Command, Event, Start
from gamehall.games.sicbo import SicBo, SicBoOptions, State
from gamehall.games.sicbo_events import Bet, BetPlaced, CloseBetting, Reveal, Rolled, Settled
from gamehall.games.sicbo_layout import Side
from gamehall.testing import Playout, ScriptedChance, a_context

GAME = SicBo()
OPEN_MS = 1_000_000
CLOSE_MS = OPEN_MS + 30_000
REVEAL_MS = CLOSE_MS + 3_000


class Ledger:
    """What each seat, `pot` and `house` have gained or lost."""

    def __init__(self) -> None:
        self.chips: Counter[int | str] = Counter()
        self.lowest_pot = 0

    def note(self, state: State, event: Event) -> None:
        for payment in GAME.money(state, event):
            assert payment.chips > 0
            self.chips[payment.source] -= payment.chips
            self.chips[payment.target] += payment.chips
            self.lowest_pot = min(self.lowest_pot, self.chips["pot"])


def new(round: int = 1, carry: object = None, **options: Any) -> State:
    return GAME.start(Start(SicBoOptions(**options), (), round, OPEN_MS, carry))


def do(
    state: State,
    seat: int | None,
    command: Command,
    at_ms: int = OPEN_MS,
    *,
    dice: Iterable[int] | None = None,
    ledger: Ledger | None = None,
) -> tuple[Any, ...]:
    """The events, after they were applied. `dice` is what they show if they are rolled now."""
    script = {} if dice is None else {"dice": [spots - 1 for spots in dice]}
    events = GAME.decide(state, seat, command, a_context(at_ms, ScriptedChance(script)))
    for event in events:
        if ledger is not None:
            ledger.note(state, event)
        GAME.apply(state, event)
    return events


def bet(
    state: State, seat: int, side: Side, amount: int, at_ms: int = OPEN_MS, **how: Any
) -> BetPlaced:
    (placed,) = do(state, seat, Bet(side, amount), at_ms, **how)
    assert isinstance(placed, BetPlaced)
    return placed


def roll(state: State, *dice: int, **how: Any) -> tuple[Rolled, Settled | None]:
    """What the dice bring; betting is closed before."""
    do(state, None, CloseBetting(), state.close_ms, **how)
    rolled, *settled = do(state, None, Reveal(), state.reveal_ms, dice=dice, **how)
    assert isinstance(rolled, Rolled)
    return rolled, settled[0] if settled else None


def refusal(
    state: State, seat: int | None, command: Command, at_ms: int = OPEN_MS
) -> errors.Refused:
    with pytest.raises(errors.Refused) as refused:
        GAME.decide(state, seat, command, a_context(at_ms))
    return refused.value


# At a table


def a_table(seed: int = 0, **options: Any) -> Playout:
    return Playout(GAME, options, seed=seed)


def walk_in(table: Playout, player: int, side: Side, amount: int) -> BetPlaced:
    """Bets as the hall does it: whoever has no seat yet in this round is seated with the bet."""
    placed = table.walk_in(player, Bet(side, amount)).events[-1]
    assert isinstance(placed, BetPlaced)
    return placed


def finish(table: Playout) -> Rolled:
    """Closes and reveals the running round."""
    table.fire()
    rolled = table.fire().events[0]
    assert isinstance(rolled, Rolled)
    return rolled
