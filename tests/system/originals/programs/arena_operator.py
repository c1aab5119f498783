"""Who makes matches at the game servers of a portal, one after the other, by its web address.

Usage: arena_operator.py URL TOKEN
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError

LOST = 3
ASK_SECONDS = 0.2


def ask(address: str, token: str = "", body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def make_matches(arena: str, token: str) -> None:
    while True:
        time.sleep(ASK_SECONDS)
        reachable = [each for each in ask(f"{arena}/servers")["servers"] if each["reachable"]]
        if not reachable:
            continue
        wish = {"server": reachable[0]["id"], "uid1": 7, "uid2": 8}
        try:
            number = ask(f"{arena}/matches", token, wish)["matchId"]
        except HTTPError as error:
            print("no match:", error, error.read(), file=sys.stderr)
            continue
        while (match := find(arena, number))["status"] != "over":
            time.sleep(ASK_SECONDS)
        assert (match["score1"], match["score2"]) == (5, 3), match
        print("over", number, flush=True)


def find(arena: str, number: int) -> Any:
    (match,) = ask(f"{arena}/matches?after={number - 1}&limit=1")["matches"]
    return match


def main(url: str, token: str) -> int:
    with suppress(OSError, HTTPException):
        make_matches(f"{url}/api/arena", token)
    return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
