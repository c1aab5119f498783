"""The page of two-player Bingo as the original has it: it asks again and again what is played,
shows each match that is, and afterwards how it has ended. What it is told must fit together.

Usage: duel_page.py URL
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

LOST = 3
ASK_SECONDS = 0.2
Json = dict[str, Any]


class Page:
    def __init__(self, hall: ClientConnection) -> None:
        self._hall = hall
        self._shown: dict[str, list[Json]] = {}
        """By room: both players as they were told last."""
        self._over: set[str] = set()

    def ask(self, **question: Any) -> Json:
        self._hall.send(json.dumps(question))
        answer: Json = json.loads(self._hall.recv())
        assert answer["msg"] == "get", answer
        return answer

    def follow(self) -> None:
        while True:
            answer = self.ask(msg="ping")
            for room in answer["game_state"]:
                self._show(room)
            for finished in answer["game_history"]:
                if finished["data"]["room_id"] not in self._over:
                    self._end(finished["data"])
            time.sleep(ASK_SECONDS)

    def _show(self, room: str) -> None:
        detail = self.ask(msg="detail", room_id=room)
        players = detail["res"]
        for player in players:
            check_marks(player["board"], player["history"])
        one, other = players
        assert list(one["history"]) == list(other["history"]), detail
        if detail["next_move"]:
            # The second to come begins.
            assert detail["next_move"] == players[(len(one["history"]) + 1) % 2]["uid"], detail
        for player, before in zip(players, self._shown.get(room, []), strict=False):
            assert player["board"] == before["board"], room
            picks = list(before["history"])
            assert list(player["history"])[: len(picks)] == picks, room
        if room in self._shown and len(one["history"]) > len(self._shown[room][0]["history"]):
            print("followed", room, len(one["history"]), flush=True)
        self._shown[room] = players

    def _end(self, data: Json) -> None:
        room = data["room_id"]
        detail = self.ask(msg="detail", room_id=room)
        assert (detail["next_move"], detail["winner"]) == ("", data["winner"]), (detail, data)
        for n, player in enumerate(detail["res"], 1):
            told = {"uid": f"uid_{n}", "board": f"game_board_{n}", "history": f"history_{n}"}
            assert player == {key: data[name] for key, name in told.items()}, (detail, data)
        self._over.add(room)
        print("over", room, flush=True)


def check_marks(board: list[list[int]], history: dict[str, list[int]]) -> None:
    for number, (column, row) in history.items():
        assert board[row][column] == int(number), (number, board)


def main(url: str) -> int:
    try:
        with connect(url) as hall:
            Page(hall).follow()
    except (OSError, WebSocketException):
        pass
    return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
