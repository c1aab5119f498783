"""The part of the port that lists tables, finished rounds, standings and ratings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from gamehall.store.appends import SeatResult, TableStatus
from gamehall.store.database import Part, Transaction

_TABLE = """SELECT id, game, status, round, round_seq, head, hash, names, count, private, rated,
    opened_at_ms, changed_at_ms FROM tables"""
_RATING = """SELECT player, name, game, bot, mu, sigma, rounds
    FROM ratings JOIN players ON id = player"""
_PUT_RATING = """INSERT INTO ratings VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (player, game) DO UPDATE SET bot = excluded.bot, mu = excluded.mu,
        sigma = excluded.sigma, rounds = excluded.rounds"""


class TableInfo(msgspec.Struct, frozen=True):
    id: int
    game: str
    status: TableStatus
    round: int
    round_seq: int
    head: int
    hash: str
    names: tuple[str, ...]
    count: int
    private: bool
    rated: bool
    opened_at_ms: int
    changed_at_ms: int


TABLES_PAGE = 100
"""Tables that `every_table` reads at once."""
ROUND_BITS = 22
"""With the 31 of a table's id, a place in the history is an integer that JSON carries exactly."""
_INT_MAX = 2**63 - 1


class HistoryItem(msgspec.Struct, frozen=True):
    table: int
    game: str
    round: int
    first_seq: int
    last_seq: int
    hash: str
    ended_at_ms: int
    reason: str
    rated: bool
    results: tuple[SeatResult, ...]

    @property
    def place(self) -> int:
        """Older ones have a lower one."""
        return self.table << ROUND_BITS | self.round


def round_at(place: int | None) -> tuple[int, int]:
    """Its table and round; those of a place after all others, if it is None."""
    place = _INT_MAX if place is None else place
    return place >> ROUND_BITS, place & (1 << ROUND_BITS) - 1


class WinRecord(msgspec.Struct, frozen=True):
    player: int
    name: str
    played: int
    won: int
    drawn: int
    lost: int


class RatedRound(msgspec.Struct, frozen=True):
    """A finished round of a rated table, in the order in which they ended."""

    id: int
    game: str
    results: tuple[SeatResult, ...]


class Rating(msgspec.Struct, frozen=True):
    """How strong a player probably is at a game: around `mu`, give or take `sigma`."""

    player: int
    name: str
    game: str
    bot: bool
    """Bots have a league of their own."""
    mu: float
    sigma: float
    rounds: int


