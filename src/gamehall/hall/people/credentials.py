"""Names and tokens, as they are read, made and kept."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata

from gamehall.errors import BadName

NAME_CHARACTERS_MAX = 32


def read_name(name: str) -> str:
    """The name, trimmed. Raises BadName."""
    name = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(name) <= NAME_CHARACTERS_MAX or not name.isprintable():
        raise BadName
    return name


def new_token() -> tuple[str, bytes]:
    token = secrets.token_urlsafe(32)
    return token, digest_of(token)


def credential_digest(credential: str) -> bytes:
    """Of what a door makes up to know someone by: no token that a client can send has it."""
    return hashlib.sha256(b"\xff" + credential.encode()).digest()


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
