"""A story, played in a world of its own, and judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from unittest.mock import patch

import msgspec

from gamehall.games import GAMES
from gamehall.games.bingo import Bingo
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.sicbo import SicBo
from gamehall.hall import housekeeping
from gamehall.hall.wiring import HallSettings
from gamehall.simulation.checker.evidence import Evidence, judge
from gamehall.simulation.checker.memory import Kept
from gamehall.simulation.checker.money import Ledger, Transfer
from gamehall.simulation.checker.records import kept_rows
from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.person import Person
from gamehall.simulation.clients.roster import KINDS
from gamehall.simulation.network import Network
from gamehall.simulation.node import Node
from gamehall.simulation.seeded import seeded
from gamehall.simulation.story import DOORS, Step, Story
from gamehall.simulation.vault import Vault
from gamehall.simulation.world import Machine, World

SETTINGS = HallSettings(
    grace_seconds=8.0,
    drop_seconds=4.0,
    rematch_seconds=6.0,
    seat_seconds=6.0,
    challenge_seconds=6.0,
    lease_seconds=1.5,
    options={
        Bingo.name: {"pause_seconds": 0.2, "ready_seconds": 1.0},
        BingoDuel.name: {"size": 4},
        SicBo.name: {"betting_seconds": 2.0, "reveal_seconds": 0.3, "pause_seconds": 0.4},
    },
)
START_SECONDS = 30.0
PEACE_SECONDS = 60.0
"""How long everything has to be answered once all is well again."""
RESTART_SECONDS = 0.2
"""After the end of a process."""
SWEEP_SECONDS = 0.9
"""How often a node lets go of idle tables: a story is short."""
LET_GO_SECONDS = 2.0
"""How long a table may stay in memory that is closed, or that nobody needs: for two sweeps, of the
last node that follows it and of its owner."""


class Violation(AssertionError):
    """The hall has broken a promise."""


class Run:
    def __init__(self, story: Story) -> None:
        self.story = story
        self._starts = 0
        self.world = World(story.seed)
        self.people: list[Person] = []
        self.visitors: list[Client] = []
        """Those at the other doors than the native one."""

    def play(self) -> None:
        """Raises Violation."""
        with seeded(self.world), patch.object(housekeeping, "SWEEP_SECONDS", SWEEP_SECONDS):
            self._begin()
            self.world.run(self._main(), self._machine)
            self._judge()

    def _begin(self) -> None:
        self.vault = Vault(self.world)
        self.network = Network(self.world)
        self.nodes: dict[str, Node] = {}
        self._machine = Machine(self.world)
        for number in range(1, self.story.nodes + 1):
            self._start(f"node-{number}")
        for name in self.story.people:
            if name in DOORS:
                self.visitors.append(KINDS[DOORS[name]](self._machine, name, self.nodes))
            else:
                self.people.append(Person(self._machine, name, self.nodes))

    def _start(self, name: str) -> None:
        """Starts the process, under another name each time, as a process has."""
        if name in self.nodes and not self.nodes[name].machine.dead:
            return
        self._starts += 1
        games = {name: game for game in GAMES for name in (game.name, *game.aliases)}
        process = f"{self._starts:03}-{name}" if self.story.nodes > 1 else ""
        node = self.nodes[name] = Node(
            self.world,
            self.vault,
            self.network,
            process,
            games,
            SETTINGS,
            failed=lambda: self._restart(node, name),
        )

    def _restart(self, node: Node, name: str) -> None:
        """As whoever looks after the processes does."""
        node.kill()
        self.world.after(RESTART_SECONDS, lambda: self._start(name))

    async def _main(self) -> None:
        await self._until(lambda: all(node.ready for node in self.nodes.values()), "all are ready")
        for number, person in enumerate(self._everyone()):
            person.come((number + 0.5) / len(self.story.people))
        await self._until(self._all_here, "all are here")
        start = self.world.seconds
        for step in self.story.steps:
            await asyncio.sleep(max(0.0, start + step.at - self.world.seconds))
            self._take(step)
        await self._peace()

    def _everyone(self) -> list[Client]:
        return [*self.people, *self.visitors]

    def _take(self, step: Step) -> None:
        for person in self._everyone():
            if person.name == step.who:
                person.do(step.does, step.pick)
        if step.who in self.nodes:
            self._befall(self.nodes[step.who], step)

    def _befall(self, node: Node, step: Step) -> None:
        if node.machine.dead:
            return
        rng = Random(step.pick)
        seconds = rng.choice((0.1, 0.5, 2.0, 5.0))
        later = self.world.after
        match step.does:
            case "is killed":
                node.kill()
                later(seconds, lambda: self._start(step.who))
            case "is frozen":
                node.machine.freeze(seconds)
            case "is cut off" | "hears nothing" | "reaches nobody":
                self.network.isolate(
                    node.name,
                    inward=step.does != "reaches nobody",
                    outward=step.does != "hears nothing",
                )
                later(seconds, self.network.heal)
            case "loses the store":
                node.store.way.away = True
                later(seconds, lambda: setattr(node.store.way, "away", False))
            case "has trouble with the store":
                node.store.way.trouble = rng.choice((0.05, 0.3))
                later(seconds, lambda: setattr(node.store.way, "trouble", 0.0))
            case "loses messages":
                self.network.loss = rng.choice((0.02, 0.2, 0.7))
                later(seconds, lambda: setattr(self.network, "loss", 0.0))
            case "has its clock set":
                node.clock.wrong_by_ms += rng.choice((-3_600_000, -2000, 2000, 3_600_000))
            case "stops":
                self._stop(node, step.who)

    def _stop(self, node: Node, name: str) -> None:
        node.ready = False

        task = node.machine.do(lambda: node.machine.create_task(node.stop()))
        task.add_done_callback(lambda _: self._restart(node, name))

    async def _peace(self) -> None:
        """All is well again: everyone is answered, and every table goes on."""
        await asyncio.sleep(5.5)  # The longest fault is over.
        self.network.heal()
        await self._until(lambda: all(node.ready for node in self.nodes.values()), "all are up")
        await self._until(self._all_here, "all are let in", self._missing)
        await self._until(self._all_answered, "everyone is answered", self._unanswered)
        for person in self.people:
            person.catch_up()
        await self._until(self._all_answered, "everyone is shown the tables", self._unanswered)
        for person in self.people:
            person.go_on()
        await self._until(self._all_answered, "everyone can go on", self._unanswered)
        await self._until(lambda: not self._waiting_in_vain(), "who seeks the same is paired")
        for client in self._everyone():
            client.expect_more()
        await self._until(self._all_heard_more, "games go on", self._stuck)
        await self._come_back()
        await asyncio.sleep(LET_GO_SECONDS)

    async def _come_back(self) -> None:
        """Who has a place at a door without tokens, and loses its connection, finds it again."""
        if not any(client.has_place for client in self.visitors):
            return
        # Until then it may be taken for the one that it was at a connection before this one.
        await asyncio.sleep(SETTINGS.grace_seconds)
        left = [client for client in self.visitors if client.has_place]
        known_as = [client.known_as for client in left]
        for client in left:
            client.hang_up()
        await self._until(self._all_here, "all are back", self._missing)
        now = [client.known_as for client in left]
        if now != known_as:
            raise Violation(f"{known_as} came back, and were taken for {now}")

    def _all_here(self) -> bool:
        return all(client.here for client in self._everyone())

    def _missing(self) -> str:
        return str([client.name for client in self._everyone() if not client.here])

    def _all_heard_more(self) -> bool:
        return all(client.heard_more for client in self._everyone())

    def _stuck(self) -> str:
        return str([client.name for client in self._everyone() if not client.heard_more])

    def _all_answered(self) -> bool:
        return all(person.here and not person.pending for person in self.people)

    def _unanswered(self) -> str:
        return str({each.name: [each.here, *each.pending.values()] for each in self.people})

    def _waiting_in_vain(self) -> set[str]:
        """Games that two people seek."""
        sought = [game for client in self._everyone() for game in client.sought]
        return {game for game in sought if sought.count(game) > 1}

    async def _until(
        self, holds: Callable[[], bool], what: str, why: Callable[[], str] = str
    ) -> None:
        until = self.world.seconds + PEACE_SECONDS
        while not holds():
            if self.world.seconds > until:
                raise Violation(f"not in {PEACE_SECONDS:g} seconds: {what} {why()}")
            await asyncio.sleep(0.02)

    def _judge(self) -> None:
        if self.world.faults:
            raise Violation(f"nobody caught {self.world.faults[0]}")
        try:
            judge(self.evidence())
        except AssertionError as error:
            raise Violation(str(error)) from error

    def evidence(self) -> Evidence:
        ask = self.vault.connection.execute
        rows = ask(
            "SELECT table_id, seq, line, player, request, digest FROM journal ORDER BY rowid"
        )
        written = rows.fetchall()
        moved = ask("SELECT id, table_id, seq, n, source, target, chips FROM transfers ORDER BY id")
        return Evidence(
            people=[person.transcript for person in self.people],
            visitors={
                door: [each.transcript for each in self.visitors if each.door == door]
                for door in KINDS
            },
            records=kept_rows(
                ask("SELECT id, game, head, hash, status, origin, due_ms FROM tables ORDER BY id"),
                written,
                ask("SELECT table_id, player FROM seated"),
            ),
            order=[(table, seq) for table, seq, *_ in written],
            ledger=Ledger(
                tuple(Transfer(*row) for row in moved),
                dict(ask("SELECT player, chips FROM balances")),
            ),
            moments=self.vault.moments,
            kept=self._kept(),
        )

    def _kept(self) -> list[Kept]:
        return [
            Kept(name, table.id, table.head, table.owned, self._people_at(node))
            for name, node in self.nodes.items()
            for table in node.hall.rooms.tables.all_loaded()
        ]

    def _people_at(self, node: Node) -> frozenset[int]:
        here = (person for person in self.people if person.node == node.name)
        return frozenset(person.transcript.player for person in here)

    def transcript(self) -> bytes:
        """All that was said, to the byte."""
        return msgspec.json.encode(
            [(each.name, each.transcript.lines) for each in self._everyone()]
        )


def violation(story: Story) -> str | None:
    """The promise that the hall breaks in this story, if it does."""
    try:
        Run(story).play()
    except AssertionError as error:
        return str(error)
    return None
