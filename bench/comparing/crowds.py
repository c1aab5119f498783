"""One table told to a thousand spectators, and how fast people can come."""

from __future__ import annotations

from collections.abc import Iterator

from broadcast import measure as measure_broadcast
from comparing.contenders import HALL, SKETCH_MEMORY, bare
from comparing.parts import Bench, Part, Ratio, Seen

SPECTATORS = 1000
BROADCASTS = 100
COMERS = 4000
SUBSCRIBERS = 5000
TIMES = 10


def measure_fanout(bench: Bench) -> Iterator[Seen]:
    everyone = ("-c", SPECTATORS + 2, "-b", BROADCASTS)
    with HALL.start() as server:
        ours = bench.generator.run("fanout", server, "native", "-L", *everyone)
    with bare() as server:
        theirs = bench.generator.run("fanout", server, "plain", "-m", ours.bytes, *everyone)
    for who, figures in (("hall", ours), ("bare", theirs)):
        yield Seen(who, "until the last has it, p50, ms", figures.p50_us / 1e3)
        yield Seen(who, "from first to last, p50, ms", figures.spread_p50_us / 1e3)
        yield Seen(who, "server's CPU for each, µs", figures.cpu_us)


def measure_hello(bench: Bench) -> Iterator[Seen]:
    pair = (HALL, SKETCH_MEMORY)
    for contender in pair[::-1] if bench.backwards else pair:
        with contender.start() as server:
            figures = bench.generator.run("crowd", server, contender.protocol, "-c", COMERS)
        bench.note_limit(contender.name, figures)
        yield Seen(contender.name, "hellos/s", figures.rate)
        yield Seen(contender.name, "server's CPU for each, µs", figures.cpu_us)


def measure_subscribers(_: Bench) -> Iterator[Seen]:
    yield Seen("bare ÷ hall", "until the last has it", measure_broadcast(SUBSCRIBERS, TIMES))


FANOUT = Part(
    name="fanout",
    title="One move to a thousand spectators",
    text=f"""A move at a table with {SPECTATORS:,} spectators, until the last of them has it; beside
it a bare picows server that sends as many bytes to as many. The hall's time has the commit of the
move in it; from the first receipt to the last it has not.""",
    measure=measure_fanout,
    ratios=(
        Ratio("bare", "hall", "until the last has it, p50, ms", "higher"),
        Ratio("bare", "hall", "from first to last, p50, ms", "higher"),
    ),
    quick=True,
)
HELLO = Part(
    name="hello",
    title="People who come",
    text=f"""{COMERS:,} people come, 64 at a time: connect, upgrade, say hello, be answered. The
hall makes each a guest with a name and a token; the sketch takes a first move and knows nobody.""",
    measure=measure_hello,
    ratios=(Ratio("hall", "sketch-memory", "hellos/s", "higher"),),
    quick=True,
)
BROADCAST = Part(
    name="broadcast",
    title="One message of Sic Bo to five thousand",
    text="""`bench/broadcast.py`: the two servers take turns, and the hall's time begins when its
commit has returned.""",
    measure=measure_subscribers,
)
