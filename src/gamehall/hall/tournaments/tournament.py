"""A tournament, as a game of its own: its table is the log of who entered, met and won.

* Entrants are its seats. `enter` names the machine (club) that one plays for; until the begin one
  may come, go, and enter anew. `withdraw`, or leaving the table, is possible at any moment: games
  that are not over are for the hall to report, and there are no new ones.
* It begins when the organiser says so, or at its time. The seeding is a draw of lots. With fewer
  than two entrants it ends at once. Then the format (see formats) says who plays whom.
* The hall plays each game at a table of its own and reports the result, each once. Nothing else
  decides here, so that the log can be judged again as that of any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, Literal

import msgspec

from gamehall.errors import BadName, BadRequest, IllegalCommand, TimeNotUp
from gamehall.games.game import (
    Cell,
    Command,
    Context,
    Event,
    Game,
    Outcome,
    Picture,
    Seats,
    Start,
    Timer,
)
from gamehall.hall.tournaments.events import (
    Begin,
    Begun,
    Bye,
    Enter,
    Entered,
    Finished,
    Grouped,
    Joined,
    NoSuchPairing,
    NotEntered,
    Paired,
    PairingEnded,
    Report,
    Reported,
    ResultKnown,
    TimeUp,
    TournamentBegun,
    TournamentOptions,
    Withdraw,
    Withdrew,
)
from gamehall.hall.tournaments.formats import FORMATS
from gamehall.hall.tournaments.formats.field import (
    Arrangement,
    Field,
    Match,
    Pairing,
    Rest,
)
from gamehall.hall.tournaments.formats.format import Format
from gamehall.hall.tournaments.formats.standings import Standing

CLUB_MOST = 32
GAMES_SHOWN = 1024
"""A view has the games that are being played and the last ones; the log has them all."""
ROWS_DRAWN = 50


# State and views


class Entrant(msgspec.Struct, frozen=True):
    seat: int
    club: str
    withdrawn: bool


class View(msgspec.Struct, frozen=True):
    title: str
    format: str
    game: str
    status: Literal["open", "running", "over"]
    starts_at_ms: int
    """When it begins by itself; 0: when the organiser says so."""
    ends_at_ms: int
    """When the time of an arena is up; 0: it is not played by time, or has not begun."""
    rated: bool
    winners: tuple[int, ...]
    entrants: tuple[Entrant, ...]
    """In the order of the seeding, once there is one."""
    standings: tuple[Standing, ...]
    games: tuple[Match, ...]
    """Those that are being played and the last others, by number."""
    games_count: int
    byes: tuple[Rest, ...]
    bracket: dict[str, tuple[tuple[int, ...], ...]]
    """For each stage and each of its rounds the numbers of the games shown."""
    groups: tuple[tuple[int, ...], ...]
    """Of a derby: who plays for the same places."""


class State(msgspec.Struct):
    options: TournamentOptions
    field: Field
    begun_ms: int | None = None
    finished: Finished | None = None
    ranked: tuple[Standing, ...] | None = None
    """The standings, once someone has looked, until something happens."""

    @property
    def format(self) -> Format:
        return FORMATS[self.options.format]

    @property
    def ends_at_ms(self) -> int:
        if self.begun_ms is None or not self.format.timed:
            return 0
        return self.begun_ms + round(self.options.minutes * 60_000)

    @property
    def takes_entries(self) -> bool:
        late = self.format.timed and not self.field.time_up
        return self.finished is None and (self.begun_ms is None or late)

    def standings(self) -> tuple[Standing, ...]:
        if self.ranked is None:
            self.ranked = tuple(self.format.ranking(self.field))
        return self.ranked

    def is_in(self, seat: int) -> bool:
        return seat in self.field.clubs and seat not in self.field.withdrawn


class Tournament(Game[State]):
    name = "tournament"
    title = "Tournament"
    commands = (Enter, Withdraw)
    seating = (Enter,)
    timers = (Begin, Report, TimeUp)
    by_hall = (Begin, Report)
    events = (
        Joined, Entered, Withdrew, Begun, Paired, Bye, Grouped, Reported, PairingEnded, Finished,
    )  # fmt: skip
    options = TournamentOptions
    public = False
    binding = False

    def seats(self, options: TournamentOptions) -> Seats:
        return Seats(0, options.players_most)

    def start(self, start: Start) -> State:
        return State(start.options, Field(start.options.rounds, dict.fromkeys(start.seats, "")))

    # Deciding

    def decide(
        self, state: State, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        match command:
            case Enter() if seat is not None:
                return self._entered(state, seat, command.club.strip())
            case Withdraw() if seat is not None:
                if not state.is_in(seat):
                    raise NotEntered
                return self.leave(state, seat)
            case Begin() if seat is None:
                if state.begun_ms is not None:
                    raise TournamentBegun
                order = context.chance.shuffled("order", sorted(state.field.clubs))
                return self._followed(state, Begun(context.at_ms, tuple(order)))
            case Report() if seat is None:
                return self._reported(state, command)
            case TimeUp() if seat is None and state.ends_at_ms and not state.field.time_up:
                if context.at_ms < state.ends_at_ms:
                    raise TimeNotUp("This tournament has time left.")
                return self._followed(state, PairingEnded())
        raise IllegalCommand

    def _entered(self, state: State, seat: int, club: str) -> tuple[Event, ...]:
        if state.is_in(seat) and state.field.clubs[seat] == club:
            return ()
        if not state.takes_entries:
            raise TournamentBegun
        check_club(club)
        return self._followed(state, Entered(seat, club))

    def _reported(self, state: State, report: Report) -> tuple[Event, ...]:
        matches = state.field.matches
        if not 1 <= report.game <= len(matches):
            raise NoSuchPairing
        match = matches[report.game - 1]
        if match.state == "over":
            raise ResultKnown
        if report.winner not in (None, match.first, match.second):
            raise BadRequest("The winner is not one of the two who play this game.")
        reported = Reported(**msgspec.structs.asdict(report))
        return self._followed(state, reported)

    def join(self, state: State, seat: int, context: Context) -> tuple[Event, ...]:
        if not state.takes_entries:
            raise TournamentBegun
        return self._followed(state, Joined(seat))

    def leave(self, state: State, seat: int) -> tuple[Event, ...]:
        return self._followed(state, Withdrew(seat)) if state.is_in(seat) else ()

    def _followed(self, state: State, event: Event) -> tuple[Event, ...]:
        """The event, and all that it brings about by itself: games, byes and the end."""
        events = [event]
        draft = self.apply(self.fork(state), event)
        if draft.begun_ms is None:
            return (event,)
        if isinstance(event, Begun) and len(event.order) < 2:
            return (event, _finished(draft, "too_few"))
        while steps := draft.format.next(draft.field):
            for step in steps:
                following = _event_of(step, draft.field)
                self.apply(draft, following)
                events.append(following)
        if draft.format.is_over(draft.field):
            events.append(_finished(draft, "finished"))
        return tuple(events)

    # Recording

    def apply(self, state: State, event: Any) -> State:
        field = state.field
        state.ranked = None
        match event:
            case Joined(seat=seat):
                field.enter(seat, field.clubs.get(seat, ""))
            case Entered(seat=seat, club=club):
                field.enter(seat, club)
            case Withdrew(seat=seat):
                field.withdraw(seat)
            case Begun(at_ms=at_ms, order=order):
                state.begun_ms = at_ms
                field.begin(order)
            case Paired(first=first, second=second, round=round, stage=stage, slot=slot):
                field.pair(Pairing(first, second, round, stage, slot))
            case Bye(seat=seat, round=round, stage=stage, slot=slot):
                field.rest(Rest(seat, round, stage, slot))
            case Grouped(groups=groups):
                field.groups = groups
            case Reported():
                field.report(event)
            case PairingEnded():
                field.time_up = True
            case Finished():
                state.finished = event
        return state

    def fork(self, state: State) -> State:
        forked = copy(state)
        forked.field = state.field.fork()
        return forked

    # What follows from a state

    def timer(self, state: State) -> Timer | None:
        if state.begun_ms is None:
            starts_at_ms = state.options.starts_at_ms
            return Timer(starts_at_ms, Begin()) if starts_at_ms else None
        if state.format.timed and not state.field.time_up and state.finished is None:
            return Timer(state.ends_at_ms, TimeUp())
        return None

    def outcome(self, state: State) -> Outcome | None:
        finished = state.finished
        return None if finished is None else Outcome(finished.winners, finished.reason)

    def took_part(self, state: State) -> dict[int, int]:
        return state.field.seeds

    def legal(self, state: State, seat: int) -> Iterator[Command]:
        if state.finished is not None:
            return
        if state.is_in(seat):
            yield Withdraw()
        elif state.takes_entries:
            yield Enter()

    def view(self, state: State, seat: int | None) -> View:
        field, options, finished = state.field, state.options, state.finished
        status: Literal["open", "running", "over"] = "open" if state.begun_ms is None else "running"
        shown_from = len(field.matches) - GAMES_SHOWN
        games = [m for m in field.matches if m.number > shown_from or m.state == "playing"]
        return View(
            title=options.title,
            format=options.format,
            game=options.game,
            status=status if finished is None else "over",
            starts_at_ms=options.starts_at_ms,
            ends_at_ms=state.ends_at_ms,
            rated=options.rated,
            winners=() if finished is None else finished.winners,
            entrants=tuple(
                Entrant(seat, field.clubs[seat], seat in field.withdrawn)
                for seat in field.seeds or sorted(field.clubs)
            ),
            standings=state.standings(),
            games=tuple(games),
            games_count=len(field.matches),
            byes=tuple(field.rests[-GAMES_SHOWN:]),
            bracket=_bracket(games),
            groups=field.groups,
        )

    def picture(self, view: Any) -> Picture:
        seen = msgspec.convert(view, View)
        head = ("rank", "seat", "points", "won", "drawn", "lost")
        rows = [
            (each.rank, each.seat, each.points, each.won, each.drawn, each.lost)
            for each in seen.standings[:ROWS_DRAWN]
        ]
        playing = sum(game.state == "playing" for game in seen.games)
        caption = f"{seen.title or seen.format}: {len(seen.entrants)} entrants"
        if seen.status != "open":
            caption += f", {seen.games_count} games, {playing} of them being played"
        return Picture(tuple(tuple(Cell(str(n)) for n in row) for row in (head, *rows)), caption)


def check_club(club: str) -> None:
    """Raises BadName."""
    if len(club) > CLUB_MOST or not club.isprintable():
        raise BadName(f"The name of a machine has up to {CLUB_MOST} printable characters.")


def _event_of(step: Arrangement, field: Field) -> Event:
    match step:
        case Pairing(first, second, round, stage, slot):
            return Paired(len(field.matches) + 1, first, second, round, stage, slot)
        case Rest(seat, round, stage, slot):
            return Bye(seat, round, stage, slot)
        case Grouped():
            return step


def _finished(state: State, reason: str) -> Finished:
    standings = state.standings()
    winners = tuple(each.seat for each in standings if each.rank == 1 and reason != "too_few")
    return Finished(reason, winners, tuple(each.seat for each in standings))


def _bracket(games: list[Match]) -> dict[str, tuple[tuple[int, ...], ...]]:
    stages: dict[str, dict[int, list[int]]] = {}
    for game in games:
        stages.setdefault(game.stage, {}).setdefault(game.round, []).append(game.number)
    return {
        stage: tuple(tuple(numbers) for _, numbers in sorted(rounds.items()))
        for stage, rounds in stages.items()
    }
