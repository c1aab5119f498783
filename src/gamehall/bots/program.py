"""Players that are programs in any language: they read a line of JSON and write a line of JSON.

docs/write-a-bot.md is the contract. There is one process for each game; what it does wrong costs
that game, and the next is played by a new one.
"""

from __future__ import annotations

import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Any

import msgspec

from gamehall.bots.contender import Kind, Misbehaved, Result, Sitting
from gamehall.bots.line_process import LineProcess
from gamehall.games.game import Command, Game

VERSION = 1
MOVE_SECONDS = 10.0
"""How long a program may think about one move."""
SHOWN_MAX = 80
"""How much of a wrong answer is shown."""


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    version: int
    game: str
    seat: int
    seed: int
    move_ms: int


class Turn(msgspec.Struct, frozen=True, tag_field="type", tag="turn"):
    view: Any
    legal: Sequence[Command]


class Over(msgspec.Struct, frozen=True, tag_field="type", tag="over"):
    result: Result
    reason: str


class ProgramContender:
    """Plays with a program. `misbehaviour` counts what has cost it a game."""

    def __init__(
        self,
        command: str,
        *,
        move_seconds: float = MOVE_SECONDS,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`log` takes the lines that it writes to standard error. Raises ValueError, with a
        sentence for whoever typed the command."""
        if move_seconds <= 0:
            raise ValueError("A program needs more than 0 seconds for a move.")
        try:
            self.command = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"The program {command!r} cannot be understood: {error}.") from None
        if not self.command or shutil.which(self.command[0]) is None:
            raise ValueError(
                f"There is no program {command!r} that can be run."
                " A file needs its path, such as ./mybot, and the right to be executed."
            )
        self.move_seconds = move_seconds
        self.log = log
        self.misbehaviour: Counter[Kind] = Counter()

    def sit(self, game: Game[Any], seat: int, seed: int) -> Sitting:
        return ProgramSitting(self, game, seat, seed)


class ProgramSitting(Sitting):
    """One process, from its hello to its end."""

    def __init__(self, contender: ProgramContender, game: Game[Any], seat: int, seed: int) -> None:
        self._move_seconds = contender.move_seconds
        self._misbehaviour = contender.misbehaviour
        self._process = LineProcess(contender.command, contender.log)
        move_ms = round(self._move_seconds * 1000)
        self._hello: Hello | None = Hello(VERSION, game.name, seat, seed, move_ms)
        self._may_pass = game.seats(game.options()).least == 0
        commands: Any = reduce(or_, game.commands)
        self._answer = msgspec.json.Decoder(commands | None)

    async def choose(self, view: Any, legal: Sequence[Command], rng: Random) -> Command | None:
        try:
            return await self._ask(Turn(view, legal))
        except Misbehaved as fault:
            self._misbehaviour[fault.kind] += 1
            await self._process.end(kindly=False)
            raise

    async def _ask(self, turn: Turn) -> Command | None:
        if self._hello is not None:
            await self._process.start()
            self._process.tell(msgspec.json.encode(self._hello))
            self._hello = None
        line = await self._process.ask(msgspec.json.encode(turn), self._move_seconds)
        try:
            command: Command | None = self._answer.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            shown = line[:SHOWN_MAX].decode(errors="replace")
            raise Misbehaved("lied", f"answered {shown!r}: {error}.") from None
        if command is None and not self._may_pass:
            raise Misbehaved("lied", "answered null in a game that waits for its move.")
        return command

    def refused(self, command: Command, legal: Sequence[Command], reason: str) -> None:
        # What it was offered may have become impossible while it was thinking.
        if command not in legal:
            self._misbehaviour["lied"] += 1
            shown = msgspec.json.encode(command)[:SHOWN_MAX].decode(errors="replace")
            raise Misbehaved("lied", f"wants {shown}, which the rules refuse: {reason}")

    async def end(self, result: Result, reason: str) -> None:
        if self._hello is not None:
            return
        self._process.tell(msgspec.json.encode(Over(result, reason)))
        await self._process.end(kindly=True)
