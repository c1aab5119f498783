"""A hall that answers HTTP on a real socket, with a real store behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse, ClientSession, web

from gamehall.games.connect_four import Drop
from gamehall.games.game import Command, Game
from gamehall.hall.beat.requests import Done
from gamehall.table_log import house as at_table
from gamehall.wire.http.web import make_app, start_app
from tests.hall.halls import FakeLink, TestHall

STARTED_MS = 1_700_000_000_000
WINS = (0, 1, 0, 1, 0, 1, 0)
"""Columns: whoever begins has four stones above each other."""
PAGE = {
    "index.html": "<!doctype html><title>Gamehall</title><p>The page.</p>\n" * 20,
    "assets/main-Dx3kQ9_a.js": "export const hall = 'here';\n" * 20,
    "assets/main-B1oP-w2z.css": "main { color: teal; }\n" * 20,
    "assets/icon-C9s_aa01.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n" * 20,
}
"""A small one, as Vite lays it out."""


def lay_page(folder: Path) -> Path:
    """The folder in which PAGE lies now."""
    (folder / "assets").mkdir(parents=True)
    for name, text in PAGE.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class Seen(HTMLParser):
    """What a browser makes of an error's page: texts, tags and addresses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.addresses += [str(named[name]) for name in ("href", "src") if name in named]
        assert not [name for name in named if name.startswith("on") or name == "style"]

    def handle_data(self, data: str) -> None:
        self.text += data


class WebHall:
    """The hall, its HTTP side and a client. `page` is the folder of another page than PAGE."""

    def __init__(
        self,
        folder: Path,
        games: Mapping[str, Game[Any]] | None = None,
        *,
        page: Path | None = None,
    ) -> None:
        self.house = TestHall(folder, games)
        self._page = page or lay_page(folder / "page")
        self.doors = [("native", "127.0.0.1:8000"), ("native-tcp", "127.0.0.1:8001")]
        self.app: web.Application
        self.port = 0
        self._runner: web.AppRunner
        self._client: ClientSession

    async def start(self) -> None:
        await self.house.start()
        self.app = make_app(
            self.house.hall,
            doors=lambda: self.doors,
            operator_token="not for anyone",
            started_ms=STARTED_MS,
            page=self._page,
        )
        self._runner = await start_app(self.app)
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]
        self._client = ClientSession(self.url(""))

    async def stop(self) -> None:
        await self._client.close()
        await self._runner.cleanup()
        await self.house.stop()

    @property
    def connections(self) -> int:
        """How many are open: one that is lost is kept until it was answered."""
        assert self._runner.server is not None
        return sum(each.transport is not None for each in self._runner.server.connections)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def ask(self, path: str, method: str = "GET", **how: Any) -> ClientResponse:
        return await self._client.request(method, path, **how)

    async def get(self, path: str, status: int = 200) -> Any:
        """The JSON that a path answers."""
        response = await self.ask(path)
        body = await response.json()
        assert response.status == status, body
        assert response.content_type == "application/json"
        return body

    async def refusal(self, path: str, status: int) -> tuple[str, str]:
        """Code and sentence of the error that a path answers."""
        error = (await self.get(path, status)).pop("error")
        assert set(error) == {"code", "message"}
        return error["code"], error["message"]

    # Play

    async def open(
        self, link: FakeLink, game: str = "connect-four", *, private: bool = False, **options: Any
    ) -> int:
        """The id of a table at which this player sits."""
        assert link.online is not None
        opened = await self.house.hall.new_tables.open_table(
            link.online, game, options, private=private, bots=(), request=None
        )
        await self.sit(link, opened.table)
        return opened.table

    async def sit(self, link: FakeLink, table: int) -> None:
        assert link.online is not None
        player = link.online.player
        await self.do(link, table, at_table.Sit(at_table.Person(player.id, player.name)))

    async def do(self, link: FakeLink, table: int, command: Command) -> None:
        answer = await self.house.ask(link, table, command)
        assert isinstance(answer, Done), answer

    async def drop(self, links: Sequence[FakeLink], table: int, columns: Sequence[int]) -> None:
        """Drops stones in turn, whoever begins."""
        by_seat = sorted(links, key=lambda link: link.online.seated[table])  # type: ignore[union-attr]
        for turn, column in enumerate(columns):
            await self.do(by_seat[turn % 2], table, Drop(column))

    async def play(
        self, first: FakeLink, second: FakeLink, columns: Sequence[int] = WINS, **how: Any
    ) -> int:
        """The table at which these two have played so."""
        table = await self.open(first, **how)
        await self.sit(second, table)
        await self.drop((first, second), table, columns)
        return table
