"""The beat: inbox → decide → commit → apply → tell.

One beat of a table is in flight; what arrives meanwhile is the next. Nothing is told before it is
durable. Only this file appends to a table's log.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from itertools import count
from typing import Any, Protocol

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
from gamehall.hall.beat.deciding import Decider
from gamehall.hall.beat.draws import TableDraws
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.recalling import Recalling
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.hall.beat.sent_again import OTHER_CONTENT, NotInMemory
from gamehall.hall.beat.steps import Kind, Step, opened_in, rounds_of, starts
from gamehall.hall.beat.summaries import summary_of
from gamehall.hall.nodes.clock import Clock
from gamehall.store.appends import (
    Answer,
    Append,
    Durable,
    FinishedRound,
    Opening,
    Overtaken,
    Short,
    Unknown,
)
from gamehall.store.store import Store
from gamehall.table_log import house
from gamehall.table_log.table_state import TableState

log = structlog.get_logger(__name__)

INBOX_MAX = 20_000
"""Asks that wait for one table; more are answered `unavailable`."""
FAULTS_MAX = 3
"""Exceptions in the rules after which a table is closed."""
AHEAD_MS = 1000
"""How far a table's time may be ahead of the clock before nobody else can keep its timer."""
_beat_ids = count(secrets.randbits(62))
"""Tell our own writes from another's; counted on, since a random number for each costs."""
DOUBT_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Pauses between repeats of an append whose fate is unknown; the last one stays. After all of them
those who wait for the answer are told `unavailable`."""


class Owner(Protocol):
    """What a table needs of the node that owns it."""

    def beat_soon(self, table: Table) -> None:
        """Has the table beat in the loop's next turn, after whatever else comes in this one."""

    def written(self, table: Table, steps: list[Step]) -> None:
        """These are durable: other nodes that follow the table are to have them."""

    def noted(self, table: Table, asks: list[Ask]) -> None:
        """These were noted beside the journal."""

    def publish(self, table: KnownTable, told: Told) -> None:
        """Tells those who are connected to this node."""

    def needs(self, table: Table) -> bool:
        """Whether anyone is connected to this table."""

    def rests(self, table: Table) -> bool:
        """Whether it waits for people when nobody is there; else it closes."""

    def stepped_down(self, table: Table, asks: list[Ask], existing: int | None) -> None: ...
    def spawn(self, work: Coroutine[Any, Any, None]) -> None: ...


