"""How a message is told from the next: by lines, or by the frames of the `websockets` package."""

from __future__ import annotations

from websockets.client import ClientProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri


class Lines:
    """A message is a line."""

    close_code: int | None = None
    is_open = True

    def __init__(self) -> None:
        self.rest = b""

    def framed(self, data: bytes) -> bytes:
        return data + b"\n"

    def feed(self, data: bytes) -> list[bytes]:
        *lines, self.rest = (self.rest + data).split(b"\n")
        return lines

    def feed_end(self) -> None:
        """No more comes."""

    def goodbye(self) -> None:
        """There is none."""

    def unsent(self) -> bytes:
        """What the protocol itself has to say."""
        return b""


class Frames:
    """A message is a WebSocket text frame."""

    def __init__(self, url: str) -> None:
        self.pings = 0
        self._protocol = ClientProtocol(parse_uri(url), max_size=None)
        self._protocol.send_request(self._protocol.connect())

    @property
    def is_open(self) -> bool:
        return self._protocol.state is OPEN

    @property
    def close_code(self) -> int | None:
        """The code with which the hall has closed."""
        received = self._protocol.close_rcvd
        return None if received is None else received.code

    def framed(self, data: bytes) -> bytes:
        return frame(Opcode.TEXT, data)

    def feed(self, data: bytes) -> list[bytes]:
        self._protocol.receive_data(data)
        events = self._protocol.events_received()
        for broken in (self._protocol.handshake_exc, self._protocol.parser_exc):
            if broken is not None:
                raise broken
        frames = [event for event in events if isinstance(event, Frame)]
        self.pings += sum(event.opcode is Opcode.PING for event in frames)
        control = (Opcode.PING, Opcode.PONG, Opcode.CLOSE)
        messages = [event for event in frames if event.opcode not in control]
        assert all((event.opcode, event.fin) == (Opcode.TEXT, True) for event in messages)
        return [bytes(event.data) for event in messages]

    def feed_end(self) -> None:
        self._protocol.receive_eof()

    def goodbye(self) -> None:
        if self.is_open:
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)

    def unsent(self) -> bytes:
        return b"".join(self._protocol.data_to_send())


def frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)
