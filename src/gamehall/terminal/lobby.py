"""What there is in the hall: games, tables, players, and who wants to play whom."""

from __future__ import annotations

from collections.abc import Iterable

from gamehall.terminal.words import Payload

ENDS = {
    "refused": "declines the challenge",
    "playing": "has begun another game",
    "gone": "has gone",
}


class Lobby:
    def __init__(self) -> None:
        self.games: dict[str, Payload] = {}
        self.tables: dict[int, Payload] = {}
        self.players: dict[int, Payload] = {}
        self.received: dict[int, Payload] = {}
        self.sent: dict[int, Payload] = {}
        self.seeking: set[str] = set()

    def listed(
        self,
        games: Iterable[Payload],
        tables: Iterable[Payload],
        players: Iterable[Payload],
        challenges: Payload,
    ) -> None:
        self.games = {game["name"]: game for game in games}
        self.tables.clear()
        self.players.clear()
        self.changes(tables, players)
        self.received = {each["challenge"]: each for each in challenges["received"]}
        self.sent = {each["challenge"]: each for each in challenges["sent"]}

    def changes(self, tables: Iterable[Payload], players: Iterable[Payload]) -> None:
        for table in tables:
            if table["status"] in ("waiting", "playing") and table["game"] in self.games:
                self.tables[table["id"]] = table
            else:
                self.tables.pop(table["id"], None)
        for player in players:
            if player["status"] == "gone":
                self.players.pop(player["id"], None)
            else:
                self.players[player["id"]] = player

    def challenge(self, action: str, payload: Payload) -> str | None:
        """A challenge has come or ended: the sentence that says so."""
        id = payload["challenge"]
        if action == "challenged":
            self.received[id] = payload
            seconds = round(payload["seconds"])
            title = self.title(payload["game"])
            return f"{payload['name']} challenges you to {title}; it stands for {seconds} s."
        received, sent = self.received.pop(id, None), self.sent.pop(id, None)
        if sent is not None:
            end = ENDS.get(payload.get("reason", ""), "has not answered in time")
            return f"{sent['name']} {end}."
        return None if received is None else f"The challenge of {received['name']} is over."

    def title(self, game: str) -> str:
        return str(self.games[game]["title"]) if game in self.games else game

    def name_of(self, player: int) -> str:
        return str(self.players[player]["name"]) if player in self.players else f"player {player}"
