"""An answer that comes by a callback, and can be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any, Generic, TypeVar

from gamehall.errors import HallError

T = TypeVar("T")


class Awaited(Generic[T]):
    """Give it as the reply, then await it: it returns the answer, or raises the error that comes in
    its place. Only the first answer counts."""

    __slots__ = ("_answer",)

    def __init__(self) -> None:
        self._answer: asyncio.Future[T | HallError] = asyncio.get_running_loop().create_future()

    def __call__(self, answer: T | HallError) -> None:
        if not self._answer.done():
            self._answer.set_result(answer)

    @property
    def given_up(self) -> bool:
        """Whether it was awaited, and is not any more."""
        return self._answer.cancelled()

    def __await__(self) -> Generator[Any, None, T]:
        answer = yield from self._answer.__await__()
        if isinstance(answer, HallError):
            raise answer
        return answer
