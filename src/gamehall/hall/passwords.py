"""Passwords, hashed with argon2: in a thread, since one hash takes longer than many moves."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from gamehall.errors import BadPassword, Unavailable

CHARACTERS_LEAST, CHARACTERS_MAX = 6, 128
WAITING_MAX = 64
"""Hashes that may wait; more are refused, so that a flood of logins stays small."""


class Passwords:
    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._one_at_a_time = asyncio.Semaphore(1)
        self._waiting = 0
        self._stranger = ""

    async def hash(self, password: str, least: int = CHARACTERS_LEAST) -> str:
        """`least`: what clients of other systems use as passwords may be shorter than ours."""
        if not least <= len(password) <= CHARACTERS_MAX:
            raise BadPassword(f"A password has {least} to {CHARACTERS_MAX} characters.")
        return await self._in_thread(password, None) or ""

    async def matches(self, password: str, password_hash: str | None) -> bool:
        """Whether it is the one; takes as long for a name that nobody has (None)."""
        if len(password) > CHARACTERS_MAX:
            return False
        if password_hash is None:
            self._stranger = self._stranger or await self._in_thread("nobody's", None) or ""
            await self._in_thread(password, self._stranger)
            return False
        return await self._in_thread(password, password_hash) is not None

    async def _in_thread(self, password: str, against: str | None) -> str | None:
        if self._waiting >= WAITING_MAX:
            raise Unavailable("Too many logins at once. Try again in a moment.")
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                return await asyncio.to_thread(self._work, password, against)
        finally:
            self._waiting -= 1

    def _work(self, password: str, against: str | None) -> str | None:
        if against is None:
            return self._hasher.hash(password)
        try:
            self._hasher.verify(against, password)
        except (VerificationError, InvalidHashError):
            return None
        return against
