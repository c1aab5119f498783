"""A program that appends as fast as it can, and prints `TABLE HEAD` for each durable append.

    python -m tests.store.appender FILE LOOP

Each step moves a chip from the player 1 to the house. It runs until it is killed.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial

import uvloop

from gamehall.store.appends import Answer, Durable
from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import append, pay, paying

TABLES = 10


def go_on(store: SqliteStore, table: int, epoch: int, head: int) -> None:
    step = paying(pay(1, "house", 1))
    one = append(table, head, step, epoch=epoch)

    def told(answer: Answer) -> None:
        assert isinstance(answer, Durable), answer
        sys.stdout.write(f"{table} {head + 1}\n")
        sys.stdout.flush()
        go_on(store, table, epoch, head + 1)

    store.append(one, told)


async def main(path: str) -> None:
    store = SqliteStore(path)
    await store.start()
    if await store.player(1) is None:
        await store.add_player("Ada", "guest", chips=10**9, at_ms=0)
    for table in range(1, TABLES + 1):
        claim = await store.claim(table)
        asyncio.get_running_loop().call_soon(
            partial(go_on, store, table, claim.epoch if claim else 1, claim.head if claim else 0)
        )
    await asyncio.Event().wait()


if __name__ == "__main__":
    run = uvloop.run if sys.argv[2] == "uvloop" else asyncio.run
    run(main(sys.argv[1]))
