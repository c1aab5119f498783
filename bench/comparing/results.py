"""The figures of all passes, their ratios within a pass, and what is kept of them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from comparing.parts import Part, Ratio, Seen

FILE = "figures.json"
FALL_MAX = 0.2
"""The part of a kept ratio that may be lost before the quick form fails."""


class Spread(msgspec.Struct, frozen=True):
    """The middle of some passes, and how far they lay apart."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))


class Kept(msgspec.Struct, frozen=True):
    """A ratio of a whole run."""

    spread: Spread
    better: str


class Results(msgspec.Struct):
    """What a run has shown, as it is written down."""

    versions: dict[str, str]
    passes: int
    seconds: float
    figures: dict[str, dict[str, dict[str, dict[int, float]]]] = msgspec.field(default_factory=dict)
    """By part, by what it is, by whose it is, by pass."""
    ratios: dict[str, dict[str, Kept]] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)
    faults: list[str] = msgspec.field(default_factory=list)
    """What was not measured, and why."""

    def add(self, part: Part, number: int, seen: Iterable[Seen]) -> None:
        """Takes what a part shows, as far as it comes."""
        for who, what, value in seen:
            by_what = self.figures.setdefault(part.name, {})
            by_what.setdefault(what, {}).setdefault(who, {})[number] = value

    def compare(self, parts: Iterable[Part]) -> None:
        """Sets the ratios, of all passes that have both figures."""
        for part in parts:
            for ratio in part.ratios:
                values = self._within_passes(part, ratio)
                if values:
                    kept = Kept(Spread.of(values), ratio.better)
                    self.ratios.setdefault(part.name, {})[ratio.name] = kept

    def _within_passes(self, part: Part, ratio: Ratio) -> list[float]:
        by_who = self.figures.get(part.name, {}).get(ratio.what, {})
        over, under = by_who.get(ratio.over, {}), by_who.get(ratio.under, {})
        return [over[number] / under[number] for number in over if under.get(number)]

    def spreads(self, part: str) -> dict[str, dict[str, Spread]]:
        return {
            what: {who: Spread.of(list(passes.values())) for who, passes in by_who.items()}
            for what, by_who in self.figures.get(part, {}).items()
        }

    def write(self, folder: Path) -> None:
        encoded = msgspec.json.format(msgspec.json.encode(self), indent=1)
        (folder / FILE).write_bytes(encoded + b"\n")


def read(folder: Path) -> Results | None:
    """What was kept there, if anything was."""
    path = folder / FILE
    return msgspec.json.decode(path.read_bytes(), type=Results) if path.exists() else None


def complaints(
    now: Mapping[str, Mapping[str, Kept]], kept: Mapping[str, Mapping[str, Kept]]
) -> list[str]:
    """A sentence for each ratio that has fallen by more than a fifth since it was kept."""
    found = []
    for part, ratios in now.items():
        for name, ratio in ratios.items():
            before = kept.get(part, {}).get(name)
            if before is None:
                continue
            is_now, was = ratio.spread.median, before.spread.median
            goodness = is_now / was if ratio.better == "higher" else was / is_now
            if goodness < 1 - FALL_MAX:
                found.append(
                    f"{part}, {name} is {is_now:.2f} and was {was:.2f}:"
                    f" worse by more than {FALL_MAX:.0%}."
                )
    return found
