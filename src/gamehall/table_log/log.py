"""A table's log as it is exported: the lines of its rows, and what they say of its rounds.

It begins with the table's first row, or with one in which a round opened. A last line
`{"head": N, "hash": "…"}` may follow: the number of the last row, and the chain's hash there. Rows
marked `"filtered": true` show what a spectator may see of a round that is still played, and prove
nothing: a log is read up to the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.journal import Row, codec_of

_SHOWN_MAX = 200
"""Characters of a foreign text that a sentence of ours quotes."""


class LogError(Exception):
    """What is wrong with a log, found in row `seq`; 0 is the log as a whole."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(what)
        self.seq = seq


class Untold(Exception):
    """A draw of a round whose secret the log does not tell."""


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of an exported log."""

    head: int
    hash: str


class Round(msgspec.Struct):
    opened: house.Opened
    secret: str | None = None
    """None until it is told."""
    ended_seq: int = 0
    """The row that tells it."""

    @property
    def told(self) -> bytes | None:
        """The secret, if it was told and is one."""
        try:
            return None if self.secret is None else bytes.fromhex(self.secret)
        except ValueError:
            return None


class Log(msgspec.Struct, frozen=True):
    """A log that could be read. Whether it is true is another question."""

    game: Game[Any]
    rows: tuple[Row, ...]
    lines: tuple[bytes, ...]
    trailer: Trailer | None
    rounds: dict[int, Round]
    """By their numbers, in the order in which they opened."""
    closed: bool
    filtered: bool
    """Whether filtered rows follow."""

    @property
    def running(self) -> int | None:
        """The round whose play the log shows without its end."""
        number, last = next(reversed(self.rounds.items()))
        # One row can end a round and open the next; nothing of that one has been played.
        has_end = self.closed or last.secret is not None or self.last_told == self.rows[-1].seq
        return None if has_end else number

    @property
    def last_told(self) -> int:
        """The last row in which a secret was told; 0 if there is none."""
        return max(round.ended_seq for round in self.rounds.values())

    # As `Draws`

    def secret(self, round: int) -> bytes:
        """Raises Untold."""
        secret = self.rounds[round].told if round in self.rounds else None
        if secret is None:
            raise Untold
        return secret

    def commitment(self, round: int) -> str:
        return self.rounds[round].opened.commitment if round in self.rounds else ""


class _Peek(msgspec.Struct):
    events: list[dict[str, Any]]
    filtered: bool = False


def read_log(lines: Iterable[bytes], games: Mapping[str, Game[Any]]) -> Log:
    """The rows of a log, decoded. Raises LogError if it is none, or of a game not in `games`."""
    written = [line for line in (line.rstrip(b"\r\n") for line in lines) if line.strip()]
    trailer = read_trailer(written[-1]) if written else None
    if trailer is not None:
        written.pop()
    if not written:
        raise LogError(0, "The log has no rows.")
    name = _game_name(written[0])
    if name not in games:
        raise LogError(0, f"The game `{shortened(name)}` is not installed here.")
    codec = codec_of(games[name])
    rows: list[Row] = []
    filtered = False
    for line in written:
        try:
            rows.append(codec.decode(line))
        except (ValueError, RecursionError) as error:
            filtered = bool(rows) and _is_filtered(line)
            if filtered:
                break
            where = f"Line {len(rows) + 1} is not a row of a {name} table"
            seq = rows[-1].seq + 1 if rows else 0
            raise LogError(seq, f"{where}: {shortened(str(error))}.") from None
    rounds = _rounds(rows)
    closed = any(isinstance(event, house.Closed) for row in rows for event in row.events)
    lines = tuple(written[: len(rows)])
    return Log(games[name], tuple(rows), lines, trailer, rounds, closed, filtered)


def read_trailer(line: bytes) -> Trailer | None:
    """The trailer that this line is, or None."""
    try:
        return msgspec.json.decode(line, type=Trailer)
    except (ValueError, RecursionError):
        return None


def shortened(text: str) -> str:
    """The text, short enough to be quoted in a sentence."""
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "…"


def _game_name(line: bytes) -> str:
    try:
        events = msgspec.json.decode(line, type=_Peek).events
    except (ValueError, RecursionError) as error:
        raise LogError(0, f"Line 1 is not a row: {shortened(str(error))}.") from None
    for event in events:
        if event.get("type") == "opened":
            return str(event.get("game"))
    raise LogError(0, "The log does not begin with a row in which a round opens.")


def _is_filtered(line: bytes) -> bool:
    try:
        return msgspec.json.decode(line, type=_Peek).filtered
    except (ValueError, RecursionError):
        return False


def _rounds(rows: Iterable[Row]) -> dict[int, Round]:
    rounds: dict[int, Round] = {}
    current: Round | None = None
    for row in rows:
        for event in row.events:
            if isinstance(event, house.Opened):
                current = rounds[event.round] = Round(event)
            # Before the first `Opened` stands the end of a round that is not in this log.
            elif isinstance(event, house.RoundEnded | house.RoundVoided) and current is not None:
                current.secret = event.secret
                current.ended_seq = row.seq
    return rounds
