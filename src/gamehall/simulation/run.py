"""A story, played in a world of its own, and judged."""

from __future__ import annotations

import asyncio
from random import Random
from unittest.mock import patch

import msgspec

from gamehall.games import GAMES
from gamehall.games.bingo import Bingo
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.sicbo import SicBo
from gamehall.hall import housekeeping
from gamehall.hall.arena.as_portal import matches as portal_matches
from gamehall.hall.settings import HallSettings
from gamehall.simulation.broken import broken_by
from gamehall.simulation.checker.evidence import Evidence, judge
from gamehall.simulation.checker.memory import HEALED_SECONDS, Kept
from gamehall.simulation.checker.money import Ledger, Transfer
from gamehall.simulation.checker.records import kept_rows
from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.person import Person
from gamehall.simulation.clients.roster import KINDS
from gamehall.simulation.connection import Streets
from gamehall.simulation.logged import errors_noted
from gamehall.simulation.network import Network
from gamehall.simulation.node import Node
from gamehall.simulation.operators import Operator
from gamehall.simulation.peace import Peace, Violation
from gamehall.simulation.plots import TOURNAMENT_DEEDS
from gamehall.simulation.portal_peace import PortalPeace
from gamehall.simulation.seeded import seeded
from gamehall.simulation.step import OPERATOR, Step
from gamehall.simulation.store import AWAY
from gamehall.simulation.story import DOORS, Story
from gamehall.simulation.vault import Vault
from gamehall.simulation.world import Machine, World

