"""An action of the native door, and the request that asks for it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from gamehall.store.appends import Request
from gamehall.wire.native.messages import Envelope, Payload, RequestId

if TYPE_CHECKING:
    from gamehall.wire.native.dialect import NativeLink

Handler = Callable[["NativeLink", Any, "Asked"], Any]

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

    def message(self, name: str) -> type[msgspec.Struct]:
        """The envelope that asks for it by that name, with the payload in its own form."""
        optional = len(self.payload.__struct_defaults__) == len(self.payload.__struct_fields__)
        default = (msgspec.field(default_factory=self.payload),) if optional else ()
        return msgspec.defstruct(
            name,
            [("requestId", RequestId, None), ("payload", self.payload, *default)],
            tag_field="action",
            tag=name,
            frozen=True,
            forbid_unknown_fields=True,
            gc=False,
            kw_only=True,
        )


class Asked(msgspec.Struct, frozen=True, gc=False):
    """The request that is being answered."""

    action: str
    request_id: str | None
    sent: bytes
    """Its payload; with an `envelope`, the message that holds it."""
    echo: Any
    """The request id as it goes back."""
    envelope: bool = False

    def request(self, player: int) -> Request | None:
        if self.request_id is None:
            return None
        return Request(player, self.request_id, self.digest())

    def digest(self) -> bytes:
        raw = read_envelope(self.sent).payload if self.envelope else self.sent
        return hashlib.sha256(self.action.encode() + b"\0" + raw).digest()[:16]
