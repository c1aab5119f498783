"""Called Bingo over the ends of rounds, at the doors `caller`, `practice` and both native ones."""

from __future__ import annotations

from collections.abc import Sized
from functools import partial

from tests.doors.caller.clients import Caller
from tests.doors.native.clients import Client
from tests.doors.practice.clients import Practice
from tests.many_nodes.in_process.halls import NodeHall
from tests.many_nodes.in_process.tables import told_judge as judge
from tests.many_nodes.in_process.tables.told_beats import Order, heard, places, until

ALL_CALLED: list[Order] = [(None, "call", {})] * 75


def round_won_by(name: str) -> list[Order]:
    return [(name, "start", {}), *ALL_CALLED, (name, "claim", {})]


async def test_rounds_of_called_bingo() -> None:
    async with places("caller", "practice", "native", "native-tcp") as at:
        here, there = at.doors
        table = await at.owner.hall.house_tables.table("bingo")
        callers = {
            "anna": await Caller.join(here.ports["caller"], "anna"),
            "bob": await Caller.join(there.ports["caller"], "bob"),
        }
        dave = await (await Client.connect(here, "tcp")).hello("dave")
        await dave.ask("sit", table=table)
        erin = await (await Client.connect(there, "ws")).hello("erin")
        await erin.ask("watch", table=table)
        natives = {"dave": dave, "erin": erin}
        practising = {"pia": here, "paul": there}
        rooms = {}
        for name, doors in practising.items():
            practice = rooms[name] = await Practice.connect(doors.ports["practice"])
            practice.log_in(name)
            practice.seek("bingo")
            await practice.until(partial(_heard_all, practice.messages, 3))
        await until(lambda: all(n in _names(at.owner) for n in ("anna", "bob", "erin", "paul")))
        await at.head(table)
        said = {name: len(room.messages) for name, room in rooms.items()}
        spoken = {name: len(caller.lines) for name, caller in callers.items()}
        seq, journal = await at.one_beat(
            table,
            [
                *round_won_by("anna"),
                # Someone else takes a seat, and what is dealt there is not the other's.
                ("dave", "leave", {}),
                at.sit("erin"),
                *round_won_by("erin"),
                ("bob", "start", {}),
                *ALL_CALLED[:3],
            ],
        )
        assert [len(round.all("called")) for round in journal.rounds] == [75, 75, 3]
        for name, caller in callers.items():
            expected = judge.caller(journal, seq, name, has_card=False)
            await caller.until(partial(_heard_all, caller.lines, spoken[name] + len(expected)))
            assert caller.lines[spoken[name] :] == expected
        for name, client in natives.items():
            await heard(client, table, journal.head)
            judge.native(journal, client.log, table, seq, name)
            judge.leavers(journal, client.log, seq)
        for name, room in rooms.items():
            told = judge.practice(journal, seq, name, journal.rounds)
            await room.until(partial(_heard_all, room.messages, said[name] + len(told)))
            assert judge.in_brief(room.messages[said[name] :]) == told
        everyone: tuple[Caller | Client | Practice, ...]
        everyone = (*callers.values(), *natives.values(), *rooms.values())
        for each in everyone:
            await each.close()


def _names(node: NodeHall) -> set[str]:
    online = node.hall.rooms.players.online.values()
    return {each.player.name for each in online}


def _heard_all(messages: Sized, count: int) -> bool:
    return len(messages) >= count
