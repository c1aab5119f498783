"""Where secrets come from: one key, kept in a file of its own and never in the database."""

from __future__ import annotations

import base64
import hmac
from dataclasses import dataclass

from gamehall.games.chance import commitment_to


class DrawKey:
    """The key from which every round's secret and every private table's key follow.

    It gives all results away, together with the journal: back it up apart from the database.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) < 32:
            raise ValueError("The draw key has at least 32 bytes.")
        self._key = key

    @property
    def fingerprint(self) -> bytes:
        """Another for every key; nothing can be drawn from it."""
        return hmac.digest(self._key, b"fingerprint", "sha256")[:16].hex().encode()

    def secret(self, table: int, round: int, nonce: str) -> bytes:
        message = b"%d|%d|" % (table, round) + bytes.fromhex(nonce)
        return hmac.digest(self._key, message, "sha256")

    def table_key(self, table: int) -> str:
        """What opens a private table. It follows from the table's id, so it is never stored."""
        digest = hmac.digest(self._key, b"table key|%d" % table, "sha256")
        return base64.urlsafe_b64encode(digest[:12]).decode()

    def opens(self, table: int, key: str | None) -> bool:
        """Whether this is the key of a private table."""
        expected = self.table_key(table)
        return key is not None and hmac.compare_digest(key.encode(), expected.encode())


@dataclass(slots=True, eq=False, repr=False)
class TableDraws:
    """The draws of one table; keeps the secret of the round that was asked for last."""

    _key: DrawKey
    _table: int
    _nonce: str
    _round: int = 0
    _secret: bytes = b""

    def table_key(self) -> str:
        return self._key.table_key(self._table)

    def secret(self, round: int) -> bytes:
        if round != self._round:
            self._secret = self._key.secret(self._table, round, self._nonce)
            self._round = round
        return self._secret

    def commitment(self, round: int) -> str:
        return commitment_to(self._key.secret(self._table, round, self._nonce))
