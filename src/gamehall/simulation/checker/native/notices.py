"""What is told beside the journals: who speaks, drops out, comes back, watches and challenges.

What nobody can know afterwards is not judged: for how long a seat is kept and a challenge open,
which are settings of a hall; when someone dropped out or came back, and how many watch at a
moment, since nodes tell each other late, or not at all. So of those who watch only the bounds are
judged: who watches is counted, and nobody is who never asked to. What options a game has where
nobody asks for any is the operator's choice: they are known of challenges that are played.
"""

from __future__ import annotations

from collections import Counter

from gamehall.simulation.checker.journals import Journal
from gamehall.simulation.checker.native.facts import Facts
from gamehall.simulation.checker.transcripts import Json

AT_TABLES = ("said", "seated", "watching", "player_dropped", "player_back")


class Notices:
    """On one connection."""

    def __init__(self, name: str, player: int, facts: Facts) -> None:
        self._name = name
        self._player = player
        self._facts = facts
        self._said: Counter[tuple[int, int, str]] = Counter()
        self._challenged: set[int] = set()

    def take(self, action: str, journal: Journal, told: Json) -> None:
        """One of those at tables. Raises AssertionError."""
        match action:
            case "said":
                self._hear(told)
            case "seated":
                other = f"{self._name} was told of another game: {told}"
                assert told["game"] == journal.game.name, other
            case "watching":
                self.check_watching(journal, told["count"], told, least=0)
            case "player_dropped" | "player_back":
                self._check_presence(action, journal, told)

    def _hear(self, told: Json) -> None:
        said = (told["table"], told["player"], told["text"])
        assert said in self._facts.said, f"{self._name} heard what nobody said: {told}"
        self._check_name(told)
        self._said[said] += 1
        once_more = f"{self._name} heard what was not said again: {told}"
        assert self._said[said] <= self._facts.said[said], once_more

    def _check_presence(self, action: str, journal: Journal, told: Json) -> None:
        self._check_name(told)
        states = (state for state in journal.states if state is not None)
        nowhere = f"{self._name} was told of someone who never had a seat there: {told}"
        assert any(told["player"] in state.seat_of for state in states), nowhere
        assert told["player"] != self._player, f"{self._name} was told of itself: {told}"
        if action == "player_dropped":
            assert told["seconds"] > 0, f"{self._name} was told of a seat that is not kept: {told}"

    def _check_name(self, told: Json) -> None:
        names = self._facts.names.get(told["player"], set())
        assert told["name"] in names, f"{self._name} heard another name than {names}: {told}"

    def check_watching(self, journal: Journal, count: int, told: Json, *, least: int) -> None:
        """Raises AssertionError."""
        most = self._facts.watching_most(journal.table, walk_in=journal.walks_in(journal.head))
        wrong = f"{self._name} was told of {count} who watch, not of {least} to {most}: {told}"
        assert least <= count <= most, wrong

    def challenged(self, told: Json) -> None:
        """Raises AssertionError."""
        again = f"{self._name} was challenged twice: {told}"
        assert told["challenge"] not in self._challenged, again
        self._challenged.add(told["challenge"])
        if told["player"] not in self._facts.listened_to:
            return
        self._check_name(told)
        fits = any(
            wanted[:3] == (told["player"], self._player, told["game"])
            and wanted.options.items() <= told["options"].items()
            and (wanted.challenges is None or told["challenge"] in wanted.challenges)
            for wanted in self._facts.wanted
        )
        assert fits, f"{self._name} was challenged as nobody wanted: {told}"
        options = self._facts.played_with.get(told["challenge"], told["options"])
        assert told["options"] == options, f"{self._name} was challenged to {told}, not {options}"