SETTINGS = HallSettings(
    grace_seconds=8.0,
    drop_seconds=4.0,
    rematch_seconds=6.0,
    seat_seconds=6.0,
    challenge_seconds=6.0,
    start_balance=12_000,  # Little: who bets is soon short of chips.
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
CLOCKS_DIFFER = 0.2
"""In how many stories nodes start with clocks that are wrong."""
WRONG_BY_MS = (-3_600_000, -2000, 2000, 3_600_000)
ASKED_MS = 4000
"""After so long a node gives up a match for which another one asked."""
LET_GO_SECONDS = 2.0
"""How long a table may stay in memory that is closed, or that nobody needs: for two sweeps, of the
last node that follows it and of its owner."""


class Run:
    def __init__(self, story: Story) -> None:
        self.story = story
        self._starts = 0
        self.world = World(story.seed)
        self._clocks = Random(f"{story.seed} clocks")
        self._clocks_differ = self._clocks.random() < CLOCKS_DIFFER
        self.people: list[Person] = []
        self.visitors: list[Client] = []
        """Those at the other doors than the native one."""

    def play(self) -> None:
        """Raises AssertionError if a promise is broken, and what client, checker or world raise
        where they do not understand it."""
        with (
            seeded(self.world),
            errors_noted(self.world.faults),
            patch.object(housekeeping, "SWEEP_SECONDS", SWEEP_SECONDS),
            patch.object(portal_matches, "ASKED_MS", ASKED_MS),
        ):
            self._begin()
            try:
                self.world.run(self._main(), self._machine)
            except Exception as error:
                self._check_faults(error)  # They are the cause, most likely.
                raise
            self._check_faults()
            judge(self.evidence())

    def _begin(self) -> None:
        self.vault = Vault(self.world)
        self.network = Network(self.world)
        self.nodes: dict[str, Node] = {}
        self._machine = Machine(self.world)
        for number in range(1, self.story.nodes + 1):
            self._start(f"node-{number}")
        self.operator = Operator(self.nodes)
        streets = Streets(self._machine, self.nodes)
        for name in self.story.people:
            if name in DOORS:
                self.visitors.append(KINDS[DOORS[name]](streets, name))
            else:
                self.people.append(Person(streets, name))
        for person in self.people:
            person.private.friends = [each.private for each in self.people if each is not person]
        self.portal = PortalPeace(self.visitors, self.operator, self.nodes, self.vault)
        self.peace = Peace(self.people, self.visitors, PEACE_SECONDS)

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
            wrong_by_ms=self._clocks.choice(WRONG_BY_MS) if self._clocks_differ else 0,
        )

    def _restart(self, node: Node, name: str) -> None:
        """As whoever looks after the processes does."""
        node.kill()
        self.world.after(RESTART_SECONDS, lambda: self._start(name))

    async def _main(self) -> None:
        await self.peace.until(self._all_ready, "all are ready")
        for number, person in enumerate(self._everyone()):
            person.come((number + 0.5) / len(self.story.people))
        await self.peace.all_let_in()
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
        if step.who == OPERATOR:
            self.operator.do(step.does, step.pick)
        elif step.who in self.nodes:
            self._befall(self.nodes[step.who], step)

    def _befall(self, node: Node, step: Step) -> None:
        if node.machine.dead:
            return
        rng = Random(step.pick)
        seconds = rng.choice((0.1, 0.5, 2.0, 5.0))
        later, way = self.world.after, node.store.way
        match step.does:
            case "is killed":
                node.kill()
                later(seconds, lambda: self._start(step.who))
            case "is frozen":
                node.machine.freeze(seconds)
            case "is cut off" | "hears nothing" | "reaches nobody":
                heal = self.network.isolate(
                    node.name,
                    inward=step.does != "reaches nobody",
                    outward=step.does != "hears nothing",
                )
                later(seconds, heal)
            case "loses the store":
                later(seconds, way.trouble.begin(AWAY))
            case "has trouble with the store":
                later(seconds, way.trouble.begin(rng.choice((0.05, 0.3))))
            case "finds the store slow":
                later(seconds, way.slow_seconds.begin(rng.choice((0.1, 0.5, 2.0))))
            case "loses messages":
                later(seconds, self.network.loss.begin(rng.choice((0.02, 0.2, 0.7))))
            case "hears late":
                later(seconds, self.network.slow_seconds.begin(rng.choice((0.1, 0.5, 2.0))))
            case "has its clock set":
                node.clock.wrong_by_ms += rng.choice(WRONG_BY_MS)
            case "stops":
                self._stop(node, step.who)

    def _stop(self, node: Node, name: str) -> None:
        node.ready = False

        task = node.machine.do(lambda: node.machine.create_task(node.stop()))
        task.add_done_callback(lambda _: self._restart(node, name))

    async def _peace(self) -> None:
        """All is well again: everyone is answered, and every table goes on."""
        await asyncio.sleep(5.5)  # The longest fault is over.
        await self.peace.until(self._all_ready, "all are up")
        await self.peace.demand()
        if any(step.does in TOURNAMENT_DEEDS for step in self.story.steps):
            await self.peace.tournaments_end()
            # Until then a node that was started again may load them to look who is not back.
            await asyncio.sleep(SETTINGS.grace_seconds)
        await self.portal.demand(self.peace)
        await self._come_back()
        # A node does not know of what it wrote while a repeat of that is late.
        await self.peace.until(lambda: not self.vault.late, "late writes land")
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
        await self.peace.until(self.peace.all_here, "all are back", self.peace.missing)
        now = [client.known_as for client in left]
        if now != known_as:
            raise Violation(f"{known_as} came back, and were taken for {now}")

    def _all_ready(self) -> bool:
        return all(node.ready for node in self.nodes.values())

    def _check_faults(self, shown_by: Exception | None = None) -> None:
        if self.world.faults:
            raise Violation(f"a fault: {self.world.faults[0]}") from shown_by

    def evidence(self) -> Evidence:
        ask = self.vault.connection.execute
        rows = ask("SELECT table_id, seq, line, player, request, digest FROM lines ORDER BY row")
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
            arena=self.portal.arena(),
            settled=self._settled(),
        )

    def _settled(self) -> dict[int, int]:
        """The rows of each table that every node has to know by now."""
        until = self.world.seconds - HEALED_SECONDS
        written = self.vault.written.items()
        return {table: sum(each < until for each in times) for table, times in written}

    def _kept(self) -> list[Kept]:
        return [
            Kept(
                name,
                table.id,
                table.head,
                table.owned,
                self._people_at(node),
                self._behind_seconds(table.id, table.head),
            )
            for name, node in self.nodes.items()
            for table in node.hall.rooms.tables.all_loaded()
        ]

    def _behind_seconds(self, table: int, head: int) -> float:
        missed = self.vault.written[table][head:]
        return self.world.seconds - missed[0] if missed else 0.0

    def _people_at(self, node: Node) -> frozenset[int]:
        here = (person for person in self.people if person.node == node.name)
        return frozenset(person.transcript.player for person in here)

    def transcript(self) -> bytes:
        """All that was said, to the byte, what was written, and how long it took."""
        said = [(each.name, each.transcript.lines) for each in self._everyone()]
        written = self.vault.connection.execute("SELECT id, epoch, hash FROM tables ORDER BY id")
        return msgspec.json.encode((said, written.fetchall(), self.world.seconds))


def violation(story: Story) -> str | None:
    """The promise that the hall breaks in this story, if it does."""
    try:
        Run(story).play()
    except Exception as error:  # noqa: BLE001 (no error of a run may hide its seed)
        return broken_by(error)
    return None