class Table(KnownTable):
    """One table that this node owns. Calls nobody back before `append` has answered Durable."""

    owned = True

    def __init__(
        self,
        id: int,
        kind: Kind,
        *,
        epoch: int,
        draws: TableDraws,
        store: Store,
        clock: Clock,
        owner: Owner,
        opening: Opening | None = None,
    ) -> None:
        super().__init__(id, kind, epoch, draws)
        self.resting = False
        """Nobody was there when the next round was due: it opens for the first who comes."""
        self.alarm = TableAlarm(clock, self.time, self._ring)
        self._store = store
        self._clock = clock
        self._owner = owner
        self._opening = opening
        self._loop = asyncio.get_running_loop()
        self.owned_since = self._loop.time()
        self._inbox: list[Ask] = []
        self._decider = Decider(id, kind, draws, self._requests)
        self._recalling = Recalling(
            id, kind.codec, self._requests, store, owner.spawn, self._take_recalled
        )
        self._steps: list[Step] = []
        self._held: list[tuple[Ask, Done | HallError]] = []
        self._draft: TableState | None = None
        self._writing: Append | None = None
        self._by_the_house = False
        self._timer: Timer | None = None
        self._doubts = 0
        self._faults = 0
        self._scheduled = False
        self._lost = False
        """It is another's by now, or found again: it goes on from where it was then."""

    # Loading

    def loaded(self) -> None:
        """The replay is complete; timers run from here on."""
        self._arm_anew()

    # The beat

    @property
    def idle(self) -> bool:
        waits = self._inbox or self._scheduled or self._recalling.count
        return not waits and self._writing is None

    @property
    def may_rest(self) -> bool:
        """Whether the store can wake it as well. By the clock, the timer of a table whose time is
        far ahead is not due for long."""
        return self.idle and (self.alarm.due_ms is None or self.time.ahead_ms < AHEAD_MS)

    @property
    def is_writing(self) -> bool:
        return self._writing is not None

    def put(self, ask: Ask) -> None:
        """Takes a request; its reply comes when the answer is durable."""
        if self.gone and ask.remote:
            ask.reply(Conflict())  # Its node asks whoever owns the table by now.
            return
        full = len(self._inbox) + self._recalling.count >= INBOX_MAX
        if self.gone or self._doubts or (full and not _has_room(ask)):
            ask.reply(Unavailable())
            return
        if ask.request is not None and self._requests.joins(ask, ask.request):
            return
        ask.looked_back, ask.sought = False, None
        if self.resting and ask.player is not None:
            self.wake()
        ask.at_ms = self.time.last_ms = self.time.at(self._clock.now_ms())
        self._inbox.append(ask)
        if not self._scheduled and self._writing is None:
            self._schedule()

    def _take_recalled(self, asks: list[Ask]) -> None:
        """The journal was asked whether the first of them was answered before."""
        if self.gone or self._doubts:
            for ask in asks:
                self._answer(ask, Conflict() if self.gone and ask.remote else Unavailable())
            return
        # They came before what their player has asked since, and after all that is decided.
        at_ms = self._inbox[0].at_ms if self._inbox else self.time.last_ms
        for ask in asks:
            ask.at_ms = at_ms
        self._inbox[:0] = asks
        if not self._scheduled and self._writing is None:
            self._schedule()

    def beat(self) -> None:
        """Decides what has gathered, and has it written. Called once for each `beat_soon`."""
        self._scheduled = False
        asks, self._inbox = self._inbox, []
        try:
            draft = self._fork()
        except Exception:  # noqa: BLE001 (whatever the rules raise)
            self._fault_of_all(asks)
            return
        steps: list[Step] = []
        held: list[tuple[Ask, Done | HallError]] = []
        seq, chain = self.head, self.hash
        for ask in asks:
            if ask.armed_at is not None and (ask.armed_at != self.alarm.name or seq != self.head):
                continue  # A stale timer: something came first; if it is due, it is armed again.
            if self._recalling.count and self._recalling.holds(ask):
                continue
            try:
                step = self._decider.decide(draft, ask, seq, chain)
            except NotInMemory:
                assert draft is not None
                self._recalling.look(ask, draft.opened.round)
                continue
            except HallError as error:
                # It may rest on steps that are not written yet, so it is told with them.
                held.append((ask, error))
                continue
            except Exception:  # noqa: BLE001 (whatever the rules raise)
                self._fault(ask, asks)
                return
            if isinstance(step, Step):
                draft = step.decision.state
                seq, chain = seq + 1, step.hash
                steps.append(step)
            else:
                held.append((ask, step))
        asks = self._recalling.without_waiting(asks)
        self._owner.noted(self, [ask for ask in asks if self._decider.notes(ask.command)])
        if steps and draft is not None:
            try:
                self._write(draft, steps, held)
            except Exception:  # noqa: BLE001 (the game's timer, say, for this draft)
                self._fault(steps[-1].ask, asks)
            return
        if any(self._decider.notes(ask.command) for ask in asks):
            self.state = draft
            self._arm_anew()
        for ask, answer in held:
            self._answer(ask, answer)
        self._schedule_next()

    def _fork(self) -> TableState | None:
        if self.state is None:
            return None
        # Where nothing is played any more, the game has no part in what follows.
        ends = self._faults >= FAULTS_MAX or self.state.closed is not None
        return self.kind.rules.fork(self.state, to_close=ends)

    def _write(
        self, draft: TableState, steps: list[Step], held: list[tuple[Ask, Done | HallError]]
    ) -> None:
        self._draft, self._steps, self._held = draft, steps, held
        self._by_the_house = any(step.decision.by_the_house for step in steps)
        round_seq = self.round_seq
        finished: tuple[FinishedRound, ...] = ()
        if self._by_the_house:
            round_seq, finished = rounds_of(steps, self.round_seq)
        self._timer = timer = self.kind.rules.timer(draft)
        last = steps[-1]
        self._writing = Append(
            table=self.id,
            epoch=self.epoch,
            after=self.head,
            beat_id=next(_beat_ids),
            rows=tuple([step.written() for step in steps]),
            hash=last.hash,
            at_ms=last.row.at_ms,
            due_ms=None if timer is None else timer.due_ms,
            opening=self._opening if self.head == 0 else None,
            summary=summary_of(self.state, draft, round_seq) if self._by_the_house else None,
            finished=finished,
        )
        self._store.append(self._writing, self._appended)

    # The five answers

    def _appended(self, answer: Answer) -> None:
        if isinstance(answer, Unknown):
            self._doubt()
            return
        steps, held = self._steps, self._held
        self._writing, self._steps, self._held = None, [], []
        self._doubts = 0
        if isinstance(answer, Durable):
            self._durable(steps, held)
        else:
            self._not_written(answer, steps, [ask for ask, _ in held])
        self._schedule_next()

    def _not_written(self, answer: Answer, steps: list[Step], held: list[Ask]) -> None:
        asks = [step.ask for step in steps]
        if isinstance(answer, Short):
            short = dict(zip(answer.places, answer.payers, strict=True))
            # A refusal that rested on what was not written is decided anew with the rest.
            rest = list(held)
            for place, step in enumerate(steps):
                lacking = frozenset(short.get(place, ()))
                rest += self._unpaid(step, lacking) if lacking else [step.ask]
            self._inbox[:0] = sorted(rest, key=lambda ask: ask.at_ms)
        elif isinstance(answer, Overtaken):
            self._step_down(asks + held, answer)
        else:
            for ask in asks + held:
                self._answer(ask, Unavailable())
        rang = any(ask.armed_at == self.alarm.name for ask in self._inbox)
        if self.alarm.due_ms is None and self.state is not None and not self.gone and not rang:
            self._arm_anew()  # A timer that rang in this beat gave way to what was not written.

    def _unpaid(self, step: Step, lacking: frozenset[int]) -> list[Ask]:
        """What is asked in place of a step that these players cannot pay; nothing: it is refused.

        Who asks for what it cannot pay is refused. But nobody else is to wait for someone who
        cannot pay what a round begins with, or what is due in it: that one gives up the seat.
        """
        ask = step.ask
        again = lacking <= ask.cannot_pay
        if again and ask.player is None:
            # A timer that not even their leaving can pay for: it would ring for ever.
            self._faults += 1
            self._close_if_hopeless()
            self._answer(ask, Internal())
            return []
        if again or (ask.player in lacking and not self._gives_up_own_seat(step)):
            self._answer(ask, NoFunds())
            return []
        ask.cannot_pay |= lacking
        if starts(step.row):
            return [ask]  # Decided again, the round begins without them.
        leave = house.Leave(house.NO_FUNDS)
        leaving = [
            Ask(self.id, player, leave, self._could_leave, at_ms=ask.at_ms)
            for player in sorted(lacking)
        ]
        return [*leaving, ask]

    def _gives_up_own_seat(self, step: Step) -> bool:
        """Whether who asks loses the seat by it: it has one, or nobody else may have it."""
        if not starts(step.row):
            return False
        if not isinstance(step.ask.command, house.Sit):
            return True
        return self.state is not None and self.kind.rules.seats_are_given(self.state)

    def _could_leave(self, answer: Done | HallError) -> None:
        if isinstance(answer, NoFunds):
            # Not even leaving can be paid: such a table would ask for ever.
            self._faults += 1
            self._close_if_hopeless()

    def _durable(self, steps: list[Step], held: list[tuple[Ask, Done | HallError]]) -> None:
        if self._lost:
            # Whoever owns it by now has these rows from the journal, and tells them here too.
            self._answer_all(steps, held)
            return
        before, state = self.state, self._draft
        assert state is not None
        self.state, self._draft = state, None
        for step in steps:
            opened = opened_in(step.row) if self._by_the_house else None
            if opened is not None:
                self._open_round(step.row.seq, opened.round)
            if step.ask.request is not None:
                self._requests.remember(step.ask.request, step.answer)
        last = steps[-1]
        self.head, self.hash = last.row.seq, last.hash
        rows = [step.row for step in steps]
        self._answer_all(steps, held)
        if not self.gone:
            self.alarm.arm(self._timer)
        self._owner.written(self, steps)
        try:
            hashes = [step.hash for step in steps]
            told = self._teller.tell(rows, hashes, before, state, self._by_the_house)
            self._owner.publish(self, told)
        except Exception:
            # The game's `seen` failed. What is written stays; who listens sees a gap and resumes.
            log.exception("telling_failed", table=self.id, head=self.head)
            self._teller.start_at(self.head)

    def _doubt(self) -> None:
        """Until the answer is definite nothing is told and nothing is taken."""
        if self._doubts == 0:
            log.warning("append_in_doubt", table=self.id, head=self.head)
            waiting, self._inbox = self._inbox, []
            for ask in waiting:
                self._answer(ask, Unavailable())
        elif self._doubts == len(DOUBT_SECONDS):
            self._answer_doubtful()
        pause = DOUBT_SECONDS[min(self._doubts, len(DOUBT_SECONDS) - 1)]
        self._doubts += 1
        self._loop.call_later(pause, self._append_again)

    def _answer_doubtful(self) -> None:
        """The doubt lasts: people are not kept waiting. If it was done, they hear of it later."""
        for ask in [step.ask for step in self._steps] + [ask for ask, _ in self._held]:
            if ask.player is not None or isinstance(ask.command, house.Open):
                self._answer(ask, Unavailable())
                ask.reply = _ignore

    def _append_again(self) -> None:
        assert self._writing is not None
        self._store.append(self._writing, self._appended)

    def lapse(self) -> None:
        """This node may own it no more. What is being written has its answer when that is known."""
        self._step_down([], Overtaken())

    def _step_down(self, asks: list[Ask], conflict: Overtaken) -> None:
        self._lost = True
        self.retire()
        asks += self._recalling.release() + self._inbox
        self._inbox = []
        again = [other for ask in asks for other in self._requests.release(ask)]
        self._owner.stepped_down(self, asks + again, conflict.existing)

    def retire(self) -> None:
        super().retire()
        self.alarm.disarm()

    # Answers

    def _answer_all(self, steps: list[Step], held: list[tuple[Ask, Done | HallError]]) -> None:
        for step in steps:
            self._answer(step.ask, step.answer)
        for ask, answer in held:
            self._answer(ask, answer)

    def _answer(self, ask: Ask, answer: Done | HallError) -> None:
        if (
            ask.request is not None
            and isinstance(answer, Done)
            and self._decider.notes(ask.command)
        ):
            self._requests.remember_note(ask.request, answer)
        again = self._requests.release(ask)
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

    def _schedule_next(self) -> None:
        if self._inbox and not self._scheduled:
            self._schedule()

    def _schedule(self) -> None:
        self._scheduled = True
        self._owner.beat_soon(self)

    # Timers

    def _arm_anew(self) -> None:
        assert self.state is not None
        self.alarm.arm(self.kind.rules.timer(self.state))

    def wake(self) -> None:
        """Someone has come to a table that rests."""
        timer = None if self.state is None else self.kind.rules.timer(self.state)
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
                self.alarm.ring_again(timer)  # The store is away, or the rules failed.

        self.put(Ask(self.id, None, timer.command, answered, armed_at=self.alarm.name))

    def _goes_on(self) -> bool:
        """Whether the next round opens now, where people walk in: someone has to be there."""
        if self.state is None or not self.state.walk_in or self._owner.needs(self):
            return True
        if self._owner.rests(self):
            self.resting = True
        else:
            self.put(Ask(self.id, None, house.Close("empty"), _ignore))
        return False

    # Faults

    def _fault(self, ask: Ask, asks: list[Ask]) -> None:
        """An exception in the rules: the draft is dropped, and only who caused it is refused."""
        self._faults += 1
        log.exception("fault", table=self.id, head=self.head, command=type(ask.command).__name__)
        rest = self._recalling.without_waiting(asks)
        self._inbox[:0] = [other for other in rest if other is not ask]
        self._close_if_hopeless()
        self._answer(ask, Internal())
        self._schedule_next()

    def _fault_of_all(self, asks: list[Ask]) -> None:
        """An exception before any of them was looked at."""
        self._faults += 1
        log.exception("fault", table=self.id, head=self.head)
        self._close_if_hopeless()
        for ask in asks:
            self._answer(ask, Internal())
        self._schedule_next()

    def _close_if_hopeless(self) -> None:
        if self._faults == FAULTS_MAX and self.state is not None:
            close = Ask(self.id, None, house.Close("fault"), _ignore, at_ms=self.time.last_ms)
            self._inbox.insert(0, close)


def _has_room(ask: Ask) -> bool:
    """Timers and leaving find room in a full inbox: they make it emptier."""
    return ask.player is None or isinstance(ask.command, house.Leave)


def _ignore(_: Done | HallError) -> None:
    pass
