"""Draws from a committed secret, the same whenever and wherever they are made.

The stream of a label is HMAC-SHA256(seed, label ‖ 0x00 ‖ u32be block) for block 0, 1, 2 …, read as
big-endian 32-bit words. To draw below `n`, words of 2³² − (2³² mod n) or more are passed over, so
that every result is equally likely. Nothing is remembered between calls: a label is one draw, and
deciding a command again gives the same result. docs/fairness.md has test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from struct import pack, unpack
from typing import TypeVar

T = TypeVar("T")
_WORD = 1 << 32


class Chance:
    """The chance of one round. Use each label once a round, e.g. `roll:7`."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def below(self, label: str, *sizes: int) -> tuple[int, ...]:
        """One number for each size, from 0 up to but not including it."""
        words = self._words(label)
        return tuple(_below(words, size) for size in sizes)

    def shuffled(self, label: str, items: Sequence[T]) -> list[T]:
        """The items in a random order (Fisher-Yates from the top)."""
        words = self._words(label)
        order = list(items)
        for top in range(len(order) - 1, 0, -1):
            other = _below(words, top + 1)
            order[top], order[other] = order[other], order[top]
        return order

    def _words(self, label: str) -> Iterator[int]:
        prefix = label.encode() + b"\0"
        block = 0
        while True:
            yield from unpack(">8I", hmac.digest(self._seed, prefix + pack(">I", block), "sha256"))
            block += 1


def commitment_to(secret: bytes) -> str:
    """What is told before the first seat is taken: the secret's SHA-256, in hex."""
    return hashlib.sha256(secret).hexdigest()


def _below(words: Iterator[int], size: int) -> int:
    if not 0 < size <= _WORD:
        raise ValueError(f"cannot draw below {size}")
    limit = _WORD - _WORD % size
    for word in words:
        if word < limit:
            return word % size
    raise AssertionError("the stream of words has no end")
