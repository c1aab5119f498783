"""Passwords, hashed with argon2: in threads, since one hash takes longer than many moves."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from gamehall.errors import BadPassword
from gamehall.hall.people.fair_threads import FairThreads, spare_cores
from gamehall.hall.people.link import Link

CHARACTERS_LEAST, CHARACTERS_MAX = 6, 128
WAITING_MAX = 64
"""Hashes that may wait; more are refused, so that a flood of logins stays small."""


class Passwords:
    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = FairThreads(spare_cores(), WAITING_MAX)
        self._stranger = ""

    def close(self) -> None:
        self._threads.close()

    async def hash(self, link: Link, password: str, least: int = CHARACTERS_LEAST) -> str:
        """`least`: what clients of other systems use as passwords may be shorter than ours."""
        if not least <= len(password) <= CHARACTERS_MAX:
            raise BadPassword(f"A password has {least} to {CHARACTERS_MAX} characters.")
        return await self._threads.run(link, lambda: self._hasher.hash(password))

    async def matches(self, link: Link, password: str, password_hash: str | None) -> bool:
        """Whether it is the one; takes as long for a name that nobody has (None)."""
        if len(password) > CHARACTERS_MAX:
            return False
        if password_hash is None:
            self._stranger = self._stranger or await self.hash(link, "nobody's")
            await self._threads.run(link, lambda: self._verify(self._stranger, password))
            return False
        return await self._threads.run(link, lambda: self._verify(password_hash, password))

    def _verify(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
