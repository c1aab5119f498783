"""A program whose files may not grow for a while, as on a full disk; prints what happened as JSON.

python -m tests.store.limited FILE
"""

from __future__ import annotations

import asyncio
import resource
import sys
from typing import Any

import msgspec

from gamehall.errors import Unavailable
from gamehall.store.appends import Answer
from gamehall.store.sqlite.store import SqliteStore
from tests.contract.store_builders import answer, answers, append, guest, opened, pay, paying

FILE_BYTES = 4096


def limit_files(bytes: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, most))


def name(answer: Answer) -> str:
    return type(answer).__name__


async def pings(store: SqliteStore) -> bool:
    try:
        await store.ping()
    except Unavailable:
        return False
    return True


async def main(path: str) -> None:
    told: dict[str, Any] = {}
    store = SqliteStore(path)
    await store.start()
    ada = await guest(store, 100)
    tables = [await opened(store) for _ in range(3)]
    appends = [append(table, 1, paying(pay(ada, "house", 10))) for table in tables]
    limit_files(FILE_BYTES)
    told["first"] = [name(one) for one in await answers(store, *appends[:2])]
    told["again"] = [name(one) for one in await answers(store, *appends[:2])]
    told["later"] = name(await answer(store, appends[2]))
    told["pings"] = await pings(store)
    told["heads"] = [info.head for id in tables if (info := await store.table(id))]
    limit_files(resource.RLIM_INFINITY)
    told["lifted"] = [name(one) for one in await answers(store, *appends)]
    told["pings after"] = await pings(store)
    told["heads after"] = [info.head for id in tables if (info := await store.table(id))]
    told["balance"] = await store.balance(ada)
    await store.stop()
    sys.stdout.write(msgspec.json.encode(told).decode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
