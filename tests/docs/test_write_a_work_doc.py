"""docs/write-a-work.md: its work is done by workers in a hall, and its spider runs as it says."""

from __future__ import annotations

import re
import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from gamehall.catalogue import catalogue
from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "write-a-work.md").read_text()
SPIDER_README = (ROOT / "examples" / "spider" / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    """The code blocks of that kind."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [text for each, text in found if each == kind]


MASTER, WORKER, TESTS = blocks("python")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader has saved the files of the document."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "primes.py").write_text(MASTER)
    (folder / "count.py").write_text(WORKER)
    return folder


def command_lines(start: str) -> list[list[str]]:
    """The lines of the block of commands that begins so."""
    (block,) = (text for text in blocks("") if text.startswith(start))
    return [shlex.split(line) for line in block.splitlines()]


def run(line: list[str], folder: Path, *more: str) -> Process:
    assert line[0] == ".venv/bin/python"
    return Process(*line[1:], *more, program=(sys.executable,), folder=folder)


def test_the_tests_of_the_document_pass(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    space: dict[str, Any] = {}
    exec(TESTS, space)
    tests = [value for name, value in space.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


def test_workers_count_the_primes(folder: Path, tmp_path: Path) -> None:
    serve, *workers = command_lines(".venv/bin/gamehall serve --game primes.py")
    with HallProcess(tmp_path, more=serve[2:], folder=folder) as hall, ExitStack() as stack:
        started = []
        for line in workers:
            assert line[-1] == "ws://127.0.0.1:8000/ws"
            started.append(stack.enter_context(run([*line[:-1], hall.ws_url], folder)))
        assert len(started) == 2
        for worker in started:
            assert worker.wait(WAIT_SECONDS) == 0, worker.report()
            assert worker.stdout == ["168"]


def test_the_spider_is_run_as_the_document_says(tmp_path: Path) -> None:
    serve, site, worker, crawl = command_lines(
        ".venv/bin/gamehall serve --game examples/spider/spider.py"
    )
    (expected,) = (text.strip() for text in blocks("") if text.startswith("Pages: "))
    (verify,) = command_lines(".venv/bin/gamehall verify")
    with HallProcess(tmp_path, more=serve[2:], folder=ROOT) as hall, ExitStack() as stack:
        pages = stack.enter_context(run(site, ROOT, "--port=0"))
        pages.wait_until(lambda: bool(pages.stdout))
        url = f"--url={hall.ws_url}"
        for _ in range(2):
            stack.enter_context(run(worker, ROOT, url))
        address = pages.stdout[0].removeprefix("site ")
        assert crawl[2] == "http://127.0.0.1:8099/"
        crawling = stack.enter_context(run([*crawl[:2], address, *crawl[3:]], ROOT, url))
        assert crawling.wait(WAIT_SECONDS) == 0, crawling.report()
        assert crawling.stdout[-1] == expected
        source = verify[2].replace("http://127.0.0.1:8000", hall.web_url)
        with Process("verify", source, *verify[3:], folder=ROOT) as verifying:
            assert verifying.wait() == 0, verifying.report()


def test_the_readme_names_every_command_event_and_refusal_of_the_spider() -> None:
    spider = catalogue([ROOT / "examples" / "spider" / "spider.py"])["spider"]
    for kind in (*spider.commands, *spider.events):
        tag = str(kind.__struct_config__.tag)
        assert re.search(rf"`{tag}\b", SPIDER_README), tag
        for field in kind.__struct_fields__:
            assert re.search(rf"`{tag} {{[^}}]*\b{field}\b", SPIDER_README), (tag, field)
    module = sys.modules[type(spider).__module__]
    for refusal in (module.BadAddress, module.ForeignLink, module.NotYourPage):
        assert f"`{refusal.code}`" in SPIDER_README
