"""docs/operate.md is executed: its commands, what the doctor prints, and the settings it lists.

What it says of containers is executed by tests/system/containers.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from gamehall.config import Settings
from tests.bus import redis_server
from tests.doors.native.clients import Client
from tests.doors.native.playing import drop, match, resign
from tests.doors.native.visitors import Visitors
from tests.store import postgres_server
from tests.support.processes import HallProcess

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
ONE, MANY = DOCUMENT.split("\n## Many nodes\n")
BACKUP, CHECK, VOID, REPORTS = re.findall(r"```sh\n(.*?)```", ONE, re.DOTALL)
(PRINTED,) = re.findall(r"```console\n(.*?)```", ONE, re.DOTALL)
DUMP, COPY = re.findall(
    r"```sh\n(.*?)```",
    MANY.partition("### Backup and restore")[2].partition("In containers")[0],
    re.DOTALL,
)
DEPLOY = ROOT / "deploy"
# The programs that an operator has; curl as far as the page uses it.
PROGRAMS = """
gamehall() { "$PYTHON" -m gamehall "$@"; }
python3() { "$PYTHON" "$@"; }
curl() { "$PYTHON" -c '
import argparse, urllib.request
asked = argparse.ArgumentParser()
for option in ("-X", "-H", "-d"):
    asked.add_argument(option)
asked.add_argument("url")
a = asked.parse_args()
body = a.d and a.d.encode()
request = urllib.request.Request(a.url, body, dict([a.H.split(": ")]), method=a.X)
print(urllib.request.urlopen(request, timeout=30).read().decode())
' "$@"; }
"""


async def run(folder: Path, commands: str, more: Mapping[str, str] | None = None) -> str:
    """What the commands print; they must succeed. `more` is of the environment."""
    done = await asyncio.to_thread(
        subprocess.run,
        ["sh", "-e", "-c", PROGRAMS + commands],
        cwd=folder,
        env={"PATH": os.defpath, **(more or {}), "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def reading(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM journal").fetchone()
        yield


async def bet(client: Client, amount: int) -> int:
    await client.ask("seek", game="sicbo")
    table: int = (await client.notice("table_view", game="sicbo"))["table"]
    await client.ask("act", table=table, command={"type": "bet", "side": "BIG", "amount": amount})
    return table


async def test_the_page_is_true_of_a_running_hall(tmp_path: Path) -> None:
    data = tmp_path / "gamehall-data"
    with HallProcess(data, settings=["sicbo.betting_seconds=3600"]) as hall:
        at = Visitors(hall)
        anna, bob = await at.pair()
        assert await bet(anna, 1000) == await bet(bob, 500) == 1
        command, _, printed = PRINTED.partition("\n")
        assert await run(tmp_path, command.removeprefix("$ ")) == printed
        assert await run(tmp_path, BACKUP) == ""
        assert (await run(tmp_path, CHECK)).endswith("Sound.\n")
        void, reports = (
            command.replace("127.0.0.1:8000", f"127.0.0.1:{hall.ports['native']}")
            for command in (VOID, REPORTS)
        )
        assert void != VOID
        assert await run(tmp_path, void) == '{"table":1,"round":1}\n'
        await anna.ask("report", player=bob.id, text="He bets and bets.")
        assert "He bets and bets." in await run(tmp_path, reports)
        for client in (anna, bob):
            assert await client.ask("balance") == {"balance": 1_000_000}
            told = await client.notice("table_over", table=1)
            assert told["outcome"] is None
        assert "1 closed rounds" in await run(tmp_path, command.removeprefix("$ "))
        files = set(
            re.findall(r"`([\w.-]+)`", DOCUMENT.partition("| file |")[2].partition("\n\n")[0])
        )
        assert {path.name for path in data.iterdir()} <= files
        await at.leave()
        assert hall.stop() == 0
    # The copy takes the database's place.
    (tmp_path / "hall-backup.db").replace(data / "hall.db")
    for name in ("hall.db-wal", "hall.db-shm"):
        (data / name).unlink(missing_ok=True)
    # Somebody still looks at it.
    with reading(data / "hall.db"), HallProcess(data) as hall:
        at = Visitors(hall)
        back = await (await at.connect()).hello(token=anna.token)
        assert await back.ask("balance") == {"balance": 999_000}
        await at.leave()


async def test_a_hall_in_postgresql_is_backed_up_and_restored(tmp_path: Path) -> None:
    postgres = postgres_server.server()
    place = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": "hall"}
    programs = {**place, "PATH": f"{postgres_server.PROGRAMS}:{os.defpath}"}

    def hall_on(database: str) -> HallProcess:
        settings = [f"store.url=postgresql:///{database}", "sicbo.betting_seconds=3600"]
        return HallProcess(tmp_path / "gamehall-data", settings=settings, environment=place)

    await run(tmp_path, "createdb --encoding=UTF8 --template=template0 gamehall", programs)
    try:
        with hall_on("gamehall") as hall:
            at = Visitors(hall)
            anna, bob = await at.pair()
            finished = await match(anna, bob)
            await resign(bob, finished)
            running = await match(anna, bob)
            await drop(anna, running, 3)
            dice = await bet(anna, 1000)
            before = [fetch(hall, f"/api/tables/{table}") for table in (finished, running, dice)]
            await run(tmp_path, DUMP, programs)
            await resign(anna, running)
            await bet(bob, 500)
            await at.leave()
            assert hall.stop() == 0
        looked_at = await run(tmp_path, COPY, programs)
        assert "players have 1,999,000, pots 1,000," in looked_at
        assert looked_at.endswith("Sound.\n")
        with hall_on("gamehall_copy") as hall:
            at = Visitors(hall)
            anna, bob = [await (await at.connect()).hello(token=old.token) for old in (anna, bob)]
            for table, was in zip((finished, running, dice), before, strict=True):
                assert fetch(hall, f"/api/tables/{table}") == was
            assert await anna.ask("balance") == {"balance": 999_000}
            assert await bob.ask("balance") == {"balance": 1_000_000}
            # What is still played goes on, with the secrets that were promised.
            await resign(bob, running)
            history = fetch(hall, "/api/history?game=connect-four")["rounds"]
            assert {one["table"] for one in history} == {finished, running}
            await at.leave()
            assert hall.stop() == 0
    finally:
        gone = "dropdb --force --if-exists gamehall; dropdb --force --if-exists gamehall_copy"
        await run(tmp_path, gone, programs)


def fetch(hall: HallProcess, path: str) -> Any:
    return json.loads(read(hall, path))


def read(hall: HallProcess, path: str) -> str:
    with urlopen(hall.web_url + path, timeout=30) as answer:
        return str(answer.read(), "utf-8")


async def test_every_metric_that_is_watched_exists(tmp_path: Path) -> None:
    settings = [
        f"store.url={await postgres_server.new_url()}",
        f"bus.url={redis_server.server().url}",
    ]
    with HallProcess(tmp_path, settings=settings) as node:
        read(node, "/healthz")  # Counted when it is answered.
        told = set(re.findall(r"^([a-z_]+)[{ ]", read(node, "/metrics"), re.MULTILINE))
        assert node.stop() == 0
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [v["definition"] for v in dashboard["templating"]["list"] if v["type"] == "query"]
    asked += re.findall(r"expr: (.*)", (DEPLOY / "alerts.yml").read_text(encoding="utf-8"))
    watched = set(re.findall(r"\b(?:gamehall|process|python)_[a-z_]+", " ".join(asked)))
    assert watched
    # Prometheus itself says which nodes are `up`.
    assert not watched - told


def test_every_panel_of_the_dashboard_can_be_told_from_the_others() -> None:
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    panels = dashboard["panels"]
    for what in ("id", "title", "description"):
        assert len({panel[what] for panel in panels}) == len(panels)
    places = [panel["gridPos"] for panel in panels]
    cells = [
        (x, y)
        for at in places
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(set(cells)) == len(cells), "panels cover each other"
    assert max(x for x, _ in cells) < 24
    sources = {target["datasource"]["uid"] for panel in panels for target in panel["targets"]}
    assert sources == {"${datasource}"}


def test_the_settings_of_sic_bo() -> None:
    rows = re.findall(r"\| `sicbo\.(\w+)` \| (\d+) \|", ONE)
    settings = Settings().sicbo
    assert {name: float(value) for name, value in rows} == {
        name: getattr(settings, name) for name in settings.__struct_fields__
    }


def test_the_settings_for_existing_clients() -> None:
    rows = re.findall(r"\| `(table|duel|practice)\.(\w+)` \| (\d+) \|", ONE)
    assert len(rows) == 4
    for section, name, value in rows:
        assert getattr(getattr(Settings(), section), name) == float(value), name


def test_the_settings_of_many_nodes() -> None:
    rows = re.findall(r"\| `(\w+)\.(\w+)` \| (?:`?(\S+?)`? )?\|", MANY)
    assert len(rows) == 4
    settings = Settings()
    for section, name, value in rows:
        default = getattr(getattr(settings, section), name)
        assert value == (str(default) if default else ""), name
