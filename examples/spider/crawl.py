"""Begins a crawl at the spider's table, waits for its end and prints what was found."""

from __future__ import annotations

import asyncio
import sys

import cyclopts

from gamehall.cli.source import printable
from gamehall.client.asking import Payload, RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient


class CalledOff(Exception):
    """The operator has ended the round."""


async def begin(client: NativeClient, command: Payload) -> tuple[int, int]:
    """The table and the round of a crawl that has begun. Raises RequestRefused."""
    await client.request("seek", {"game": "spider"})
    view = await anext(told async for action, told in client if action == "table_view")
    table, round = view["table"], view["round"]
    # It names its round, so that it begins only one crawl, however often it is sent.
    named = {"type": "crawl", **command, "round": round}
    await client.request("act", {"table": table, "command": named})
    return table, round


async def end(client: NativeClient, round: int) -> None:
    """Returns when the round is over. Raises CalledOff."""
    async for action, told in client:
        if action == "table_over" and told["round"] == round:
            if told["outcome"] is None:
                raise CalledOff("The crawl was called off.")
            return
        if action == "table_view" and told["round"] > round:
            return  # It ended while the connection was away.


async def result(client: NativeClient, table: int, round: int) -> tuple[list[Payload], Payload]:
    """The pages in the order of their numbers, and the sum, from the journal."""
    pages: dict[int, Payload] = {}
    total: Payload = {}
    after: int | None = 0
    while after is not None:
        asked = {"table": table, "round": round, "after": after}
        journal = await client.request("journal", asked)
        # The row in which a round opens is the last of the one before.
        rows = (row for row in journal["rows"] if row["round"] == round)
        for event in (event for row in rows for event in row["events"]):
            match event["type"]:
                case "handed_out":
                    pages[event["page"]] = {"depth": event["depth"], "url": event["url"]}
                case "reported":
                    pages[event["page"]] |= {"title": event["title"], "links": event["links"]}
                case "given_up":
                    pages[event["page"]] |= {"failed": event["reason"]}
                case "summed":
                    total = event
        after = journal["next"]
    return [pages[number] for number in sorted(pages)], total


def line_of(page: Payload) -> str:
    found = f"failed: {page['failed']}" if "failed" in page else page["title"]
    links = f" ({page['links']} links)" if "links" in page else ""
    return f"{page['depth']} {page['url']} {found}{links}"


async def run(client: NativeClient, command: Payload) -> None:
    async with client:
        table, round = await begin(client, command)
        say(f"Table {table}, round {round}: the crawl has begun.")
        await end(client, round)
        pages, total = await result(client, table, round)
        for page in pages:
            say(line_of(page))
        say(f"Pages: {total['pages']}, failed: {total['failed']}, links: {total['links']}.")
        await client.request("leave", {"table": table})


def crawl(
    start: str,
    /,
    *,
    url: str = "ws://127.0.0.1:8000/ws",
    pages: int = 500,
    delay_ms: int = 100,
    lease_ms: int = 15_000,
) -> int:
    """Have the workers of a hall fetch a site, page by page.

    Parameters
    ----------
    start
        The address of the first page.
    url
        A native door: ws://HOST:PORT/ws, wss://HOST/ws or tcp://HOST:PORT.
    pages
        How many are fetched at the most.
    delay_ms
        The time from one page to the next, at the least.
    lease_ms
        How long a worker may take for a page.
    """
    limits = {"pages_most": pages, "delay_ms": delay_ms, "lease_ms": lease_ms}
    try:
        asyncio.run(run(NativeClient(url, name="crawl"), {"start": start, **limits}))
    except KeyboardInterrupt:
        return 1
    except (CalledOff, ConnectionLost, RequestRefused, ValueError) as error:
        sys.stderr.write(f"{printable(str(error))}\n")
        return 1
    return 0


def say(line: str) -> None:
    sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(cyclopts.run(crawl))
