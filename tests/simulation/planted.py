"""Bugs that the hall does not have, to see whether the simulator would find them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from gamehall.errors import NotFree
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.sicbo_events import BetPlaced
from gamehall.hall.beat import beat, telling
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Scene, Told
from gamehall.hall.beat.sent_again import RoundRequests
from gamehall.hall.lobby.desk import Desk
from gamehall.hall.lobby.front import Front
from gamehall.hall.lobby.messages import Challenge, Over
from gamehall.hall.lobby.pairings import Pairings
from gamehall.hall.nodes.clock import TableTime
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.guests import Guests
from gamehall.hall.people.notices import Notice, TableView
from gamehall.hall.people.online import Online
from gamehall.hall.records.replays import Replays, Retold
from gamehall.hall.seats.seating import Seating
from gamehall.hall.tables.relay import Relay
from gamehall.hall.tables.replica import Replica
from gamehall.hall.tables.tables import Tables
from gamehall.hall.tournaments.games import TournamentGames
from gamehall.hall.visitors.duel_rooms import DuelRooms, Room
from gamehall.simulation.store import SimulatedStore
from gamehall.simulation.vault import Vault
from gamehall.store.appends import Answer, Append, Durable, NotWritten, Unknown
from gamehall.store.lists import TableInfo
from gamehall.store.store import Store
from gamehall.table_log.table_state import TableState
from gamehall.wire.bingo import caller_lines
from gamehall.wire.bingo.caller import CallerLink
from gamehall.wire.bingo.duel import DuelLink
from gamehall.wire.four import game as four_game
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.sicbo.zone_link import RoomCroupier
from tests.simulation.planting import planted


@planted("is lost|is not in the journal")
@contextmanager
def told_before_durable() -> Iterator[None]:
    """What a table writes is told at once, and written as soon as the store lets it; only what
    opens a table is waited for."""
    append = SimulatedStore.append
    waiting: dict[tuple[SimulatedStore, int], list[Append]] = {}

    def at_once(self: SimulatedStore, what: Append, done: Callable[[Answer], None]) -> None:
        if what.opening is not None:
            append(self, what, done)
            return
        queue = waiting.setdefault((self, what.table), [])
        queue.append(what)
        if len(queue) == 1:
            write(self, queue)
        self.way.machine.call_soon(done, Durable())

    def write(self: SimulatedStore, queue: list[Append]) -> None:
        def answered(answer: Answer) -> None:
            if isinstance(answer, Durable):
                queue.pop(0)
            elif not isinstance(answer, NotWritten | Unknown):
                queue.clear()  # Another node owns the table.
            if queue:
                write(self, queue)

        append(self, queue[0], answered)

    with patch.object(SimulatedStore, "append", at_once):
        yield


@planted(r"row \d+ is out of place")
@contextmanager
def fence_skipped() -> Iterator[None]:
    append = Vault.append

    def anywhere(self: Vault, what: Append) -> Answer:
        if what.opening is None:
            [(head, epoch)] = self.connection.execute(
                "SELECT head, epoch FROM tables WHERE id = ?", (what.table,)
            )
            what = replace(what, after=head, epoch=epoch)
        return append(self, what)

    with patch.object(Vault, "append", anywhere):
        yield


@planted("is there twice")
def request_forgotten() -> Any:
    return patch.multiple(
        RoundRequests, remember=lambda *_: None, answer=lambda *_: None, joins=lambda *_: False
    )


@planted(r"does not know row \d+ of table")
def lease_looked_at_too_late() -> Any:
    """Whether it has run out is asked when it has been renewed: what another node owns by then is
    not given up."""
    renew, lapse = Nodes._renew, Nodes.lapse

    async def renew_and_look(self: Nodes) -> None:
        await renew(self)
        lapse(self)

    return patch.multiple(Nodes, _renew=renew_and_look, lapse=lambda self: None)


@planted(r"row \d+ of table \d+ moves .*'house'.* moved")
def payout_doubled() -> Any:
    transfers_of = beat.transfers_of  # type: ignore[attr-defined]

    def doubled(*args: Any) -> Any:
        return tuple(
            replace(transfer, chips=transfer.chips * 2) if transfer.source == "house" else transfer
            for transfer in transfers_of(*args)
        )

    return patch.object(beat, "transfers_of", doubled)


@planted(r"plays at .*, and at \d+ too|was paired more often")
@contextmanager
def hold_given_twice() -> Iterator[None]:
    """Who is held for one table is free to be held for another, and sits down at both."""

    def free(self: Online) -> bool:
        elsewhere = all(each.free for each in self.elsewhere.values())
        return self.here and not self.playing and elsewhere

    def begin(self: Pairings, node: str, origin: str) -> None:
        if origin not in self._openings:
            raise NotFree
        self._openings[origin].begun = True

    with (
        patch.object(Online, "free", property(free)),
        patch.object(Pairings, "begin", begin),
    ):
        yield


@planted("was told what is not in the journal")
def events_told_from_the_state_after_the_batch() -> Any:
    def last(acts: Sequence[Any], rules: Any, before: Any, state: Any) -> list[Any]:
        return [state] * len(acts)

    return patch.object(telling, "states_after", last)


@planted("heard what is hidden until row")
def view_that_leaks() -> Any:
    view = BingoDuel.view
    return patch.object(BingoDuel, "view", lambda self, state, seat: view(self, state, 0))


async def _nothing(self: Front) -> None:
    """In place of telling the lead again."""


@planted("who seeks the same is paired")
def wish_lost_with_the_lead() -> Any:
    return patch.object(Front, "again", _nothing)


@planted("has several ends")
def challenge_goes_on_when_it_was_answered() -> Any:
    end = Desk._end

    def only_if_it_expires(self: Desk, challenge: Challenge, by: int, reason: str) -> Over:
        if reason not in ("refused", "withdrawn"):
            return end(self, challenge, by, reason)
        return Over(challenge.id, by, reason)

    return patch.object(Desk, "_end", only_if_it_expires)


@planted("time goes back|games go on")
def timer_by_the_wall_clock() -> Any:
    return patch.object(TableTime, "at", lambda self, now_ms: now_ms)


@planted("was told what is not in the journal")
def replica_skips_a_row() -> Any:
    follows = Replica.follows
    return patch.object(Replica, "follows", lambda self, lines: follows(self, lines)[-1:])


async def _not_compared(self: Relay) -> None:
    """In place of asking the store how far the tables are."""


@planted("games go on|does not know row")
def losses_never_healed() -> Any:
    return patch.object(Relay, "_compare_heads", _not_compared)


@planted(r"the hall logged message_failed .*RuntimeError\('planted'\)")
def message_that_raises() -> Any:
    def at_fault(self: Audiences, table: int, node: str, count: int) -> None:
        raise RuntimeError("planted")

    return patch.object(Audiences, "watched_elsewhere", at_fault)


@planted(r"keeps table \d+, which (is closed|nobody needs)")
def table_kept_for_ever() -> Any:
    return patch.object(Tables, "_drop", lambda self, table: None)


# At the doors


@planted("was not told of row|that it had missed")
def connection_that_stops_hearing() -> Any:
    """Of each table it tells two notices at most, until the table is shown again."""
    tell, tell_table = NativeLink.tell, NativeLink.tell_table
    told_of = Counter[tuple[NativeLink, int]]()

    def shown(self: NativeLink, notice: Notice) -> None:
        if isinstance(notice, TableView):
            del told_of[self, notice.table]
        tell(self, notice)

    def twice(self: NativeLink, told: Told, seat: int | None) -> None:
        told_of[self, told.table] += 1
        if told.walk_in or told_of[self, told.table] <= 2:
            tell_table(self, told, seat)

    return patch.multiple(NativeLink, tell=shown, tell_table=twice)


@planted("was told what is not in the journal: .*NEW_CARD")
def caller_is_dealt_the_first_card() -> Any:
    told = caller_lines.told

    def as_the_first(scenes: Sequence[Scene], player: int | None, has_card: bool) -> bytes:
        first = next((each for scene in scenes for each in scene.insiders), None)
        return told(scenes, None if player is None else first, has_card)

    return patch.object(caller_lines, "told", as_the_first)


@planted("was told what is not in the journal")
def caller_misses_what_is_called_while_it_sits_down() -> Any:
    show = CallerLink._show

    def late(self: CallerLink, table: KnownTable) -> None:
        asyncio.get_running_loop().call_later(0.1, show, self, copy(table))

    return patch.object(CallerLink, "_show", late)


async def _nobody(self: Guests, comes: Any) -> None:
    """In place of whoever comes back."""


@planted("came back, and were taken for")
def guest_not_taken_back() -> Any:
    return patch.object(Guests, "_take_back", _nobody)


@planted("was told what is not in the journal: .*GAME_UPDATE")
def four_board_after_the_batch() -> Any:
    return patch.object(four_game, "after_each", lambda drops, board: [board] * len(drops))


@planted(r"was told .*'betId'.*, and there is \[")
def mario_bet_in_the_round_now_open() -> Any:
    accepted = RoomCroupier.accepted

    def now_open(self: RoomCroupier, round: int, bet: BetPlaced) -> Any:
        table = self.hall.reading.loaded(self.house or 0)
        return accepted(self, round if table is None else table.state.opened.round, bet)

    return patch.object(RoomCroupier, "accepted", now_open)


@planted("heard what is in no journal")
def duel_deals_the_other_board() -> Any:
    view = DuelLink._view

    def of_the_other(self: DuelLink, state: TableState) -> Any:
        seen = view(self, state)
        if seen is None or state.game.boards is None:
            return seen
        sides = view_of_all(state).sides
        return replace(seen, sides=sides[::-1])

    def view_of_all(state: TableState) -> Any:
        return BingoDuel().view(state.game, None)

    return patch.object(DuelLink, "_view", of_the_other)


@planted("heard what is not so")
def practice_comes_back_without_the_last_move() -> Any:
    of = Replays.retold

    async def all_but_the_last(self: Replays, table: int, player: int) -> Retold:
        retold = await of(self, table, player)
        return replace(retold, events=retold.events[:-1])

    return patch.object(Replays, "retold", all_but_the_last)


@planted("went back from row")
def watch_never_looks_again() -> Any:
    now = DuelRooms.now
    seen: dict[tuple[DuelRooms, int], Room] = {}

    async def once(self: DuelRooms, info: TableInfo) -> Room:
        if (self, info.id) not in seen:
            seen[self, info.id] = await now(self, info)
        return seen[self, info.id]

    return patch.object(DuelRooms, "now", once)


# In tournaments


@planted(r"game \d+ of tournament \d+ counts as .*, and ended as")
def tournament_counts_for_the_loser() -> Any:
    report = TournamentGames._report

    def swapped(self: TournamentGames, table: int, winner: int | None, *how: Any) -> None:
        report(self, table, None if winner is None else 1 - winner, *how)

    return patch.object(TournamentGames, "_report", swapped)


async def _not_taken_up(self: TournamentGames, tournament: int) -> None:
    """In place of going on with what another node has paired."""


@planted("tournaments end")
def tournament_dies_with_its_node() -> Any:
    return patch.object(TournamentGames, "_take_up", _not_taken_up)


# At private tables


@planted("heard of a private table without its key")
def private_table_without_a_lock() -> Any:
    return patch.object(Seating, "_check_key", lambda self, table, online, key: None)


@planted("saw private tables in a list")
def private_table_in_the_list() -> Any:
    tables = Store.tables

    async def of_all(self: Store, *, private: bool, **wanted: Any) -> list[TableInfo]:
        return await tables(self, private=True, **wanted)

    return patch.object(Store, "tables", of_all)
