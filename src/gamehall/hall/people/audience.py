"""Who listens to which table at this node, and what they were told last."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field

import structlog

from gamehall.hall.beat.requests import Told
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Notice, Said, Watching
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.table_log.house import NO_FUNDS

log = structlog.get_logger(__name__)

KEPT_MAX = 256
"""Notices of a table that are kept for those who resume."""


SAID_MAX = 10
"""Lines of chat of a table that are kept for those who report someone."""

Hearer = tuple[Link, int | None]
"""Who is told of a beat, with the seat it has."""

CROWD = 50
"""Where more sit, not everything is told to or kept for everyone."""


@dataclass(slots=True, eq=False, repr=False)
class Audience:
    """The listeners of one table."""

    spectators: dict[Link, None] = field(default_factory=dict)
    """In the order in which they came, and are told."""
    seat_of: dict[int, int] = field(default_factory=dict)
    kept: deque[Told] = field(default_factory=lambda: deque(maxlen=KEPT_MAX))
    walk_in: bool = False
    """People walk in: those who listen watch, whether they have a seat or not."""
    said: tuple[Said, ...] = ()
    watching: int = 0
    """How many watch, as everyone was told last."""
    elsewhere: dict[str, int] = field(default_factory=dict)
    """How many watch at other nodes, by node."""


_NOBODY = Audience()
"""Of a table that nobody listens to. It stays empty."""


@dataclass(eq=False, repr=False)
class Audiences:
    _players: Players
    _: KW_ONLY
    on_watched: Callable[[int], None]
    """Hears that someone has begun or ceased to watch a table."""
    on_counted: Callable[[int], None]
    """Hears, not too often, that how many watch has changed."""
    on_said: Callable[[Said], None]
    """Hears what was said at this node."""

    def __post_init__(self) -> None:
        self._audiences: dict[int, Audience] = {}

    def of(self, table: int) -> Audience:
        audience = self._audiences.get(table)
        if audience is None:
            audience = self._audiences[table] = Audience()
        return audience

    def is_crowd(self, table: int) -> bool:
        return len(self.of(table).seat_of) > CROWD

    def needed(self, table: int) -> bool:
        """Whether someone who is connected to this node listens to this table."""
        audience = self._audiences.get(table, _NOBODY)
        watchers = (link.online for link in audience.spectators)
        return any(player is None or player.player.kind != "bot" for player in watchers) or any(
            player.links and player.player.kind != "bot" for player in self._seated(audience)
        )

    def has_people(self, table: int) -> bool:
        """Whether someone does who is connected to any node."""
        audience = self._audiences.get(table, _NOBODY)
        return (
            self.needed(table)
            or any(audience.elsewhere.values())
            or any(online.elsewhere for online in self._seated(audience))
        )

    def _seated(self, audience: Audience) -> Iterator[Online]:
        online = self._players.online
        return (online[player] for player in audience.seat_of if player in online)

    def forget(self, table: int) -> None:
        for link in self._audiences.pop(table, _NOBODY).spectators:
            if link.watching is not None:
                link.watching.discard(table)

    def forget_unknown(self, is_known: Callable[[int], bool]) -> None:
        """Forgets tables that are not known here any more, unless someone listens to them: to a
        closed one, say, that was looked at."""
        for table in list(self._audiences):
            if not is_known(table) and not self.needed(table):
                self.forget(table)

    # Telling

    def deliver(self, told: Told) -> None:
        """Tells everyone here what happened, each as it may see it."""
        audience = self.of(told.table)
        if told.walk_in:
            self._deliver_to_crowd(audience, told)
            return
        if len(told.insiders) > CROWD:
            # Thousands of cards, say: a client that resumes gets a view, which has its own.
            audience.kept.clear()
        else:
            audience.kept.append(told)
        before, audience.seat_of = audience.seat_of, told.seat_of
        online = self._players.online
        hearers: list[Hearer] = []
        for player, seat in told.seat_of.items():
            here = online.get(player)
            if here is not None:
                for link in here.links:
                    hearers.append((link, seat))
        if before is not told.seat_of:
            # Also who sat down and could not pay, in one go.
            broke = {player for player, *_, reason in told.left if reason == NO_FUNDS}
            went = before.keys() | broke
            for player in went - told.seat_of.keys():
                here = online.get(player)
                if here is not None:
                    # Those that watch as well are told with the spectators.
                    links = (link for link in here.links if link not in audience.spectators)
                    hearers += [(link, None) for link in links]
            if audience.spectators:
                # Someone may watch who has a seat now, or has none any more.
                self.on_watched(told.table)
        if audience.spectators:
            hearers += [(link, None) for link in _unseated(audience)]
        _tell_all(hearers, told)

    def _deliver_to_crowd(self, audience: Audience, told: Told) -> None:
        """What nobody but a few bettors may see must not cost a look at everyone."""
        audience.walk_in = True
        audience.seat_of = seat_of = told.seat_of
        watchers = audience.spectators if told.events else ()
        hearers: list[Hearer] = []
        for link in watchers:
            here = link.online
            hearers.append((link, None if here is None else seat_of.get(here.player.id)))
        for player in told.insiders:
            links = (link for link in self._links(player) if link not in watchers)
            hearers += [(link, seat_of.get(player)) for link in links]
        _tell_all(hearers, told)

    def tell(self, table: int, notice: Notice) -> None:
        """Tells everyone here something that is in no journal."""
        for link, _ in list(self.listeners(table)):
            link.tell(notice)

    def listeners(self, table: int) -> Iterator[tuple[Link, int | None]]:
        """Everyone who listens here, with the seat it has."""
        audience = self._audiences.get(table, _NOBODY)
        for player, seat in () if audience.walk_in else audience.seat_of.items():
            for link in self._links(player):
                yield link, seat
        for link in audience.spectators if audience.walk_in else _unseated(audience):
            yield link, None

    def say(self, said: Said) -> None:
        """Tells everyone a line of chat."""
        self.hear(said)
        self.on_said(said)

    def hear(self, said: Said) -> None:
        """Tells everyone here a line of chat."""
        audience = self.of(said.table)
        audience.said = (*audience.said, said)[-SAID_MAX:]
        self.tell(said.table, said)

    def last_said(self, table: int) -> tuple[Said, ...]:
        return self._audiences.get(table, _NOBODY).said

    def _links(self, player: int) -> list[Link]:
        here: Online | None = self._players.online.get(player)
        return [] if here is None else here.links

    # Spectators

    def watching(self, table: int) -> int:
        """How many watch: of a crowd, as it was told last."""
        audience = self._audiences.get(table, _NOBODY)
        # Thousands may come at once, and each is told.
        return audience.watching if len(audience.spectators) > CROWD else _count_all(audience)

    def tell_watching(self, table: int) -> None:
        """Tells everyone here how many watch, if they do not know."""
        audience = self._audiences.get(table)
        if audience is None:
            return
        before, audience.watching = audience.watching, _count_all(audience)
        if audience.watching != before:
            self.tell(table, Watching(table, audience.watching))
            self.on_counted(table)

    def watching_here(self, table: int) -> int:
        """How many watch at this node."""
        return _count(self._audiences.get(table, _NOBODY))

    def watched_elsewhere(self, table: int, node: str, count: int) -> None:
        """So many watch at another node now."""
        audience = self._audiences.get(table)
        if audience is None or audience.elsewhere.get(node, 0) == count:
            return
        audience.elsewhere[node] = count
        if not count:
            del audience.elsewhere[node]
        self.on_watched(table)

    def forget_elsewhere(self, table: int) -> None:
        """Those who watch at other nodes are to be counted anew."""
        audience = self._audiences.get(table)
        if audience is not None and audience.elsewhere:
            audience.elsewhere.clear()
            self.on_watched(table)

    def node_gone(self, node: str) -> None:
        for table, audience in self._audiences.items():
            if node in audience.elsewhere:
                self.watched_elsewhere(table, node, 0)

    def watch(self, link: Link, table: int) -> None:
        self.of(table).spectators[link] = None
        link.watching = (link.watching or set()) | {table}
        self.on_watched(table)

    def unwatch(self, link: Link, table: int) -> None:
        audience = self._audiences.get(table, _NOBODY)
        if link in audience.spectators:
            del audience.spectators[link]
            self.on_watched(table)
        if link.watching is not None:
            link.watching.discard(table)

    def unwatch_all(self, link: Link) -> None:
        for table in tuple(link.watching or ()):
            self.unwatch(link, table)

    # Resuming

    def missed(self, table: int, after: int, player: int | None) -> list[Told] | None:
        """The notices after `after`, or None if they are no longer all here, or if one of them
        tells of rows up to `after` as well: nothing is told twice."""
        kept = self._audiences.get(table, _NOBODY).kept
        # What this player may not see is no notice, and says nothing of those that are gone.
        seen = [told for told in kept if told.seq > after and told.seen_by(player)[1]]
        if not seen or seen[0].seen_by(player)[0] > after or seen[0].first <= after:
            return None
        return seen


def _unseated(audience: Audience) -> Iterator[Link]:
    """Spectators who do not hear of everything by a seat as well, as entrants do who watch."""
    for link in audience.spectators:
        if link.online is None or link.online.player.id not in audience.seat_of:
            yield link


def _count(audience: Audience) -> int:
    """The connections of people who watch without a seat; where people walk in, of all."""
    watchers = audience.spectators if audience.walk_in else _unseated(audience)
    return sum(link.online is None or link.online.player.kind != "bot" for link in watchers)


def _count_all(audience: Audience) -> int:
    return _count(audience) + sum(audience.elsewhere.values())


def _tell_all(hearers: list[Hearer], told: Told) -> None:
    for link, seat in hearers:
        try:
            link.tell_table(told, seat)
        except Exception:
            # One door's fault must not keep the others from hearing of it.
            log.exception("telling_failed", table=told.table, seq=told.seq)
