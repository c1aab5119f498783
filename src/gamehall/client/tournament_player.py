"""A bot that plays in a tournament, from its entry to the end."""

from __future__ import annotations

from gamehall.client.asking import Payload, RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay


class TournamentPlayer(BotPlayer):
    """Enters the tournament that it is engaged for, for its club, and plays the games at which the
    hall seats it; no others."""

    _seat: int | None = None
    _is_over = False

    async def play(self) -> None:
        """Returns when the tournament is over.

        Raises:
            CannotPlay: it is of another game, or takes no entries.
            ConnectionLost: the hall was away for too long.
        """
        await self._enter()
        # Asked again on every new connection, and answered with a view: no end is missed.
        await self._client.request("watch", {"table": self._engagement.tournament})
        await super().play()
        await self._say_rank()

    async def leave(self) -> None:
        """Gives up every seat, and the tournament if it is not over."""
        if not self._is_over:
            await self._try("leave_tournament", {"tournament": self._engagement.tournament})
        await super().leave()

    async def _enter(self) -> None:
        here = {"tournament": self._engagement.tournament}
        try:
            played = (await self._client.request("tournament", here))["view"]["game"]
            if played != self._game.name:
                raise CannotPlay(f"Tournament {self._engagement.tournament} is one of {played}.")
            entry = await self._client.request(
                "enter_tournament", {**here, "club": self._engagement.club}
            )
        except RequestRefused as refused:
            raise CannotPlay(f"Tournament {self._engagement.tournament}: {refused}") from None
        self._seat = entry["seat"]
        self._say(f"Entered tournament {self._engagement.tournament}.")

    async def _say_rank(self) -> None:
        shown = await self._client.request(
            "tournament", {"tournament": self._engagement.tournament}
        )
        view = shown["view"]
        for mine in view["standings"]:
            if mine["seat"] == self._seat:
                place = f"rank {mine['rank']} of {len(view['entrants'])}, {mine['points']} points"
                games = f"{mine['won']} won, {mine['drawn']} drawn, {mine['lost']} lost"
                self._say(f"The tournament is over: {place} ({games}).")

    async def _take(self, action: str, payload: Payload) -> None:
        # The tournament's own table is one that the bot only looks at.
        if payload.get("table") != self._engagement.tournament:
            await super()._take(action, payload)
        elif action in ("table_over", "table_gone") or payload.get("status") in ("over", "closed"):
            self._is_over = True

    def _wants_more(self) -> bool:
        return False

    def _is_done(self) -> bool:
        return self._is_over and not self._running()
