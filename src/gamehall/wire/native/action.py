"""An action of the native door, and the request that asks for it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from gamehall.store.appends import Request
from gamehall.wire.native.messages import Envelope, Payload

if TYPE_CHECKING:
    from gamehall.wire.native.dialect import NativeLink

Handler = Callable[["NativeLink", Any, "Asked"], Any]

Sent = bytes | msgspec.Raw
"""JSON as it came."""

read_envelope = msgspec.json.Decoder(Envelope).decode


@dataclass(slots=True)
class Action:
    """What the door does for one action. The handler answers, or returns what does.

    `once`: a second effect would harm, and no journal keeps the request, so the answer is
    remembered.
    """

    payload: type[Payload]
    answer: Any
    handler: Handler
    _: KW_ONLY
    login: bool = True
    once: bool = False
    decode: Callable[[bytes], Any] = field(init=False)

    def __post_init__(self) -> None:
        self.decode = msgspec.json.Decoder(self.payload).decode


class Asked(msgspec.Struct, frozen=True, gc=False):
    """The request that is being answered."""

    action: str
    request_id: str | None
    sent: Sent
    """Its payload."""
    echo: Any
    """The request id as it goes back."""

    def request(self, player: int) -> Request | None:
        if self.request_id is None:
            return None
        content = b"%b\0%b" % (self.action.encode(), self.sent)
        return Request(player, self.request_id, hashlib.sha256(content).digest()[:16])
