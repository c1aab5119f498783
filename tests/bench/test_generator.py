"""The load generator compiles, plays whole games, and notices a server that answers nonsense."""

from __future__ import annotations

from pathlib import Path

import pytest

from comparing.contenders import HALL_REAL, SKETCH_DURABLE, SKETCH_MEMORY, Contender, bare
from comparing.generator import Faulty, Generator


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Generator:
    return Generator(tmp_path_factory.mktemp("built"))


@pytest.mark.parametrize(
    "contender", [HALL_REAL, SKETCH_DURABLE, SKETCH_MEMORY], ids=lambda each: each.name
)
def test_games_are_played_to_the_end(generator: Generator, contender: Contender) -> None:
    with contender.start() as server, contender.options(server, 8) as options:
        played = ("-w", 0, "-t", 1)
        figures = generator.run("game", server, contender.protocol, *options, *played)
    assert figures.total > 42, "longer than any game"
    assert figures.cpu_us > 0


def test_a_crowd_stays_while_it_is_needed(generator: Generator) -> None:
    with (
        SKETCH_MEMORY.start() as server,
        generator.running("crowd", server, "plain", "-c", 100) as figures,
    ):
        assert figures.total == 100
        assert generator.run("crowd", server, "plain", "-c", 20).total == 20


def test_an_answer_that_makes_no_sense_is_no_figure(generator: Generator) -> None:
    with bare() as server, pytest.raises(Faulty):
        generator.run("game", server, "plain", "-c", 2, "-w", 0, "-t", 0.1)


def test_without_a_compiler_a_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(SystemExit, match="Install a C compiler"):
        Generator(tmp_path)
