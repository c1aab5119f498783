"""The results in Markdown, with a picture for each part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from charts import bars, number
from comparing.parts import Part
from comparing.results import Results, Spread

REPORT = "report.md"
PASSES_MIN = 3


def write_report(results: Results, parts: Sequence[Part], folder: Path) -> None:
    seen = [part for part in parts if part.name in results.figures]
    for part in seen:
        (folder / f"{part.name}.svg").write_text(bars(results.spreads(part.name)), "utf-8")
    (folder / REPORT).write_text(markdown(results, seen), "utf-8")


def markdown(results: Results, parts: Iterable[Part]) -> str:
    lines = ["# The hall beside its peers", ""]
    lines += [
        f"{results.passes} passes of {results.seconds:g} s for each load, interleaved, every second"
        " one in reverse; server and generator have a core each. Figures are medians with their"
        " range; **a ratio is taken within a pass**, and its median and range are of those."
        " `make bench` writes this page.",
        "",
    ]
    if results.passes < PASSES_MIN:
        lines += [f"**A trial: a measurement has {PASSES_MIN} passes or more.**", ""]
    for part in parts:
        lines += _section(part, results)
    if results.notes or results.faults:
        lines += ["## To be known beside the figures", ""]
        lines += [*(f"- {each}" for each in (*results.faults, *results.notes)), ""]
    return "\n".join([*lines, *version_table(results.versions)]) + "\n"


def version_table(versions: Mapping[str, str]) -> list[str]:
    rows = [f"| {name} | {version} |" for name, version in versions.items()]
    return ["## Measured on", "", "| what | version |", "|---|---|", *rows]


def _section(part: Part, results: Results) -> list[str]:
    spreads = results.spreads(part.name)
    people = list(dict.fromkeys(who for by_who in spreads.values() for who in by_who))
    lines = [f"## {part.title}", "", " ".join(part.text.split()), ""]
    lines += [f"| | {' | '.join(spreads)} |", "|---" * (len(spreads) + 1) + "|"]
    for who in people:
        cells = [_cell(by_who.get(who)) for by_who in spreads.values()]
        lines.append(f"| {who} | {' | '.join(cells)} |")
    ratios = results.ratios.get(part.name, {})
    if ratios:
        lines += ["", "| ratio | median (range) | better is |", "|---|---|---|"]
        lines += [
            f"| {name} | {_cell(kept.spread)} | {kept.better} |" for name, kept in ratios.items()
        ]
    return [*lines, "", f"![{part.title}]({part.name}.svg)", ""]


def _cell(spread: Spread | None) -> str:
    if spread is None:
        return ""
    middle, least, most = (number(value) for value in (spread.median, spread.least, spread.most))
    return middle if least == most else f"{middle} ({least}–{most})"
