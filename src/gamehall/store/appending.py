"""An append on its way to the disk: checked, weighed, and answered once."""

from __future__ import annotations

from collections.abc import Callable

from gamehall.store.appends import Answer, Append, NotWritten, Transfer, Unknown

_ROW_BYTES = 200
_TRANSFER_BYTES = 300
_APPEND_BYTES = 500
_PERSON_BYTES = 100


class AppendWork:
    """An append in a writer's queue, with what it weighs and whom to tell."""

    __slots__ = ("append", "bytes", "done", "doubts", "rows")

    def __init__(
        self, append: Append, done: Callable[[Answer], None], doubts: dict[int, int]
    ) -> None:
        """`doubts`: the beat of each table that was last answered Unknown.

        Raises:
            ValueError: no table may write that, and it would harm the others in its transaction.
        """
        if not append.rows:
            raise ValueError("an append has at least one row")
        rows = len(append.rows)
        bytes = _APPEND_BYTES + rows * _ROW_BYTES
        for row in append.rows:
            bytes += len(row.line)
            if row.transfers:
                _check_transfers(row.transfers)
                rows += len(row.transfers)
                bytes += len(row.transfers) * _TRANSFER_BYTES
        if append.summary is not None:
            bytes += _PERSON_BYTES * (len(append.summary.came) + len(append.summary.went))
        for finished in append.finished:
            bytes += _PERSON_BYTES * len(finished.results)
        self.append = append
        self.done = done
        self.doubts = doubts
        self.rows = rows
        self.bytes = bytes

    def answer(self, answer: Answer) -> None:
        """Tells the caller, but never NotWritten of an append that may have been written before:
        that one stays Unknown until the store itself has answered."""
        if self.doubts or isinstance(answer, Unknown):
            answer = self._doubted(answer)
        self.done(answer)

    def _doubted(self, answer: Answer) -> Answer:
        table, beat_id = self.append.table, self.append.beat_id
        if isinstance(answer, Unknown):
            self.doubts[table] = beat_id
        elif self.doubts.get(table) == beat_id:
            if isinstance(answer, NotWritten):
                return Unknown()
            del self.doubts[table]
        return answer


def _check_transfers(transfers: tuple[Transfer, ...]) -> None:
    for transfer in transfers:
        if transfer.chips <= 0:
            raise ValueError("a transfer moves at least one chip")
        if transfer.source == transfer.target:
            raise ValueError("a transfer is between two accounts")
