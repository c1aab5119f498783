"""The `four` door: Connect Four over TCP, one JSON object a line, by challenge.

Its clients are guests, in the same lobby as everyone else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from gamehall.errors import BadRequest, HallError, NotLoggedIn, NotSeated, UnknownAction
from gamehall.games.connect_four import ConnectFour, ConnectFourOptions, Drop
from gamehall.games.game import Outcome
from gamehall.hall.beat.requests import Told, unheard
from gamehall.hall.hall import Hall
from gamehall.hall.people.notices import (
    Challenged,
    ChallengeExpired,
    ChallengeRefused,
    NotBegun,
    Notice,
    TableView,
)
from gamehall.hall.people.online import Online
from gamehall.wire.four.game import (
    Challenger,
    FourGame,
    Message,
    Move,
    Opponent,
    Register,
    encode,
    outcome_of,
    player_id,
    read_data,
    read_message,
    read_player_id,
)
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.serial import SENTENCE_CHARACTERS_MAX, SerialLink
from gamehall.wire.net.shell import Channel

LISTED_MAX = 5000
"""Players in one list: what a client can be sent at once is bounded."""
BEGIN_SECONDS = 60.0
"""How long a client's next messages wait for its game to begin, at the most."""
_BOARD = ConnectFourOptions()
_REFUSALS = {
    "refused": "{name} has refused.",
    "gone": "{name} has left.",
    "playing": "{name} plays someone else now.",
}


