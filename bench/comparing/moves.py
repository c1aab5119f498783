"""Moves: as many as each server can take, from a hundred tables at once."""

from __future__ import annotations

from collections.abc import Iterator
from subprocess import SubprocessError

from comparing.contenders import (
    HALL,
    HALL_REAL,
    OTHERS,
    SKETCH_DURABLE,
    SKETCH_MEMORY,
    Contender,
)
from comparing.generator import Faulty
from comparing.parts import Bench, Part, Ratio, Seen

CONNECTIONS = 200
WHAT = "moves/s"
CPU = "server's CPU for each, µs"


def measure(bench: Bench) -> Iterator[Seen]:
    for contender in bench.contenders():
        try:
            yield from _load(bench, contender)
        except (Faulty, SubprocessError, SystemExit) as fault:
            # One server must not end the run of all.
            bench.faults.append(f"{contender.name} was not measured: {fault}")


def _load(bench: Bench, contender: Contender) -> Iterator[Seen]:
    with contender.start() as server, contender.options(server, CONNECTIONS) as options:
        wanted = [*options, "-t", bench.seconds]
        figures = bench.generator.run("game", server, contender.protocol, *wanted)
    bench.note_limit(contender.name, figures)
    yield Seen(contender.name, WHAT, figures.rate)
    yield Seen(contender.name, "p50, ms", figures.p50_us / 1e3)
    yield Seen(contender.name, "p99, ms", figures.p99_us / 1e3)
    yield Seen(contender.name, CPU, figures.cpu_us)


MOVES = Part(
    name="moves",
    title="Moves",
    text=f"""{CONNECTIONS // 2} tables, {CONNECTIONS} connections, closed loop: a player moves when
both have been told of the move before, and a delay is from sending a move until both have been
told. `hall` and `hall-real` answer a move when it is durable, as `sketch-durable` does; all others
keep nothing. `hall` plays boards of 12 × 12 to a draw after 144 moves; `hall-real` plays 7 × 6 to
the end and asks for a rematch, in which seats are drawn anew. The others play 7 × 6, and begin the
next game with its first move. Colyseus tells each move at once, not every 50 ms as by default.""",
    measure=measure,
    ratios=tuple(
        ratio
        for ours in (HALL.name, HALL_REAL.name)
        for other in (SKETCH_DURABLE, SKETCH_MEMORY, *OTHERS)
        for ratio in (
            Ratio(ours, other.name, WHAT, "higher"),
            # On a machine that is not quiet it says more than the rate.
            Ratio(ours, other.name, CPU, "lower"),
        )
    ),
    quick=True,
)
