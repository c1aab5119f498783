"""Other games at the `mario` door: what is sent again when its round is long over is not done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.doors.mario.clients import MarioClient
from tests.doors.rfc.halls import Visitors, open_hall

ZONE = "ConnectFourZone"


async def test_a_resign_of_another_round(tmp_path: Path) -> None:
    with open_hall(tmp_path) as hall:
        at = Visitors(hall)
        both = anna, bob = await at.mario("anna", ZONE), await at.mario("bob", ZONE)

        async def ask(client: MarioClient, action: str, id: Any = None, **payload: Any) -> Any:
            answer = await client.request(action, payload, id)
            assert answer["action"] == action, answer
            return answer["payload"]

        table = (await ask(anna, "open_table", game="connect-four"))["table"]
        for client in both:
            await ask(client, "sit", table=table)
        command = {"type": "resign"}
        first = await ask(anna, "act", 1, table=table, command=command)
        for number in (2, 3, 4):
            for client in both:
                await ask(client, "rematch", table=table)
            assert await ask(anna, "act", 1, table=table, command=command) == first
            await ask(bob, "act", number, table=table, command=command)
        for client in both:
            await ask(client, "rematch", table=table)
        await at.leave()

        hall.restart()
        at = Visitors(hall)
        anna = await at.mario("anna", ZONE)
        assert await ask(anna, "act", 1, table=table, command=command) == first
        await ask(anna, "resume", table=table)
        view = await anna.told("table_view")
        assert (view["status"], view["round"]) == ("playing", 5)
        await at.leave()
