"""docs/operate.md is executed: its commands, what the doctor prints, and the settings it lists."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from gamehall.config import Settings
from tests.native.clients import Client
from tests.native.visitors import Visitors
from tests.processes import HallProcess

ROOT = Path(__file__).parent.parent
DOCUMENT = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
BACKUP, CHECK, VOID, REPORTS = re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)
(PRINTED,) = re.findall(r"```console\n(.*?)```", DOCUMENT, re.DOTALL)
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


async def run(folder: Path, commands: str) -> str:
    """What the commands print; they must succeed."""
    done = await asyncio.to_thread(
        subprocess.run,
        ["sh", "-e", "-c", PROGRAMS + commands],
        cwd=folder,
        env={"PYTHON": sys.executable, "PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
    with HallProcess(data) as hall:
        at = Visitors(hall)
        back = await (await at.connect()).hello(token=anna.token)
        assert await back.ask("balance") == {"balance": 999_000}
        await at.leave()


def test_the_settings_of_sic_bo() -> None:
    rows = re.findall(r"\| `sicbo\.(\w+)` \| (\d+) \|", DOCUMENT)
    settings = Settings().sicbo
    assert {name: float(value) for name, value in rows} == {
        name: getattr(settings, name) for name in settings.__struct_fields__
    }
