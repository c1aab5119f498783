"""A bot at the `duel` door: it says its hello, plays one match, and comes back when it drops."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any

from gamehall.bots.bot import Bot
from gamehall.client.bot_player import CannotPlay
from gamehall.client.connection import ConnectionLost
from gamehall.games.bingo_duel import BingoDuel, BoardsDealt, Pick, Picked, State
from gamehall.wire.bingo.duel_codec import FAST, NUMBER_MAX, Heard, Said

PATIENCE_SECONDS = 60.0
"""How long a hall may be away: a dropped player's seat is not kept longer by default."""
AGAIN_SECONDS = 0.5
"""Between two tries to reach it, and before it asks again."""
BYTES_MAX = 1 << 20
"""Of one packet: it is held whole before it is understood."""
TEXTS = frozenset({Said.MESSAGE, Said.ACCEPTED})
RESULTS = {
    Said.WON: "won",
    Said.LOST: "lost",
    Said.DRAWN: "drawn",
    Said.OTHER_LEFT: "won, since the opponent left",
}
_BOARD_HEAD = struct.Struct("<5sii")


def hellos_of(uid: int, key: str, opponent: int | None, match: int | None, fast: bool) -> list[str]:
    """The hellos that let a player in: of the two players of a match, one may have it the wrong way
    round. Raises ValueError, with a sentence for whoever typed it."""
    for number in (uid, opponent, match):
        if number is not None and not 0 <= number <= NUMBER_MAX:
            raise ValueError(f"Players and matches have numbers from 0 to {NUMBER_MAX}.")
    if ":" in key or not key:
        raise ValueError("A match's key has at least one character, and no colon.")
    if (opponent is None) != (match is None):
        raise ValueError("--opponent and --match go together.")
    if opponent is None:
        texts = [f"{uid}:{key}"]
    else:
        texts = [f"{uid}:{opponent}:{match}:{key}", f"{opponent}:{uid}:{match}:{key}"]
    return [f"{text}:{FAST}" if fast else text for text in texts]


@dataclass(eq=False)
class DuelPlayer:
    """Plays one match with `bot`, of which it sees no more than any client of this door."""

    _host: str
    _port: int
    _hellos: list[str]
    _bot: Bot
    _seed: int | None
    _say: Callable[[str], None]
    """Takes what it has to report."""

    def __post_init__(self) -> None:
        self._accepted = False
        self._rng = Random(self._seed)
        self._game = BingoDuel()
        self._state = State(0, rated=False, turn=1)
        """As if this were seat 0, and the opponent had the same board."""
        self._has_picked = False
        """Whether the last pick that is known of is its own, and unanswered."""
        self._result: Said | None = None
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter | None = None

    async def play(self) -> None:
        """Returns when the match is over.

        Raises:
            CannotPlay: it is not let in, or not any more.
            ConnectionLost: the hall cannot be reached, or was away for too long.
        """
        away_since: float | None = None
        while self._result is None:
            try:
                await self._enter()
                away_since = None
                await self._take_part()
            except (OSError, EOFError) as error:
                away_since = away_since or monotonic()
                if not self._accepted or monotonic() > away_since + PATIENCE_SECONDS:
                    raise ConnectionLost(str(error) or "the connection was closed") from None
                await asyncio.sleep(AGAIN_SECONDS)
            finally:
                await self._hang_up()

    async def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()

    # Coming in

    async def _enter(self) -> None:
        for text in self._hellos:
            await self._hang_up()
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
            data = text.encode()
            self._writer.write(struct.pack("<ii", Heard.HELLO, len(data)) + data)
            said, value = await self._read()
            if said is Said.ACCEPTED:
                self._hellos = [text]
                self._accepted = True
                self._say(f"Connected to {self._host}:{self._port} as player {value}.")
                return
            if said is not Said.REFUSED:
                raise EOFError(f"the hall answers {said.value} to a hello")
        raise CannotPlay(
            "The hall does not let it in: the match is full or over, or its key is another."
        )

    # Playing

    async def _take_part(self) -> None:
        while self._result is None:
            said, value = await self._read()
            self._heard(said, value)
        if self._result is not Said.OTHER_LEFT:
            # The opponent's board: whoever hangs up before it has come resets the connection.
            with suppress(OSError, EOFError):
                await self._read()

    def _heard(self, said: Said, value: Any) -> None:
        match said:
            case Said.BOARD:
                self._begin(value)
            case Said.YOUR_TURN if not self._has_picked:
                self._pick()
            case Said.PICKED:
                self._note(1, value)
            case Said.ILLEGAL_PICK:
                raise CannotPlay("The hall does not take a number that was never picked.")
            case Said.MESSAGE:
                self._say(f"The hall says: {value}")
                # Perhaps the pick was not taken, or the hall could not tell whose turn it is.
                self._has_picked = False
                loop = asyncio.get_running_loop()
                loop.call_later(AGAIN_SECONDS, self._send, Heard.ASK_TURN)
            case Said.CLOSING:
                self._say("The hall is stopping.")
            case Said.WON | Said.LOST | Said.DRAWN | Said.OTHER_LEFT:
                self._result = said
                self._say(f"The match is over: {RESULTS[said]}.")

    def _begin(self, board: tuple[int, ...]) -> None:
        state = State(int(len(board) ** 0.5), rated=False, turn=1)
        self._state = self._game.apply(state, BoardsDealt((board, board)))
        self._has_picked = False
        self._send(Heard.ASK_TURN)

    def _pick(self) -> None:
        self._state.turn = 0
        view, legal = self._game.view(self._state, 0), list(self._game.legal(self._state, 0))
        chosen = self._bot.choose(view, legal, 0, self._rng) if legal else None
        if not isinstance(chosen, Pick):
            raise CannotPlay("The bot knows no number to pick.")
        self._send(Heard.PICK, chosen.number)
        self._note(0, chosen.number)

    def _note(self, seat: int, number: int) -> None:
        self._state = self._game.apply(self._state, Picked(seat, number))
        self._has_picked = seat == 0

    # Packets

    def _send(self, *numbers: int) -> None:
        assert self._writer is not None
        self._writer.write(struct.pack(f"<{len(numbers)}i", *numbers))

    async def _read(self) -> tuple[Said, Any]:
        """The next packet. Raises EOFError, also for what cannot be one."""
        number = await self._int()
        try:
            said = Said(number)
        except ValueError:
            raise EOFError(f"the hall sends a packet of an unknown type, {number}") from None
        if said in TEXTS:
            return said, (await self._counted()).decode(errors="replace")
        if said is Said.BOARD:
            return said, await self._board()
        if said is Said.PICKED:
            return said, await self._int()
        if said is Said.OTHER_BOARD:
            return said, (await self._counted(), await self._counted())
        return said, None

    async def _board(self) -> tuple[int, ...]:
        head = await self._reader.readexactly(_BOARD_HEAD.size)
        kind, size, length = _BOARD_HEAD.unpack(head)
        if kind != b"int32" or length != 4 * size * size or not 0 < length <= BYTES_MAX:
            raise EOFError("the hall sends a board that is none")
        data = await self._reader.readexactly(length)
        return struct.unpack(f"<{size * size}i", data)

    async def _counted(self) -> bytes:
        length = await self._int()
        if not 0 <= length <= BYTES_MAX:
            raise EOFError(f"the hall sends a text of {length} bytes")
        return await self._reader.readexactly(length)

    async def _int(self) -> int:
        number: int = struct.unpack("<i", await self._reader.readexactly(4))[0]
        return number