class FourLink(SerialLink):
    resumes = False

    __slots__ = ("_begun", "_early", "_game", "_played", "_registered", "_sent")

    def __init__(self, hall: Hall, channel: Channel) -> None:
        super().__init__(hall, channel)
        self._registered = False
        self._early: list[Notice] = []
        """Told before the client knows who it is."""
        self._sent: dict[int, str] = {}
        """Challenges that the client waits for, with whom it has challenged."""
        self._begun = asyncio.Event()
        """Set when the game that is waited for begins, or will not."""
        self._game: FourGame | None = None
        self._played = 0
        """The table of the last game that is over."""

    @property
    def takes_challenges(self) -> bool:
        return True

    def can_play(self, game: str, options: Mapping[str, Any]) -> bool:
        """Clients know one board only, of 6 rows of 7."""
        board = (options.get("columns"), options.get("rows"), options.get("length"))
        return game == ConnectFour.name and board == (_BOARD.columns, _BOARD.rows, _BOARD.length)

    # From the client

    def _handle(self, line: bytes) -> None:
        try:
            self._answer(read_message(line))
        except HallError as error:
            self._refuse(error)

    def _answer(self, message: Message) -> None:
        if message.type == "DISCONNECT":
            self._leave()
        elif message.type == "REGISTER":
            name = read_data(message.data, Register).name
            self.later(self._register(name), self._refuse)
        elif self.online is None:
            raise NotLoggedIn("Register first.")
        else:
            self._answer_player(self.online, message.type, message.data)

    def _answer_player(self, online: Online, type: str, data: msgspec.Raw) -> None:
        match type:
            case "LIST_PLAYERS":
                self._list(online)
            case "CHALLENGE":
                opponent = read_player_id(read_data(data, Opponent).opponent_id)
                self.later(self._challenge(online, opponent), self._refuse)
            case "CHALLENGE_ACCEPTED":
                self.later(self._accept(online, self._received(online, data)), self._refuse)
            case "CHALLENGE_REFUSED":
                id = self._received(online, data)
                self.later(self.hall.challenges.refuse(online, id), self._refuse)
            case "PLAY_MOVE":
                self._play(online, read_data(data, Move).column)
            case _:
                raise UnknownAction(f"There is no message of the type {type[:32]!r}.")

    async def _register(self, name: str) -> None:
        if self.online is not None:
            raise BadRequest("You are registered already.")
        arrival = await self.hall.people.named_guest(self, "four", name)
        online = self.online
        if self._lost or online is None:
            return
        self.channel.hello_done()
        self._registered = True
        self._send("REGISTER_OK", player_id=player_id(arrival.player.id))
        early, self._early = self._early, []
        for notice in early:
            self.tell(notice)
        for table in tuple(online.seated) if arrival.back else ():
            await self.hall.seating.send_view(self, table)

    def _list(self, online: Online) -> None:
        others = self.hall.lobby.list_opponents(online, ConnectFour.name, LISTED_MAX)
        players = [{"id": player_id(other.id), "name": other.name} for other in others]
        self._send("LIST_PLAYERS", players=players)

    async def _challenge(self, online: Online, opponent: int) -> None:
        name = self.hall.people.name_of(opponent)
        id = await self.hall.challenges.challenge(online, opponent, ConnectFour.name, {})
        if online.busy:
            # It crossed another, and they are about to play.
            await self._begin()
        elif name is not None:
            self._sent[id] = name

    async def _accept(self, online: Online, id: int) -> None:
        await self.hall.challenges.accept(online, id)
        await self._begin()

    async def _begin(self) -> None:
        """Returns when the client was told of its game, or that there is none."""
        if self._game is not None or self._lost:
            return
        self._begun.clear()
        try:
            async with asyncio.timeout(BEGIN_SECONDS):
                await self._begun.wait()
        except TimeoutError:
            self._not_begun()

    def _received(self, online: Online, data: msgspec.Raw) -> int:
        sender = read_player_id(read_data(data, Challenger).challenger_id)
        return self.hall.challenges.received(online, sender)

    def _play(self, online: Online, column: int) -> None:
        if self._game is None:
            raise NotSeated("You are not in a game.")
        self.play(online, self._game.table, Drop(column), self._refuse)

    def _leave(self) -> None:
        """Closes, once every seat that it has, or is about to get, is given up."""
        # Nothing that the client has sent behind it is read any more.
        self._busy = True
        if self.online is None:
            self._part()
        else:
            self.hall.seating.leave_all(self, self.online, self._part)

    def _part(self) -> None:
        self.hall.people.disconnected(self)
        self.channel.close()

    def lost(self) -> None:
        if self.online is not None and any(_says_goodbye(line) for line in self._backlog or ()):
            # It was not read yet, but said.
            self.hall.seating.leave_all(self, self.online, lambda: None)
        super().lost()
        self._begun.set()

    def garbled(self, garbled: Garbled) -> None:
        self._send("ERROR", message=garbled.reason)

    def going_away(self, seconds: float) -> None:
        text = f"The hall stops in {seconds:g} seconds. Come back later with the same name."
        self._send("ERROR", message=text)

    # To the client

    def _send(self, type: str, **data: Any) -> None:
        self._send_frame(encode(type, **data))

    def _send_frame(self, message: bytes) -> bool:
        return self.channel.send(self.channel.frame(message))

    def _refuse(self, error: HallError) -> None:
        self._send("ERROR", message=str(error)[:SENTENCE_CHARACTERS_MAX])

    def tell(self, notice: Notice) -> None:
        if not self._registered:
            self._early.append(notice)
            return
        match notice:
            case Challenged():
                challenger = player_id(notice.player)
                self._send(
                    "CHALLENGE_RECEIVED", challenger_id=challenger, challenger_name=notice.name
                )
            case ChallengeRefused(challenge=id, reason=reason) if id in self._sent:
                self._end_challenge(id, _REFUSALS[reason])
            case ChallengeExpired(challenge=id) if id in self._sent:
                self._end_challenge(id, "{name} has not answered in time.")
            case TableView():
                self._show(notice)
            case NotBegun():
                self._not_begun()

    def _end_challenge(self, id: int, text: str) -> None:
        self._send("CHALLENGE_REFUSED", message=text.format(name=self._sent.pop(id)))

    def _show(self, shown: TableView) -> None:
        """A game begins, or the client comes back to one, which may have ended meanwhile."""
        if shown.game != ConnectFour.name or shown.view is None or self._played == shown.table:
            return
        known = self._game
        if known is not None and known.table == shown.table and known.seq >= shown.seq:
            return  # The game began while the client came back: it was told of it already.
        self._sent.clear()
        game = self._game = FourGame(shown)
        self._send_frame(game.start())
        self._send_frame(game.standing(shown))
        if shown.status != "playing":
            self._end_game(game, shown.outcome)
        self._begun.set()

    def tell_table(self, told: Told, seat: int | None) -> None:
        game = self._game
        if not self._registered:
            return  # What it needs to know of this it is told when it knows who it is.
        if game is None or told.table != game.table:
            if told.status == "closed" and told.table != self._played:
                self._not_begun()
            return
        if told.seq <= game.seq:
            return
        game.seq = told.seq
        for n, scene in enumerate(told.scenes):
            key = ("four", self.channel.kind, n)
            moves = told.memo.get(key)
            if moves is None:
                moves = told.memo[key] = b"".join(map(self.channel.frame, game.moves(scene)))
            if moves:
                self.channel.send(moves)
            if scene.ended is not None:
                self._end_game(game, outcome_of(scene))
                return  # The dialect knows no second game at the same table.

    def _not_begun(self) -> None:
        """The other did not get to its seat in time, since the hall could not save."""
        text = "The game has not begun. Try again."
        self._send("CHALLENGE_REFUSED" if self._sent else "ERROR", message=text)
        self._sent.clear()
        self._begun.set()

    def _end_game(self, game: FourGame, outcome: Outcome | None) -> None:
        self._game = None
        self._played = game.table
        # Whoever was not told of the end may come back to it.
        if self._send_frame(game.result(outcome)) and self.online is not None:
            self.hall.seating.leave(self, self.online, game.table, None, unheard)


def _says_goodbye(line: bytes) -> bool:
    try:
        return read_message(line).type == "DISCONNECT"
    except BadRequest:
        return False
