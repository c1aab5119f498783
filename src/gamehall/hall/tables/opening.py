"""Tables that are being opened: nobody knows of them until their first row is durable."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from gamehall.errors import HallError, Internal, Unavailable
from gamehall.faults import as_refusal
from gamehall.hall.beat.deciding import opening as first_draft
from gamehall.hall.beat.draws import DrawKey, TableDraws
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.steps import Kind
from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.loading import Waiting
from gamehall.store.appends import Opening, Request
from gamehall.store.store import Store
from gamehall.table_log import house

if TYPE_CHECKING:
    from gamehall.hall.tables.tables import Tables


@dataclass(eq=False, repr=False)
class Openings:
    _tables: Tables
    _store: Store
    _nodes: Nodes
    _clock: Clock
    _draw_key: DrawKey
    _waiting: Waiting

    def __post_init__(self) -> None:
        self.under_way: dict[int, Table] = {}
        """Those whose first row is not durable yet."""

    async def open(
        self,
        game: str,
        options: dict[str, Any],
        *,
        origin: str | None = None,
        request: Request | None = None,
        **how: Any,
    ) -> int:
        """The id of a new table, durable; or of the one that this origin has opened before."""
        kind = self._tables.kind(game)
        options = msgspec.to_builtins(kind.rules.read_options(options))
        if origin is not None:
            existing = await self._store.table_by_origin(origin)
            if existing is not None:
                return existing
        id = await self._store.new_table()
        if not self._nodes.holds:
            raise Unavailable
        command = house.Open(game, options, secrets.token_hex(16), **how)
        opening = Opening(game, command.private, command.rated, origin, self._nodes.name)
        return await self._write(id, kind, command, opening, request)

    async def _write(
        self, id: int, kind: Kind, command: house.Open, opening: Opening, request: Request | None
    ) -> int:
        done = Awaited[Done]()

        def reply(answer: Done | HallError) -> None:
            self._opened(id, answer)
            done(answer)

        draws = TableDraws(self._draw_key, id, command.nonce)
        ask = Ask(id, None, command, reply, request, at_ms=self._clock.now_ms())
        ask.handed = True  # Nobody else can open it.
        try:
            draft = first_draft(kind, ask, draws)
            table = self._tables.finder.table(id, kind, 1, draws, draft.state)
            self.under_way[id] = table
            self._waiting.begin(id)
            table.open(draft, opening)
        except Exception as error:  # noqa: BLE001 (as_refusal logs it)
            if id in self.under_way:
                self._opened(id, Internal())
            raise as_refusal(error, "fault", table=id, command="Open") from None
        return (await done).table

    def _opened(self, id: int, answer: Done | HallError) -> None:
        table = self.under_way.pop(id)
        if isinstance(answer, Done) and not table.gone:
            self._tables.opened(table)
            self._waiting.end(id, table)
        else:
            table.retire()
            self._waiting.end(id, Unavailable())
