"""Determinism: the same state, command, time and chance give the same events, always."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import msgspec

from gamehall.checking.finding import Broken, Check
from gamehall.checking.sight import plain, shown, whole
from gamehall.errors import Refused
from gamehall.games.game import Command, Game
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.journal import Row, RowCodec, chained
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState
from gamehall.testing import FixedDraws, Playout, a_context, arbitrary_command


def _decided_twice(table: Playout, rng: Random) -> None:
    state = table.state
    twin = table.rules.fork(state)
    before = whole(table.game, state)
    for seat in table.seats:
        for command in (*table.legal(seat)[:8], arbitrary_command(table.game, rng)):
            first = _tried(table, state, seat, command)
            if whole(table.game, state) != before:
                raise Broken(f"Deciding {shown(command)} for seat {seat} has changed the state.")
            for again in (_tried(table, state, seat, command), _tried(table, twin, seat, command)):
                if again != first:
                    raise Broken(
                        f"Deciding {shown(command)} for seat {seat} twice gives {shown(first)} and"
                        f" {shown(again)}. Chance and time come from the context alone."
                    )


def _tried(table: Playout, state: TableState, seat: int, command: Command) -> Any:
    try:
        return plain(table.game.decide(state.game, seat, command, a_context(table.at_ms)))
    except Refused as refusal:
        return [refusal.code, str(refusal)]


class Journal(msgspec.Struct, frozen=True):
    """What a random game has written, to be decided again by someone else."""

    seed: int | str
    lines: tuple[str, ...]
    sights: str
    """A hash of all that could be seen after each row."""


def journal_of(table: Playout) -> Journal:
    lines = tuple(line.decode() for line in table.lines)
    return Journal(table.seed, lines, decided_again(table.game, table.seed, lines))


def decided_again(game: Game[Any], seed: int | str, lines: tuple[str, ...]) -> str:
    """The hash of all that can be seen, after every command was decided again.

    Raises:
        Broken: a command causes something else than is written.
    """
    rules, codec, draws = TableRules(game), RowCodec(game), FixedDraws(seed)
    state: TableState | None = None
    chain = ""
    sights = hashlib.sha256()
    for line in lines:
        row = codec.decode(line.encode())
        before = None if state is None else rules.fork(state)
        decision = decided(rules, before, row, draws, chain)
        if plain(decision.events) != plain(row.events):
            raise Broken(
                f"{shown(row.command)} in row {row.seq} causes {shown(decision.events)}, and in the"
                f" journal it has caused {shown(row.events)}."
            )
        state, chain = decision.state, chained(chain, line.encode())
        sights.update(msgspec.json.encode(whole(game, decision.state)))
    return sights.hexdigest()


def decided(
    rules: TableRules, state: TableState | None, row: Row, draws: FixedDraws, chain: str = ""
) -> Decision:
    """What the row's command causes in this state. Raises Refused."""
    first, walks_in = row.events[0] if row.events else None, None
    if isinstance(first, house.Seated) and not isinstance(row.command, house.Sit):
        walks_in = first.person
    seat = row.seat if walks_in is None else None
    return rules.decide(state, seat, row.command, row.at_ms, draws, chain, walks_in)


def _journal_again(table: Playout) -> None:
    if journal_of(table) != journal_of(table):
        raise Broken("Two replays of one journal show different views.")


CHECK = Check(
    "Determinism",
    "The same command in the same state causes the same events.",
    at_moment=_decided_twice,
    at_end=_journal_again,
)