class Lists(Part):
    async def table(self, table: int) -> TableInfo | None:
        return await self._one(TableInfo, f"{_TABLE} WHERE id = $1 AND head > 0", table)

    async def table_by_origin(self, origin: str) -> int | None:
        key = self._database.key(origin)
        return await self._one(int, "SELECT id FROM tables WHERE origin = $1", key)

    async def tables(
        self, *, game: str | None, status: TableStatus | None, private: bool, after: int, limit: int
    ) -> list[TableInfo]:
        """By id, from the next after `after`. Without a status, all but closed ones; with
        `private`, private ones too."""
        values: list[Any] = [after, limit]
        # In these words, so that the index of open tables serves.
        where = "/* INDEXED BY tables_open */ WHERE status <> 'closed'"
        if status == "closed":
            where = "WHERE status = 'closed'"
        elif status is not None:
            values.append(status)
            where += f" AND status = ${len(values)}"
        if game is not None:
            values.append(game)
            where += f" AND game = ${len(values)}"
        if not private:
            where += " AND NOT private"
        page = f"{_TABLE} {where} AND id > $1 ORDER BY id LIMIT $2"
        return await self._database.page(TableInfo, page, *values)

    async def tables_of(self, player: int) -> list[int]:
        """Open tables at which this player may act."""
        return await self._database.few(
            int,
            "SELECT table_id FROM seated WHERE player = $1 ORDER BY table_id LIMIT 10000",
            player,
        )

    async def seats_of(self, players: Sequence[int]) -> list[tuple[int, int]]:
        """(player, table) wherever one of them may act, in this order."""
        return await self._database.page(
            tuple[int, int],
            """SELECT player, table_id FROM seated WHERE player = ANY($1::bigint[])
            ORDER BY player, table_id""",
            [*players],
        )

    async def history(
        self, *, game: str | None, player: int | None, before: int | None, limit: int
    ) -> list[HistoryItem]:
        """Finished rounds of public tables, newest first; those older than the place `before`."""
        values: list[Any] = [*round_at(before), limit]
        source, of, where = "rounds", "rounds", "NOT private AND NOT voided"
        if player is not None:
            # Named, because SQLite sorts all of a player's rounds if it orders by the joined ones.
            source, of = "played /* CROSS */ JOIN rounds USING (table_id, round)", "played"
            values.append(player)
            where += f" AND player = ${len(values)}"
        if game is not None:
            values.append(game)
            where += f" AND game = ${len(values)}"
        return await self._database.page(
            HistoryItem,
            f"""SELECT {of}.table_id, game, {of}.round, first_seq, last_seq, hash, ended_at_ms,
                reason, rated, results
            FROM {source} WHERE {where} AND ({of}.table_id, {of}.round) < ($1, $2)
            ORDER BY {of}.table_id DESC, {of}.round DESC LIMIT $3""",
            *values,
        )

    async def standings(self, *, game: str | None, limit: int) -> list[WinRecord]:
        """Members and guests by games won, then by fewest lost."""
        return await self._database.page(
            WinRecord,
            f"""SELECT id, name, sum(played)::bigint, sum(won)::bigint AS won, sum(drawn)::bigint,
                sum(lost)::bigint AS lost
            FROM standings JOIN players ON players.id = standings.player
            WHERE kind <> 'bot' {"" if game is None else "AND game = $2"}
            GROUP BY id ORDER BY won DESC, lost, id LIMIT $1""",
            limit,
            *(() if game is None else (game,)),
        )

    # Ratings, which follow from finished rounds

    async def unrated_rounds(self, limit: int) -> list[RatedRound]:
        """Rounds of rated tables that no rating counts yet, in the order of their ends."""
        return await self._database.page(
            RatedRound,
            """SELECT rated_rounds.id, game, results
            FROM rated_rounds JOIN rounds USING (table_id, round)
            WHERE rated_rounds.id > (SELECT value FROM counters WHERE name = 'rated')
            ORDER BY rated_rounds.id LIMIT $1""",
            limit,
        )

    async def put_ratings(self, first: int, upto: int, ratings: Sequence[Rating]) -> None:
        """Writes ratings that count the rounds from the id `first` `upto` another. Does nothing if
        the first is counted already: another node has changed the ratings that these rest on."""
        # In the order in which all nodes lock them.
        rows = sorted((r.player, r.game, r.bot, r.mu, r.sigma, r.rounds) for r in ratings)
        count = "UPDATE counters SET value = $2 WHERE name = 'rated' AND value < $1"

        async def put(change: Transaction) -> None:
            if await change.execute(count, first, upto):
                await change.execute_many(_PUT_RATING, rows)

        await self._database.change(put)

    async def ratings_of(self, game: str, players: Sequence[int]) -> list[Rating]:
        """The ratings of those who have one."""
        whose = f"{_RATING} WHERE game = $1 AND player = ANY($2::bigint[])"
        return await self._database.page(Rating, whose, game, [*players])

    async def best_rated(self, game: str, *, bots: bool, limit: int) -> list[Rating]:
        """The best by what they are with near certainty: `mu` less three times `sigma`."""
        best = f"""{_RATING} WHERE game = $1 AND bot = $2
            ORDER BY mu - 3 * sigma DESC, player LIMIT $3"""
        return await self._database.page(Rating, best, game, bots, limit)


async def every_table(lists: Lists, *, after: int = 0) -> AsyncIterator[TableInfo]:
    """All but closed ones, private ones too, from the next after `after`, read page by page."""
    while True:
        found = await lists.tables(
            game=None, status=None, private=True, after=after, limit=TABLES_PAGE
        )
        for table in found:
            yield table
        if len(found) < TABLES_PAGE:
            return
        after = found[-1].id
