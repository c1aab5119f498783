"""What the RFC's clients ask, read and checked: requests, bets, names and passwords."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec

from gamehall.errors import HallError
from gamehall.games.sicbo_events import Bet
from gamehall.games.sicbo_layout import SIDES, Side
from gamehall.store.appends import Request
from gamehall.wire.native.action import Asked as NativeAsked

REQUEST_ID_CHARACTERS_MAX = 64
AMOUNT_MAX = 2**53
"""Above it not every whole number has a place in a client's floating point."""

INTEGER = re.compile(rb"-?(0|[1-9][0-9]*)")
_ROUND = re.compile(r"R([1-9][0-9]{0,15})")
_SIDES: dict[str, Side] = {**{side: side for side in SIDES}, "TAI": "BIG", "XIU": "SMALL"}
_NO_SIDE = (
    "There is no such side. A bet is on BIG (or TAI), SMALL (or XIU), ODD, EVEN, ANY_LEO, LEO1 to"
    " LEO6, SUM4 to SUM17, DICE1SG to DICE6SG, DICE1DB to DICE6DB, or DICE12 to DICE56."
)
_NO_AMOUNTS = {
    b"t": "true or false",
    b"f": "true or false",
    b'"': "a string",
    b"[": "a list or an object",
    b"{": "a list or an object",
}
"""What a value is, by how it begins."""
_NULL = msgspec.Raw(b"null")

_encode = msgspec.json.Encoder().encode


class Wrong(HallError):
    """A request that the door itself refuses; `echo` is its request id, if that can be read."""

    def __init__(self, code: str, message: str, echo: Any = None) -> None:
        super().__init__(message)
        self.rfc_code = code
        self.echo = echo


class Asked(NativeAsked, frozen=True, gc=False):
    """A request, with its payload still to be read."""

    def by_content(self, player: int, content: str) -> Request | None:
        """Names what is asked, by its content: the same through `rfc` and `mario`, however it was
        written.

        Its id counts in the bet's round alone, since clients use it again in others. So the round
        is no part of the content: a bet that names the one now open is the same as one that names
        none.
        """
        if self.request_id is None:
            return None
        digest = hashlib.sha256(content.encode()).digest()[:16]
        return Request(player, self.request_id, digest, by_round=True)


class _Envelope(msgspec.Struct, frozen=True, rename="camel", gc=False):
    action: msgspec.Raw = _NULL
    request_id: msgspec.Raw = _NULL
    payload: msgspec.Raw = _NULL


class _PlaceBet(msgspec.Struct, frozen=True, rename="camel", gc=False):
    round_id: msgspec.Raw = _NULL
    side: msgspec.Raw = _NULL
    amount: msgspec.Raw = _NULL


class Credentials(msgspec.Struct, frozen=True):
    username: str
    password: str


_read_envelope = msgspec.json.Decoder(_Envelope).decode
_read_place_bet = msgspec.json.Decoder(_PlaceBet).decode
_read_credentials = msgspec.json.Decoder(Credentials).decode
_read_text = msgspec.json.Decoder(str).decode


def bad_request(message: str, echo: Any = None) -> Wrong:
    return Wrong("BAD_REQUEST", message, echo)


def read_request(message: bytes) -> Asked:
    """The request in a JSON object. Raises Wrong."""
    try:
        envelope = _read_envelope(message)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise bad_request(f"This is no request: {error}") from None
    key, echo = read_request_id(envelope.request_id)
    action = text_of(envelope.action)
    if action is None:
        raise bad_request("A request has an `action`, which is a string.", echo)
    payload = bytes(envelope.payload)
    if payload == b"null":
        payload = b"{}"
    if not payload.startswith(b"{"):
        raise bad_request("A `payload` is an object.", echo)
    return Asked(action, key, payload, echo)


def read_request_id(raw: msgspec.Raw) -> tuple[str | None, Any]:
    """The request id as the hall keeps it, and as it goes back. Raises Wrong."""
    token = bytes(raw)
    if token == b"null":
        return None, None
    is_number = token[:1] in b"-0123456789"
    key = f"={token.decode()}" if is_number else text_of(raw)
    if key is None or len(key) > REQUEST_ID_CHARACTERS_MAX + is_number:
        raise bad_request(
            "A `requestId` is a string or a number, of at most"
            f" {REQUEST_ID_CHARACTERS_MAX} characters."
        )
    # A copy: it must not keep the whole message in memory. An empty id names no request.
    return key or None, msgspec.Raw(token)


def read_credentials(asked: Asked) -> Credentials:
    """Raises Wrong."""
    try:
        return _read_credentials(asked.sent)
    except msgspec.MsgspecError as error:
        raise bad_request(f"`login` takes `username` and `password`: {error}") from None


def read_bet(payload: bytes) -> Bet:
    """The bet in a payload that is an object. Raises Wrong."""
    given = _read_place_bet(payload)
    side = _SIDES.get(text_of(given.side) or "")
    if side is None:
        raise Wrong("INVALID_SIDE", _NO_SIDE)
    return Bet(side, _read_amount(bytes(given.amount)), _read_round(given.round_id))


def read_open_round(payload: bytes) -> int | None:
    """The round that a payload names, an object; None is the one now open. Raises Wrong."""
    return _read_round(_read_place_bet(payload).round_id)


def read_amount(payload: bytes) -> int:
    """The amount in a payload that is an object. Raises Wrong."""
    return _read_amount(bytes(_read_place_bet(payload).amount))


def text_of(raw: msgspec.Raw) -> str | None:
    """The string that it is, or None."""
    try:
        return _read_text(raw)
    except msgspec.MsgspecError:
        return None


def _read_amount(token: bytes) -> int:
    if token == b"null":
        raise Wrong("INVALID_AMOUNT", "The amount is missing.")
    if not INTEGER.fullmatch(token):
        kind = _NO_AMOUNTS.get(token[:1], "a number with a fraction or an exponent")
        sentence = f"The amount is {kind}; it must be a whole number of chips."
        raise Wrong("INVALID_AMOUNT", sentence)
    # Measured before it is read: digits without end would take time without end.
    amount = int(token) if len(token) <= len(str(AMOUNT_MAX)) else AMOUNT_MAX + 1
    if token.startswith(b"-") or amount == 0:
        raise Wrong("INVALID_AMOUNT", "The amount must be positive: a bet is at least 1 chip.")
    if amount > AMOUNT_MAX:
        raise Wrong("INVALID_AMOUNT", f"The amount is over {AMOUNT_MAX}, the most that fits.")
    return amount


def _read_round(raw: msgspec.Raw) -> int | None:
    name = text_of(raw)
    if bytes(raw) == b"null" or name == "":
        return None
    found = _ROUND.fullmatch(name or "")
    if found is None:
        raise Wrong("ROUND_NOT_FOUND", "There is no such round: they are called R1, R2, ….")
    return int(found[1])
