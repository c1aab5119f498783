"""What waits to be written: appends, checked and weighed, in a bounded queue that a writer takes in
groups. Each is answered once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import structlog

from gamehall.store.appends import Answer, Append, NotWritten, Transfer, Unknown

log = structlog.get_logger(__name__)

GROUP_BYTES_MAX = 1_000_000
_ROW_BYTES = 200
_TRANSFER_BYTES = 300
_APPEND_BYTES = 500
_PERSON_BYTES = 100


class Work(Protocol):
    """Something to write."""

    @property
    def rows(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def answer(self, answer: Any) -> None:
        """Called once: with what writing it gave when that is durable, else with what failed."""


W = TypeVar("W", bound=Work)


class WorkQueue(Generic[W]):
    def __init__(self, bytes_max: int) -> None:
        """`bytes_max`: of everything that is not answered yet; more is answered NotWritten."""
        self.accepts = False
        self._waiting: deque[W] = deque()
        self._bytes_max = bytes_max
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def first(self) -> W:
        return self._waiting[0]

    def put(self, work: W) -> bool:
        """Whether it waits now; else the queue has answered it. Answers come later, on the loop."""
        if not self.accepts or self._bytes + work.bytes > self._bytes_max:
            asyncio.get_running_loop().call_soon(work.answer, NotWritten())
            return False
        self._bytes += work.bytes
        self._waiting.append(work)
        return True

    def take(self, rows_max: int, joins: Callable[[W], bool]) -> list[W]:
        """The next group: as many as join it, each of them asked in turn. The first comes along
        however large it is."""
        waiting = self._waiting
        group: list[W] = []
        rows = bytes = 0
        while waiting and joins(waiting[0]):
            rows += waiting[0].rows
            bytes += waiting[0].bytes
            if group and (rows > rows_max or bytes > GROUP_BYTES_MAX):
                break
            group.append(waiting.popleft())
        return group

    def take_first(self) -> W:
        return self._waiting.popleft()

    def take_all(self) -> list[W]:
        every = list(self._waiting)
        self._waiting.clear()
        return every

    def put_back(self, group: Sequence[W]) -> None:
        """They are the next again, in their order."""
        self._waiting.extendleft(reversed(group))

    def answer(self, work: W, answer: Any) -> None:
        self._bytes -= work.bytes
        try:
            work.answer(answer)
        except Exception:
            # What one caller raises must not reach the others.
            log.exception("answer_failed")


class Trouble:
    """Says once that writing fails, although a disk that stays full fails every group, and once
    that it works again."""

    def __init__(self) -> None:
        self._lasts = False

    def failed(self, event: str, error: Exception) -> None:
        if not self._lasts:
            self._lasts = True
            log.error(event, error=str(error), kind=type(error).__name__)

    def ended(self) -> None:
        if self._lasts:
            self._lasts = False
            log.info("store_recovered")


class AppendWork:
    """An append in a writer's queue, with what it weighs and whom to tell."""

    __slots__ = ("append", "bytes", "done", "doubts", "rows", "rows_only")

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
        more = append.opening or append.summary or append.finished or rows > len(append.rows)
        self.rows_only = None if more else append
        """The append, if it is nothing but rows: such may be written together."""

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
