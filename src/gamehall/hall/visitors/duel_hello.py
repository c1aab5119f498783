"""What players of two-player Bingo show to come to their match, and what is made of it."""

from __future__ import annotations

import hashlib
import re
import secrets

import msgspec

from gamehall.hall.arena.as_server.book import digest_of
from gamehall.hall.people.link import Link
from gamehall.store.appends import Request

_DIGEST_BYTES = 32
"""Requests of other doors have shorter digests, so that nobody can pass for one of these."""
_REQUEST_ID = re.compile(r"duel:(\d*):(\d+):([0-9a-f]{8})[0-9a-f]{8}", re.ASCII)


class Hello(msgspec.Struct, frozen=True):
    """A match's credential, which both of its players show."""

    uids: tuple[int, int]
    match: int
    key: str
    fast: bool
    """Whether the client takes packets as fast as they come."""

    @property
    def name(self) -> str:
        """The match's."""
        return str(self.match)

    def credential(self) -> str:
        """The text that anyone can make who knows the match."""
        return f"duel:{self.uids[0]}:{self.uids[1]}:{self.match}:{self.key}"

    def uid_of(self, part: int) -> int:
        return self.uids[part]

    def credential_of(self, part: int) -> str:
        """By which the guest is known who plays this part."""
        return f"{self.credential()}:{part}"


class OwnHello(msgspec.Struct, frozen=True):
    """A player's own credential: its uid and the key of its match."""

    uid: int
    key: str
    fast: bool
    match: int | None = None
    """Under which number it plays there, if the player came with a match's credential."""

    @property
    def name(self) -> str:
        """The match's, where it has no number."""
        return key_name(self.key)

    def credential(self) -> str:
        """The text that anyone can make who knows the match, where it has no number."""
        return f"duel:key:{self.key}"

    def uid_of(self, part: int) -> int:
        return self.uid

    def credential_of(self, part: int) -> str:
        """By which the guest is known who plays there with this uid."""
        return f"{self.credential()}:{self.uid}"


AnyHello = Hello | OwnHello


def key_name(key: str) -> str:
    return f"key:{digest_of(key)}"


def match_digest(hello: AnyHello) -> bytes:
    """Of what both players of the match know."""
    return hashlib.sha256(hello.credential().encode()).digest()


def mark_of(hello: AnyHello, address: str) -> str:
    """Tells addresses apart, and no more of them to who does not know the key of the match."""
    return f":{hashlib.sha256(f'{hello.credential()}|{address}'.encode()).hexdigest()[:8]}"


def request_of(hello: AnyHello, part: int, link: Link) -> Request:
    """Names match and uid in the journal (`named_by`). Never the same twice: it is for whoever
    reads the journal, not for asking again."""
    mark = mark_of(hello, link.address) + secrets.token_hex(4)
    number = "" if hello.match is None else hello.match
    id = f"duel:{number}:{hello.uid_of(part)}{mark}"
    return Request(link.me.player.id, id, match_digest(hello))


def named_by(request: Request | None) -> tuple[int | None, int] | None:
    """Match, if it has a number, and uid that a `request_of` names; None: it is another's."""
    if request is None or len(request.digest) != _DIGEST_BYTES:
        return None
    found = _REQUEST_ID.fullmatch(request.id)
    return None if found is None else (int(found[1]) if found[1] else None, int(found[2]))
