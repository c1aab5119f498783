"""The beat: inbox → decide → commit → apply → tell.

One beat of a table is under way; what arrives meanwhile is the next. Nothing is told before it is
durable.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from gamehall.errors import (
    BadRequest,
    Conflict,
    HallError,
    Internal,
    NoFunds,
    Refused,
    Unavailable,
)
from gamehall.games.game import Timer
from gamehall.hall.beat.alarm import TableAlarm
from gamehall.hall.beat.beat import DOUBT_SECONDS, Beat, under_way
from gamehall.hall.beat.deciding import Decider, Draft
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.owner import Owner
from gamehall.hall.beat.recalling import Recalling
from gamehall.hall.beat.requests import Ask, Done, unheard
from gamehall.hall.beat.sent_again import OTHER_CONTENT, NotInMemory
from gamehall.hall.beat.steps import Step, opened_in
from gamehall.hall.beat.unpaid import asked_instead
from gamehall.hall.nodes.clock import Clock
from gamehall.store.appends import Answer, Durable, Opening, Overtaken, Short
from gamehall.store.store import Store
from gamehall.table_log import house

log = structlog.get_logger(__name__)

INBOX_MAX = 20_000
"""Asks that wait for one table; more are answered `unavailable`."""
FAULTS_MAX = 3
"""Exceptions in the rules after which a table is closed."""
DOUBTS_MAX = len(DOUBT_SECONDS) + 1
"""How often an append may be in doubt before those who wait are told `unavailable`."""
AHEAD_MS = 1000
"""How far a table's time may be ahead of the clock before nobody else can keep its timer."""


