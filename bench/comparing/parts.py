"""The form of what is measured: a part yields figures in each pass, and has ratios of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from comparing.contenders import OTHERS, OURS, Contender
from comparing.generator import Figures, Generator


class Seen(NamedTuple):
    """One figure of one pass."""

    who: str
    what: str
    """With its unit: `moves/s`, `p50, ms`."""
    value: float


class Ratio(NamedTuple):
    """Of two figures of the same pass."""

    over: str
    under: str
    what: str
    better: Literal["higher", "lower"]

    @property
    def name(self) -> str:
        return f"{self.what}: {self.over} ÷ {self.under}"


@dataclass
class Bench:
    """What a part needs to measure."""

    generator: Generator
    seconds: float
    backwards: bool = False
    """Whether this pass takes the servers in reverse, so that none is always the first."""
    only_sketches: bool = False
    notes: list[str] = field(default_factory=list)
    """What has to be said beside the figures."""
    faults: list[str] = field(default_factory=list)
    """What was not measured, and why."""

    def contenders(self) -> list[Contender]:
        known = list(OURS if self.only_sketches else (*OURS, *OTHERS))
        return known[::-1] if self.backwards else known

    def note_limit(self, who: str, figures: Figures) -> None:
        if figures.was_the_limit:
            self.notes.append(
                f"{who}: the generator was the limit, {figures.busy:.0%} of its core busy"
            )


@dataclass(frozen=True)
class Part:
    name: str
    title: str
    text: str
    """What was done, for readers of the report."""
    measure: Callable[[Bench], Iterator[Seen]]
    ratios: tuple[Ratio, ...] = ()
    quick: bool = False
    """Whether it belongs to the quick form, beside the sketches only."""
    once: bool = False
    """Whether it is measured in the first pass only; it takes its own median then."""
