"""What a player can type, in the hall and at a table, and what it does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from gamehall.terminal.boards.board import Unclear
from gamehall.terminal.session import Session
from gamehall.terminal.words import Payload

Ask = Callable[[str, str], Awaitable[str | None]]
"""Puts a question with the answer that Enter gives; None: the player thinks better of it."""

LINE_MAX = 1000
"""Characters of a typed line: more than anyone means, or the hall takes."""
HALL_HELP = (
    "match GAME: play whoever comes next",
    "bot GAME [LEVEL]: play a bot",
    "open GAME [NAME=VALUE …], private GAME: open a table, for anyone or for whom you tell its key",
    "sit TABLE [KEY], watch TABLE [KEY]",
    "challenge PLAYER GAME, withdraw; accept or refuse a challenge",
    "games, tables, players, challenges: who and what is here",
    "cancel: look for an opponent no longer; chips: new chips when yours are gone",
    "help, quit",
)
TABLE_HELP = (
    "say TEXT: to everyone at the table",
    "resign; draw: offer one; accept, decline: answer an offer",
    "rematch: play again; leave: back to the hall",
    "board, who: read the table again",
    "help, quit",
)
ASKED = {"bingo-duel": ("size", "How many rows and columns have the boards, 3 to 20?")}
"""What is asked before a table of a game is opened."""


class Orders:
    """Typed lines, obeyed. Each raises Unclear, RequestRefused or ConnectionLost."""

    def __init__(self, session: Session, ask: Ask, quit: Callable[[], None]) -> None:
        self._session = session
        self._ask = ask
        self._quit = quit

    async def obey(self, line: str) -> None:
        line = line.strip()
        if not line:
            return
        if len(line) > LINE_MAX:
            raise Unclear(f"A line has {LINE_MAX} characters at most.")
        verb, _, rest = line.partition(" ")
        verb, words = verb.lower(), rest.split()
        if verb in ("quit", "exit"):
            self._quit()
        elif self._session.here is not None:
            await self._at_table(line, verb, rest.strip())
        elif not await self._in_hall(verb, words):
            raise Unclear(f"What is {line!r}? Type help for what can be said in the hall.")

    # In the hall

    async def _in_hall(self, verb: str, words: list[str]) -> bool:
        """Whether there is such an order."""
        session = self._session
        match verb, words:
            case "match", [game, *rest]:
                game = self._game(game)
                await session.seek(game, _options(rest))
            case "bot", [game, *rest]:
                await self.play_bot(self._game(game), rest)
            case (("open" | "private"), [game, *rest]):
                await self.open(self._game(game), _options(rest), private=verb == "private")
            case (("sit" | "watch"), [table, *key]) if table.isdecimal() and len(key) < 2:
                await session.come_to(int(table), *key, how="sit" if verb == "sit" else "watch")
            case "challenge", [*name, game] if name:
                await self.challenge(self._player(" ".join(name)), self._game(game))
            case (("accept" | "refuse" | "decline"), name):
                challenge = _one(session.lobby.received, " ".join(name))
                await session.answer_challenge(challenge, verb == "accept")
            case "withdraw", name:
                await session.withdraw(_one(session.lobby.sent, " ".join(name)))
            case "cancel", []:
                await session.cancel_seek()
            case "chips", []:
                await session.refill()
            case _:
                return False
        return True

    async def play_bot(self, game: str, words: list[str]) -> None:
        levels = self._session.lobby.games[game]["bots"]
        level = levels[-1] if levels else "random"
        if words and "=" not in words[0]:
            level, *words = words
        await self.open(game, _options(words), bot=level)

    async def open(
        self, game: str, options: Payload, *, private: bool = False, bot: str | None = None
    ) -> None:
        """Asks for what has to be known first, as the boards' size."""
        complete = await self._asked(game, options)
        if complete is not None:
            await self._session.open(game, complete, private=private, bot=bot)

    async def challenge(self, player: int, game: str) -> None:
        options = await self._asked(game, {})
        if options is not None:
            await self._session.challenge(player, game, options)

    async def _asked(self, game: str, options: Payload) -> Payload | None:
        if game not in ASKED or ASKED[game][0] in options:
            return options
        name, question = ASKED[game]
        answer = await self._ask(question, str(self._session.lobby.games[game]["options"][name]))
        return None if answer is None else {**options, name: _value(answer)}

    def _game(self, word: str) -> str:
        games = self._session.lobby.games
        found = [name for name in games if name.replace("_", "-") == word.lower()]
        found = found or [name for name in games if name.startswith(word.lower())]
        if len(found) != 1:
            raise Unclear(f"Which game is {word!r}? There are {', '.join(games)}.")
        return found[0]

    def _player(self, name: str) -> int:
        for player in self._session.lobby.players.values():
            if player["name"].lower() == name.lower():
                return int(player["id"])
        raise Unclear(f"Nobody here is called {name!r}.")

    # At a table

    async def _at_table(self, line: str, verb: str, rest: str) -> None:
        session = self._session
        match verb:
            case "say" if rest:
                await session.say(rest)
            case "leave":
                await session.leave()
            case "rematch" | "again":
                await session.rematch()
            case "sit":
                assert session.here is not None
                await session.come_to(session.here.id, rest or None)
            case "draw":
                await session.act({"type": "offer_draw"})
            case "accept" | "decline":
                await session.act({"type": "answer_draw", "accept": verb == "accept"})
            case "resign":
                await session.act({"type": "resign"})
            case "chips":
                await session.refill()
            case "rebet":
                await session.rebet()
            case _:
                await self.move(line)

    async def move(self, line: str) -> None:
        assert self._session.here is not None
        board = self._session.here.board()
        command = board.read(" ".join(line.lower().split()))
        if command is None:
            hint = f"Type {board.hint}, or help." if board.hint else "Type help."
            raise Unclear(f"What is {line!r}? {hint}")
        await self._session.act(command)


def _options(words: list[str]) -> Payload:
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Unclear(f"What is {word!r}? Options are typed as columns=8.")
        options[name] = _value(value)
    return options


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _one(challenges: dict[int, Payload], name: str) -> int:
    found = [id for id, each in challenges.items() if not name or each["name"] == name]
    if not found:
        raise Unclear("There is no such challenge.")
    if len(found) > 1:
        raise Unclear("There are several: name the player.")
    return found[0]
