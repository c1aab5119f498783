"""A connection to the hall, and how to get one."""

import random
import socket
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from utils.protocol import (
    Error,
    Lines,
    Message,
    ProtocolError,
    Registered,
    decode,
    disconnect,
    register,
)

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
"""How long the hall may take to take something from us, and to register us."""
CLOSE_SECONDS = 1.0
"""How long the hall may take to close the connection after the last message."""
REGISTER_TRIES = 5
"""How often we ask a hall that says no, and stays connected, to register us."""
RETRY_SECONDS_MIN = 0.2
RETRY_SECONDS_MAX = 2.0

KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""A hall that is gone without a word is noticed within a minute, on systems that can set this."""


class ConnectionLost(Exception):
    """The connection has ended, or could not be made; trying again may help."""


class CannotJoin(Exception):
    """There is no way into the hall; the text says why."""


class Connection:
    """Messages to and from the hall."""

    def __init__(self, host: str, port: int) -> None:
        """Raises ConnectionLost."""
        try:
            self._socket = socket.create_connection((host, port), CONNECT_SECONDS)
        except (OSError, UnicodeError) as error:
            raise ConnectionLost(_why(error)) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEP_ALIVE.items():
            if hasattr(socket, option):
                self._socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        self._lines = Lines()
        self._received: deque[bytes] = deque()

    def fileno(self) -> int:
        """For `select`, which tells when there is something to receive."""
        return self._socket.fileno()

    def send(self, line: bytes) -> None:
        """Raises ConnectionLost."""
        try:
            self._socket.settimeout(ANSWER_SECONDS)
            self._socket.sendall(line)
        except OSError as error:
            raise ConnectionLost(_why(error)) from None

    def receive(self, seconds: float) -> Message | None:
        """The next message, or None if it does not come within this time.

        Raises ConnectionLost or ProtocolError.
        """
        deadline = time.monotonic() + seconds
        while not self._received:
            try:
                self._socket.settimeout(max(0, deadline - time.monotonic()))
                data = self._socket.recv(1 << 16)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as error:
                raise ConnectionLost(_why(error)) from None
            if not data:
                raise ConnectionLost("the hall has closed the connection")
            self._received.extend(self._lines.feed(data))
        return decode(self._received.popleft())

    def leave(self) -> None:
        """Says goodbye and closes: a running game is lost at once."""
        try:
            self.send(disconnect())
            # The hall closes when it has read that; whoever closes first may cut off the message.
            deadline = time.monotonic() + CLOSE_SECONDS
            while (seconds_left := deadline - time.monotonic()) > 0:
                self.receive(seconds_left)
        except (ConnectionLost, ProtocolError):
            pass  # It is closed, or as good as.
        self.close()

    def close(self) -> None:
        """Closes without a word: for some time one can come back to a running game."""
        self._socket.close()


def _why(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


@dataclass(frozen=True)
class Hall:
    """Where the hall is, and how we want to be called there."""

    host: str
    port: int
    name: str
    patience_seconds: float
    """How long we wait for a hall that is not there yet, or is being started again."""

    def join(self, wait: Callable[[str], None]) -> tuple[Connection, str]:
        """A connection on which we are registered, and our id; if need be, after some tries.

        Before we wait for the hall, `wait` is told why. Raises CannotJoin or ProtocolError.
        """
        deadline = time.monotonic() + self.patience_seconds
        pause_seconds = RETRY_SECONDS_MIN
        waiting = False
        while True:
            # Before the first try too: a hall may take us and lose us again and again.
            time.sleep(pause_seconds * random.uniform(0.2, 1))
            try:
                return self._join_now()
            except ConnectionLost as error:
                if time.monotonic() + pause_seconds > deadline:
                    raise CannotJoin(f"no hall at {self.host}:{self.port}: {error}") from None
                if not waiting:
                    wait(str(error))
                    waiting = True
            pause_seconds = min(2 * pause_seconds, RETRY_SECONDS_MAX)

    def _join_now(self) -> tuple[Connection, str]:
        """Raises ConnectionLost, CannotJoin or ProtocolError."""
        connection = Connection(self.host, self.port)
        try:
            for _ in range(REGISTER_TRIES):
                connection.send(register(self.name))
                match connection.receive(ANSWER_SECONDS):
                    case Registered(player_id):
                        return connection, player_id
                    case Error(message):
                        # A hall that is full or about to stop closes now, and may be joined later.
                        # One that stays may be in trouble, or mean it.
                        connection.receive(CLOSE_SECONDS)
                        reason = message
                    case None:
                        raise ConnectionLost("the hall does not answer")
                    case answer:
                        raise ProtocolError(f"not an answer to REGISTER: {answer}")
            raise CannotJoin(f"the hall does not take {self.name!r}: {reason}")
        except BaseException:
            connection.close()
            raise
