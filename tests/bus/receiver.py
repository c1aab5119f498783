"""A node in a process of its own: says `back`, and the numbers that it gets.

python -m tests.bus.receiver URL PREFIX NODE
"""

from __future__ import annotations

import asyncio
import sys

from gamehall.bus.redis_bus import RedisBus


def say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


async def main(url: str, prefix: str, node: str) -> None:
    bus = RedisBus(url, node=node, prefix=prefix)
    await bus.start(
        lambda _, message: say(message.rstrip(b"x").decode()),
        lambda: say("back"),
    )
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
