"""A finished log, judged again, so that nobody has to believe the hall.

What a log alone cannot show is told in `Verdict.notes`; docs/fairness.md says what the whole scheme
is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from gamehall.games.chance import commitment_to
from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.decide_again import DecideAgain
from gamehall.table_log.journal import chained
from gamehall.table_log.log import Log, LogError, Untold, read_log


class Verdict(msgspec.Struct, frozen=True):
    ok: bool
    checks: tuple[str, ...]
    """What was found in order, in plain words."""
    problems: tuple[LogError, ...]
    notes: tuple[str, ...] = ()
    """What this log cannot show."""


def verify_log(
    lines: Iterable[bytes], games: Mapping[str, Game[Any]], last_hash: str | None = None
) -> Verdict:
    """What a finished log is worth; `last_hash` is what a player was told when a round ended."""
    try:
        log = read_log(lines, games)
    except LogError as error:
        return Verdict(False, (), (error,))
    return _Judge(log, last_hash).verdict()


class _Judge:
    def __init__(self, log: Log, last_hash: str | None) -> None:
        self._log = log
        self._last_hash = last_hash
        self._hashes = _hashes(log)
        self._checks: list[str] = []
        self._problems: list[LogError] = []
        self._notes: list[str] = []

    def verdict(self) -> Verdict:
        log, first, last = self._log, self._log.rows[0], self._log.rows[-1]
        if log.filtered or log.running is not None:
            self._problems.append(LogError(0, self._unfinished_words()))
        in_order = self._passes(
            self._wrong_order(),
            f"{len(log.rows)} rows of table {first.table} ({log.game.title}) are numbered"
            f" {first.seq} to {last.seq} without a gap, and time never goes back.",
        )
        if self._passes(
            self._broken_chain(), f"The hash chain holds. Its last hash: {self._hashes[-1]}"
        ):
            self._compare_hash()
        self._passes(self._wrong_secrets(), self._secrets_words())
        # Rows that are missing or out of order would only give more problems of the same kind.
        if in_order:
            self._decide_again()
        if first.seq > 1:
            self._notes.append(
                f"The log begins with row {first.seq}. That row, and the hash of all before it, are"
                " taken as they are."
            )
        return Verdict(
            not self._problems, tuple(self._checks), tuple(self._problems), tuple(self._notes)
        )

    def _unfinished_words(self) -> str:
        if self._log.filtered:
            return (
                f"After row {self._log.rows[-1].seq} the log shows only what a spectator may see of"
                " a running round. That cannot be verified: get the log again when it is over."
            )
        return (
            f"Round {self._log.running} has no end in this log, so its secret is not told and it"
            " cannot be verified. If it is still played, get the log again when it is over."
        )

    def _passes(self, errors: Iterator[LogError], words: str) -> bool:
        problems = list(errors)
        self._problems += problems
        if not problems and words:
            self._checks.append(words)
        return not problems

    def _wrong_order(self) -> Iterator[LogError]:
        if self._log.rows[0].seq < 1:
            yield LogError(0, "Rows are numbered from 1.")
        for before, row in pairwise(self._log.rows):
            if row.seq != before.seq + 1:
                yield LogError(row.seq, f"Row {row.seq} follows row {before.seq}.")
            if row.table != before.table:
                yield LogError(row.seq, f"It is of table {row.table}, not {before.table}.")
            if row.at_ms < before.at_ms:
                yield LogError(row.seq, "It is earlier than the row before it.")

    def _broken_chain(self) -> Iterator[LogError]:
        """The chain is bound at every `Opened` and by a last hash, wherever that comes from."""
        for hash, row in zip(self._hashes, self._log.rows, strict=False):
            for event in row.events:
                if isinstance(event, house.Opened) and event.previous != hash:
                    yield LogError(row.seq, "The hash chain breaks: a row before was changed.")
        head, hash = self._log.rows[-1].seq, self._hashes[-1]
        trailer = None if self._log.filtered else self._log.trailer
        if trailer is not None and (trailer.head, trailer.hash) != (head, hash):
            yield LogError(
                0,
                f"The log's last line tells of {trailer.head} rows and of another hash than these"
                " give: rows were changed, or are missing.",
            )
        if self._last_hash is not None and self._last_hash not in self._hashes[1:]:
            yield LogError(0, "No row has the given hash: rows were changed, or are missing.")

    def _compare_hash(self) -> None:
        rows = self._log.rows
        if self._last_hash is None:
            self._notes.append(
                "Compare the last hash with the one that was told when the game ended: only that"
                " shows that the log was not cut off or written anew as a whole."
            )
            return
        row = rows[self._hashes.index(self._last_hash, 1) - 1]
        self._checks.append(f"The given hash is that of row {row.seq}.")
        if row is not rows[-1]:
            self._notes.append(f"The rows after {row.seq} are newer than the given hash.")

    def _wrong_secrets(self) -> Iterator[LogError]:
        for number, round in self._log.rounds.items():
            secret = round.told
            if round.secret is not None and (
                secret is None or commitment_to(secret) != round.opened.commitment
            ):
                yield LogError(
                    round.ended_seq, f"The secret of round {number} is not the one committed to."
                )

    def _secrets_words(self) -> str:
        told = [n for n, round in self._log.rounds.items() if round.secret is not None]
        if not told:
            return ""
        which = f"round {told[0]}" if len(told) == 1 else f"rounds {told[0]} to {told[-1]}"
        return (
            f"Secrets told: {len(told)} ({which})."
            " Each is the one committed to when its round opened."
        )

    def _decide_again(self) -> None:
        log = self._log
        again = DecideAgain(log)
        end_seq = log.rows[-1].seq if log.running is None else log.last_told
        decided = 0
        for row, line in zip(log.rows, log.lines, strict=True):
            if row.seq > end_seq:
                break
            try:
                if row is log.rows[0] and row.seq > 1:
                    again.take_first(row)
                else:
                    again.take(row, line)
                    decided += 1
            except LogError as error:
                problem = error
            except Untold:
                problem = LogError(row.seq, "It draws, but the secret of its round is not told.")
            except Exception as error:  # noqa: BLE001 (a forged log can make any rules fail)
                problem = LogError(row.seq, f"The rules fail here ({type(error).__name__}).")
            else:
                continue
            self._problems.append(problem)
            self._notes.append(f"What comes after row {row.seq} was not decided again.")
            return
        if decided:
            self._checks.append(
                f"{decided} commands were decided again, with the same chance, and cause exactly"
                " the events in the log."
            )


def _hashes(log: Log) -> list[str]:
    """The chain's hash before the first row, and after each."""
    first = log.rows[0]
    opened = (event for event in first.events if isinstance(event, house.Opened))
    hashes = ["" if first.seq == 1 else next(opened).previous]
    for line in log.lines:
        hashes.append(chained(hashes[-1], line))
    return hashes
