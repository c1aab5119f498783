"""A client of the `caller` door that shares no code with the hall: a bare socket, and what the
door's description says. It fails at the first line that has another form."""

from __future__ import annotations

import json
from typing import Any

from tests.support.clients import SocketClient
from tests.support.framing import Lines
from tests.support.waiting import WAIT_SECONDS

COLUMN = 15
Card = list[list[int]]
"""Five columns of five; a called number becomes 0."""


class Caller(SocketClient):
    """One connection. `lines` has all that came, and `card` and `numbers` what followed from it.

    With `plays` it does as existing clients do: marks every number with 0, and answers it with
    BINGO if five in a line are 0, and with READY if not.
    """

    def __init__(self, *, plays: bool = False) -> None:
        self.plays = plays
        self.lines: list[str] = []
        self.messages: list[str] = []
        self.dealt: list[Card] = []
        """Every card as it came."""
        self.card: Card | None = None
        self.numbers: list[int] = []
        """Those that came after the last card."""
        super().__init__(Lines(), self.lines)

    @classmethod
    async def connect(cls, port: int, *, plays: bool = False, **how: Any) -> Caller:
        """`how`: as in `open`."""
        return await cls(plays=plays).open(port, **how)

    @classmethod
    async def join(cls, port: int, name: str, *, plays: bool = False, **how: Any) -> Caller:
        """Named and told how the round stands."""
        client = await cls.connect(port, plays=plays, **how)
        client.say(name)
        await client.message(f"Connected as {name}")
        await client.until(lambda: len(client.messages) > 1 or client.card is not None)
        return client

    # To the hall

    def say(self, line: str) -> None:
        self.write(line.encode() + b"\n")

    async def reset(self) -> None:
        """As a client that is killed."""
        self.abort()
        await self.end()

    # From the hall

    def _take(self, message: bytes) -> None:
        line = message.decode()
        self.lines.append(line)
        action, body = line.split("|")
        assert line.isprintable(), line
        if action == "MSG":
            assert body.strip(), line
            self.messages.append(body)
        elif action == "NEW_CARD":
            self.card, self.numbers = json.loads(body), []
            check_card(self.card)
            self.dealt.append(json.loads(body))
        elif action == "CHECK_NUMBER":
            self._mark(int(body))
        else:
            raise AssertionError(f"nobody knows this action: {line}")

    def _mark(self, number: int) -> None:
        assert self.card is not None, "a number came without a card"
        assert 1 <= number <= 75
        assert number not in self.numbers, "called twice"
        self.numbers.append(number)
        for column in self.card:
            column[:] = [0 if here == number else here for here in column]
        if self.plays:
            self.say("BINGO" if has_bingo(self.card) else "READY")

    async def message(self, text: str, start: int = 0, seconds: float = WAIT_SECONDS) -> str:
        """The first message, of those from `start` on, that has this text in it."""

        def found() -> list[str]:
            return [message for message in self.messages[start:] if text in message]

        return (await self.until(lambda: found() or None, repr(text), seconds))[0]

    async def answer(self, line: str) -> str:
        """The next message after this line."""
        before = len(self.messages)
        self.say(line)
        await self.until(lambda: len(self.messages) > before)
        return self.messages[before]

    async def new_card(self, before: int = 0) -> Card:
        """The card after so many."""
        await self.until(lambda: len(self.dealt) > before)
        return self.dealt[before]

    async def number(self, count: int) -> int:
        """The number that was called so many after the card."""
        await self.until(lambda: len(self.numbers) >= count)
        return self.numbers[count - 1]


def check_card(card: Any) -> None:
    assert isinstance(card, list)
    assert [len(column) for column in card] == [5] * 5
    for place, column in enumerate(card):
        first = place * COLUMN + 1
        numbers = [n for n in column if n != 0]
        assert all(type(n) is int for n in column)
        assert all(first <= n < first + COLUMN for n in numbers), card
        assert numbers == sorted(set(numbers)), card
        assert len(numbers) == (5 if place != 2 or card[2][2] != 0 else 4), card


def has_bingo(card: Card) -> bool:
    """Whether five in a column, a row or a diagonal are 0."""
    places = range(5)
    lines = [[card[x][y] for y in places] for x in places]
    lines += [[card[x][y] for x in places] for y in places]
    lines += [[card[n][n] for n in places], [card[n][4 - n] for n in places]]
    return any(line == [0] * 5 for line in lines)