@dataclass(eq=False, repr=False)
class Table(KnownTable):
    """One table that this node owns. Calls nobody back before `append` has answered Durable."""

    owned = True
    _store: Store
    _clock: Clock
    _owner: Owner

    def __post_init__(self) -> None:
        super().__post_init__()
        self.resting = False
        """Nobody was there when the next round was due: it opens for the first who comes."""
        self.alarm = TableAlarm(self._clock, self.time)
        self.owned_since = asyncio.get_running_loop().time()
        self._inbox: list[Ask] = []
        codec, spawn = self.kind.codec, self._owner.spawn
        self._decider = Decider(self.id, self.kind, self.draws, self._requests)
        self._recalling = Recalling(self.id, codec, self._requests, self._store, spawn)
        self._beat: Beat | None = None
        """The one that is under way."""
        self._faults = 0
        self._scheduled = False
        self._lost = False
        """It is another's by now, or found again: it goes on from where it was then."""

    def open(self, draft: Draft, opening: Opening) -> None:
        """Writes the first step of a table that is not open yet."""
        self.time.last_ms = draft.steps[0].ask.at_ms
        self._write(draft, opening)

    # The beat

    @property
    def idle(self) -> bool:
        waits = self._inbox or self._scheduled or self._recalling.count
        return not waits and self._beat is None

    @property
    def may_rest(self) -> bool:
        """Whether the store can wake it as well. By the clock, the timer of a table whose time is
        far ahead is not due for long."""
        return self.idle and (self.alarm.due_ms is None or self.time.ahead_ms < AHEAD_MS)

    @property
    def _in_doubt(self) -> bool:
        return self._beat is not None and self._beat.doubts > 0

    @property
    def is_writing(self) -> bool:
        return self._beat is not None

    @property
    def being_written(self) -> list[Ask]:
        """What is decided, and not answered yet; with what repeats it."""
        asks = [] if self._beat is None else self._beat.asks()
        return asks + [other for ask in asks for other in self._requests.repeating(ask)]

    def put(self, ask: Ask) -> None:
        if self.gone and ask.remote:
            ask.reply(Conflict())  # Its node asks the new owner.
            return
        full = len(self._inbox) + self._recalling.count >= INBOX_MAX
        beat = self._beat
        if self.gone or (beat is not None and beat.doubts) or (full and not _has_room(ask)):
            ask.reply(Unavailable())
            return
        if ask.request is not None and self._requests.joins(ask, ask.request):
            return
        ask.looked_back, ask.sought = False, None
        if self.resting and ask.player is not None:
            self.wake()
        ask.at_ms = self.time.last_ms = self.time.at(self._clock.now_ms())
        self._inbox.append(ask)
        self._schedule()

    def _take_recalled(self, asks: list[Ask]) -> None:
        """The journal was asked whether the first of them was answered before."""
        if self.gone or self._in_doubt:
            for ask in asks:
                self._answer(ask, Conflict() if self.gone and ask.remote else Unavailable())
            return
        # They came before what their player has asked since, and after all that is decided.
        at_ms = self._inbox[0].at_ms if self._inbox else self.time.last_ms
        for ask in asks:
            ask.at_ms = at_ms
        self._inbox[:0] = asks
        self._schedule()

    def beat(self) -> None:
        """Decides what has gathered, and writes it. Called once for each `beat_soon`."""
        self._scheduled = False
        asks, self._inbox = self._inbox, []
        # Where nothing is played any more, the game has no part in what follows.
        ends = self._faults >= FAULTS_MAX or self.state.closed is not None
        try:
            fork = self.kind.rules.fork(self.state, to_close=ends)
            draft = Draft(fork, self.head, self.hash)
        except Exception:  # noqa: BLE001 (whatever the rules raise)
            self._fault_of_all(asks)
            return
        noted: list[Ask] = []
        for ask in asks:
            if ask.armed_at is not None and (ask.armed_at != self.alarm.name or draft.steps):
                continue  # A stale timer: something came first; if it is due, it is armed again.
            if self._recalling.count and self._recalling.holds(ask):
                continue
            try:
                self._decider.decide(draft, ask)
            except NotInMemory:
                self._recalling.look(ask, draft.state.opened.round, self._take_recalled)
                continue
            except Exception:  # noqa: BLE001 (whatever the rules raise)
                self._fault(ask, asks)
                return
            if type(ask.command) in self.kind.rules.noted:
                noted.append(ask)
        if noted:
            self._owner.noted(self, noted)
        if draft.steps:
            try:
                self._write(draft)
            except Exception:  # noqa: BLE001 (the game's timer, say, for this draft)
                self._fault(draft.steps[-1].ask, self._recalling.without_waiting(asks))
            return
        if noted:
            self.state = draft.state
            self.arm()
        self._answer_held(draft)
        self._schedule()

    def _write(self, draft: Draft, opening: Opening | None = None) -> None:
        self._beat = under_way(self, draft, opening, self._store, self._doubted, self._settled)
        self._beat.write()

    # The five answers

    def _settled(self, beat: Beat, answer: Answer) -> None:
        self._beat = None
        if isinstance(answer, Durable):
            self._durable(beat)
        else:
            self._not_written(beat, answer)
        if self._inbox:
            self._schedule()

    def _not_written(self, beat: Beat, answer: Answer) -> None:
        if isinstance(answer, Short):
            short = dict(zip(answer.places, answer.payers, strict=True))
            # A refusal that rested on what was not written is decided anew with the rest.
            rest = [ask for ask, _ in beat.draft.held]
            for place, step in enumerate(beat.draft.steps):
                lacking = frozenset(short.get(place, ()))
                rest += self._instead_of(step, lacking) if lacking else [step.ask]
            self._inbox[:0] = sorted(rest, key=lambda ask: ask.at_ms)
        elif isinstance(answer, Overtaken):
            self._step_down(beat.asks(), answer.existing)
        else:
            for ask in beat.asks():
                self._answer(ask, Unavailable())
        rang = any(ask.armed_at == self.alarm.name for ask in self._inbox)
        if self.alarm.due_ms is None and not self.gone and not rang:
            self.arm()  # A timer that rang in this beat gave way to what was not written.

    def _instead_of(self, step: Step, lacking: frozenset[int]) -> list[Ask]:
        """What is asked in place of a step that these players cannot pay."""
        instead = asked_instead(step, lacking, self.kind.game, self.state, self._could_leave)
        if isinstance(instead, list):
            return instead
        if isinstance(instead, Internal):
            self._count_fault()
        self._answer(step.ask, instead)
        return []

    def _could_leave(self, answer: Done | HallError) -> None:
        if isinstance(answer, NoFunds):
            # Not even leaving can be paid: such a table would ask for ever.
            self._count_fault()

    def _durable(self, beat: Beat) -> None:
        steps = beat.draft.steps
        if self._lost:
            # The new owner has these rows from the journal, and tells them here too.
            self._answer_all(beat.draft)
            return
        self.state = beat.draft.state
        for step in steps:
            opened = opened_in(step.row) if beat.by_the_house else None
            if opened is not None:
                self._open_round(step.row.seq, opened.round)
            if step.ask.request is not None:
                self._requests.remember(step.ask.request, step.answer)
        self.head, self.hash = beat.draft.seq, beat.draft.chain
        self._answer_all(beat.draft)
        if not self.gone:
            self.alarm.arm(beat.timer, self._ring)
        self._owner.written(self, steps)
        try:
            rows, hashes = [step.row for step in steps], [step.hash for step in steps]
            told = self._teller.tell(rows, hashes, beat.before, self.state, beat.by_the_house)
            self._owner.publish(self, told)
        except Exception:
            # The game's `seen` failed. What is written stays; who listens sees a gap and resumes.
            log.exception("telling_failed", table=self.id, head=self.head)
            self._teller.start_at(self.head)

    def _doubted(self, beat: Beat) -> None:
        """Until the answer is definite nothing is told and nothing is taken."""
        if beat.doubts == 1:
            log.warning("append_in_doubt", table=self.id, head=self.head)
            waiting, self._inbox = self._inbox, []
            for ask in waiting:
                self._answer(ask, Unavailable())
        elif beat.doubts == DOUBTS_MAX:
            # The doubt lasts: people do not wait. If it was done, they hear of it later.
            for ask in beat.asks():
                if ask.player is not None or isinstance(ask.command, house.Open):
                    self._answer(ask, Unavailable())
                    ask.reply = unheard

    def lapse(self) -> None:
        """Gives the table up: the lease is out. What is being written is answered later."""
        self._step_down([], None)

    def _step_down(self, asks: list[Ask], existing: int | None) -> None:
        self._lost = True
        self.retire()
        asks += self._recalling.release() + self._inbox
        self._inbox = []
        again = [other for ask in asks for other in self._requests.release(ask)]
        self._owner.stepped_down(self, asks + again, existing)

    def retire(self) -> None:
        super().retire()
        self.alarm.disarm()

    # Answers

    def _answer_all(self, draft: Draft) -> None:
        for step in draft.steps:
            self._answer(step.ask, step.answer)
        if draft.held:
            self._answer_held(draft)

    def _answer_held(self, draft: Draft) -> None:
        """Those that are in no row; what was noted is remembered here alone."""
        for ask, answer in draft.held:
            is_note = type(ask.command) in self.kind.rules.noted
            if is_note and ask.request is not None and isinstance(answer, Done):
                self._requests.remember_note(ask.request, answer)
            self._answer(ask, answer)

    def _answer(self, ask: Ask, answer: Done | HallError) -> None:
        again = () if ask.request is None else self._requests.release(ask)
        try:
            ask.reply(answer)
            for other in again:
                if other.named_round != ask.named_round:
                    self.put(other)  # It may be of another round.
                else:
                    same = other.request == ask.request
                    other.reply(answer if same else BadRequest(OTHER_CONTENT))
        except Exception:
            # A door's fault: it must not keep the others from their answers.
            log.exception("reply_failed", table=self.id)

    def _schedule(self) -> None:
        """Schedules the next beat, if anything waits for it and none is under way."""
        if self._inbox and not self._scheduled and self._beat is None:
            self._scheduled = True
            self._owner.beat_soon(self)

    # Timers

    def arm(self) -> None:
        """The timer runs from here on, as the state says."""
        self.alarm.arm(self.kind.rules.timer(self.state), self._ring)

    def wake(self) -> None:
        timer = self.kind.rules.timer(self.state)
        if self.resting and timer is not None:
            self.resting = False
            self._put_timer(timer)

    def _ring(self, timer: Timer) -> None:
        if not isinstance(timer.command, house.NextRound) or self._goes_on():
            self._put_timer(timer)

    def _put_timer(self, timer: Timer) -> None:
        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Done) or self.gone:
                return
            if isinstance(answer, Refused) and not isinstance(answer, Internal):
                log.error("timer_refused", table=self.id, code=answer.code, head=self.head)
            else:
                self.alarm.ring_again(timer, self._ring)  # The store is away, or the rules failed.

        self.put(Ask(self.id, None, timer.command, answered, armed_at=self.alarm.name))

    def _goes_on(self) -> bool:
        """Whether the next round opens now, where people walk in: someone has to be there."""
        if not self.state.walk_in or self._owner.needs(self):
            return True
        if self._owner.rests(self):
            self.resting = True
            # Its timer is due from now on, also if the clock is set back.
            self.time.last_ms = self.alarm.now_ms()
        else:
            self.put(Ask(self.id, None, house.Close("empty"), unheard))
        return False

    # Faults

    def _fault(self, ask: Ask, asks: list[Ask]) -> None:
        """An exception in the rules: the draft is dropped, and only who caused it is refused."""
        log.exception("fault", table=self.id, head=self.head, command=type(ask.command).__name__)
        rest = self._recalling.without_waiting(asks)
        self._inbox[:0] = [other for other in rest if other is not ask]
        self._count_fault()
        self._answer(ask, Internal())
        self._schedule()

    def _fault_of_all(self, asks: list[Ask]) -> None:
        """An exception before any of them was looked at."""
        log.exception("fault", table=self.id, head=self.head)
        self._count_fault()
        for ask in asks:
            self._answer(ask, Internal())
        self._schedule()

    def _count_fault(self) -> None:
        """Closes the table after too many of them."""
        self._faults += 1
        if self._faults == FAULTS_MAX:
            close = Ask(self.id, None, house.Close("fault"), unheard, at_ms=self.time.last_ms)
            self._inbox.insert(0, close)


def _has_room(ask: Ask) -> bool:
    """Timers and leaving find room in a full inbox: they make it emptier."""
    return ask.player is None or isinstance(ask.command, house.Leave)
