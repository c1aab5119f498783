"""What pages at the `watch` door were shown, held against the journals.

Every room is shown as it stood after some row, and on one connection never as it stood before that;
what was shown as finished stays finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gamehall.simulation.checker.doors.duel import marks_on
from gamehall.simulation.checker.doors.duel_names import duels, named
from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.private import is_private
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house
from gamehall.table_log.journal import Row

HISTORY_MAX = 50
NO_ROOM = ("There is no such room.", "Nobody has begun to play there.")


def check_watch(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    public = [journal for journal in duels(books) if not is_private(journal)]
    rooms = {str(journal.table): Room(journal) for journal in public}
    for transcript in transcripts:
        for lines in transcript.by_connection():
            Page(transcript.name, rooms).check(lines)


class Room:
    """A table of two-player Bingo, as anyone may see it after each of its rows."""

    def __init__(self, journal: Journal) -> None:
        self.details: list[Json | None] = [_detail(journal, seq) for seq in range(journal.head + 1)]
        """As `detail` shows it; None where there is nothing to see."""
        self.finished = {row.seq: item for row in journal.rows for item in _finished(journal, row)}
        """As the history shows the rounds that ended with these rows."""


class Page:
    """One connection."""

    def __init__(self, name: str, rooms: dict[str, Room]) -> None:
        self._name = name
        self._rooms = rooms
        self._seen: dict[str, int] = {}
        """After which row each room was seen last, at the least."""
        self._finished: list[Json] = []

    def check(self, lines: Sequence[Line]) -> None:
        """Raises AssertionError."""
        asked = (line.message for line in lines if line.what == "sent")
        for line in lines:
            if line.what != "heard":
                continue
            question, answer = next(asked, None), line.message
            assert question is not None, f"{self._name} was answered unasked: {line.text}"
            if answer["msg"] == "error":
                known = question.get("room_id") in self._seen and answer["error"] in NO_ROOM
                assert not known, f"{self._name} lost sight of {question}: {answer}"
            elif question["msg"] == "ping":
                self._ping(answer)
            else:
                self._look(question["room_id"], answer, lambda detail: detail)

    def _ping(self, answer: Json) -> None:
        assert set(answer) == {"msg", "game_state", "game_history"}, self._untrue(answer)
        for room, shown in answer["game_state"].items():
            self._look(room, shown, _glimpse)
            assert shown["next_move"], self._untrue(shown)
        history = answer["game_history"]
        times = [item["time"] for item in history]
        assert times == sorted(times, reverse=True), f"{self._name} saw another order: {times}"
        for item in history:
            id = item["data"]["room_id"]
            room = self._rooms.get(id)
            assert room is not None, self._untrue(item)
            ends = [seq for seq, each in room.finished.items() if _same(item, each)]
            assert ends, self._untrue(item)
            assert history.count(item) == 1, f"{self._name} saw twice: {item}"
            self._seen[id] = max(self._seen.get(id, 0), ends[0])
        lost = [item for item in self._finished if item not in history]
        assert not lost or len(history) == HISTORY_MAX, f"{self._name} sees no more: {lost}"
        self._finished = history

    def _look(self, id: str, shown: Json, sight: Callable[[Json], Json]) -> None:
        """`sight`: what is shown of all that there is to see."""
        room = self._rooms.get(id)
        assert room is not None, self._untrue(shown)
        since = self._seen.get(id, 0)
        found = [
            seq
            for seq, detail in enumerate(room.details)
            if detail is not None and _same(sight(detail), shown)
        ]
        assert found, self._untrue(shown)
        later = [seq for seq in found if seq >= since]
        assert later, f"{self._name} went back from row {since} to {found}: room {id}, {shown}"
        self._seen[id] = later[0]

    def _untrue(self, shown: Json) -> str:
        return f"{self._name} saw what is in no journal: {shown}"


def _glimpse(detail: Json) -> Json:
    """What a list of rooms shows of one."""
    return {
        "players": [side["uid"] for side in detail["res"]],
        "next_move": detail["next_move"],
    }


def _same(one: Json, other: Json) -> bool:
    """Also in the order of its keys, as histories have one."""
    return str(one) == str(other)


def _detail(journal: Journal, seq: int) -> Json | None:
    state = journal.states[seq]
    if state is None or state.game is None:
        return None
    uids, _ = _names(journal, seq)
    view = as_json(journal.game.view(state.game, None))
    turn = None if state.over else view["turn"]
    winners = () if state.outcome is None else state.outcome.winners
    return {
        "msg": "get",
        "res": [
            {
                "uid": uid,
                "board": side["board"],
                "history": marks_on(side["board"], view["picked"]),
            }
            for uid, side in zip(uids, view["sides"], strict=True)
        ],
        "next_move": "" if turn is None else uids[turn],
        "winner": uids[winners[0]] if winners else None,
    }


def _names(journal: Journal, seq: int) -> tuple[list[str], int | None]:
    """What the players of that moment are called, by seat, and the number of their match."""
    state = journal.states[seq]
    assert state is not None
    here = [each for each in named(journal) if each.round == state.opened.round]
    uids = {each.player: each.uid for each in here}
    matches = [each.match for each in here if each.match is not None]
    people = [state.chairs[seat] for seat in (0, 1)]
    return [uids.get(each.player, each.name) for each in people], matches[-1] if matches else None


def _finished(journal: Journal, row: Row) -> Iterator[Json]:
    if any(isinstance(event, house.RoundEnded | house.RoundVoided) for event in row.events):
        detail, state = _detail(journal, row.seq), journal.states[row.seq]
        if detail is None or state is None:
            return
        first, second = detail["res"]
        yield {
            "time": state.ended_at_ms,
            "data": {
                "match_id": _names(journal, row.seq)[1],
                "room_id": str(journal.table),
                "uid_1": first["uid"],
                "uid_2": second["uid"],
                "game_board_1": first["board"],
                "game_board_2": second["board"],
                "history_1": first["history"],
                "history_2": second["history"],
                "winner": detail["winner"],
            },
        }
