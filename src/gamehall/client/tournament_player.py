"""A bot that plays in a tournament, from its entry to the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehall.bots.bot import AnyBot
from gamehall.bots.contender import Contender
from gamehall.client.asking import Payload, RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.engagement import Engagement
from gamehall.client.native_client import NativeClient
from gamehall.games.game import Game


class TournamentPlayer(BotPlayer):
    """Enters a tournament for a club, and plays the games at which the hall seats it; no others."""

    def __init__(
        self,
        client: NativeClient,
        game: Game[Any],
        bot: AnyBot | Contender,
        seed: int | None = None,
        *,
        tournament: int,
        club: str = "",
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__(client, game, bot, seed, Engagement(seek=False, accept=False), say)
        self._tournament = tournament
        self._club = club
        self._seat: int | None = None
        self._is_over = False

    async def play(self) -> None:
        """Returns when the tournament is over.

        Raises:
            CannotPlay: it is of another game, or takes no entries.
            ConnectionLost: the hall was away for too long.
        """
        await self._enter()
        # Asked again on every new connection, and answered with a view: no end is missed.
        await self._client.request("watch", {"table": self._tournament})
        await super().play()
        await self._say_rank()

    async def leave(self) -> None:
        """Gives up every seat, and the tournament if it is not over."""
        if not self._is_over:
            await self._try("leave_tournament", {"tournament": self._tournament})
        await super().leave()

    async def _enter(self) -> None:
        here = {"tournament": self._tournament}
        try:
            played = (await self._client.request("tournament", here))["view"]["game"]
            if played != self._game.name:
                raise CannotPlay(f"Tournament {self._tournament} is one of {played}.")
            entry = await self._client.request("enter_tournament", {**here, "club": self._club})
        except RequestRefused as refused:
            raise CannotPlay(f"Tournament {self._tournament}: {refused}") from None
        self._seat = entry["seat"]
        self._say(f"Entered tournament {self._tournament}.")

    async def _say_rank(self) -> None:
        shown = await self._client.request("tournament", {"tournament": self._tournament})
        view = shown["view"]
        for mine in view["standings"]:
            if mine["seat"] == self._seat:
                place = f"rank {mine['rank']} of {len(view['entrants'])}, {mine['points']} points"
                games = f"{mine['won']} won, {mine['drawn']} drawn, {mine['lost']} lost"
                self._say(f"The tournament is over: {place} ({games}).")

    async def _take(self, action: str, payload: Payload) -> None:
        # The tournament's own table is one that the bot only looks at.
        if payload.get("table") != self._tournament:
            await super()._take(action, payload)
        elif action in ("table_over", "table_gone") or payload.get("status") in ("over", "closed"):
            self._is_over = True

    def _wants_more(self) -> bool:
        return False

    def _is_done(self) -> bool:
        return self._is_over and not self._running()
