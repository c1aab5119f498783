from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import structlog

from gamehall import logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Account(msgspec.Struct):
    name: str
    password_hash: str


@pytest.fixture(autouse=True)
def _restore() -> Iterator[None]:
    handlers, level = logging.root.handlers[:], logging.root.level
    yield
    structlog.reset_defaults()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def as_json() -> tuple[io.StringIO, Any]:
    stream = io.StringIO()
    logs.configure(stream)
    return stream, structlog.get_logger()


def as_text(monkeypatch: pytest.MonkeyPatch) -> tuple[Terminal, Any]:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    logs.configure(stream)
    return stream, structlog.get_logger()


def test_json_lines_where_nobody_looks() -> None:
    stream, log = as_json()
    log.info("table closed", table=7, name="Ana\nBo")
    log.warning("slow reader")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first.pop("timestamp").endswith("Z")
    assert first == {"event": "table closed", "level": "info", "table": 7, "name": "Ana\nBo"}
    assert second["level"] == "warning"


def test_plain_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, log = as_text(monkeypatch)
    log.info("table closed", table=7, name="Ana\n\x1b[2J")
    (line,) = stream.getvalue().splitlines()
    assert "table closed" in line
    assert "table=7" in line
    assert "\x1b" not in line


def test_colours_unless_they_are_unwanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    logs.configure(stream)
    structlog.get_logger().info("hello")
    assert "\x1b[" in stream.getvalue()


def test_the_level_holds_for_us_and_for_libraries() -> None:
    stream = io.StringIO()
    logs.configure(stream, level="warning")
    structlog.get_logger().info("quiet")
    logging.getLogger("library").info("quiet")
    structlog.get_logger().error("loud")
    logging.getLogger("library").error("loud")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["loud"] * 2


def test_libraries_write_in_the_same_form() -> None:
    stream, _ = as_json()
    logging.getLogger("library").warning("lost %s", "it", extra={"token": "hunter2"})
    entry = json.loads(stream.getvalue())
    assert (entry["event"], entry["level"]) == ("lost it", "warning")
    assert "hunter2" not in stream.getvalue()


def test_configuring_again_replaces_the_stream() -> None:
    before, _ = as_json()
    after, log = as_json()
    log.info("once")
    assert before.getvalue() == ""
    assert len(after.getvalue().splitlines()) == 1


@pytest.mark.parametrize("terminal", [False, True])
def test_no_secret_gets_through_by_its_name(
    monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    stream, log = as_text(monkeypatch) if terminal else as_json()
    log.info(
        "hello",
        token="hunter2",
        draw_key=b"hunter2",
        secret="hunter2",
        Authorization="Bearer hunter2",
        account=Account("ana", "hunter2"),
        request={"name": "ana", "password": "hunter2", "headers": [{"X-Api-Key": "hunter2"}]},
        keyboard="kept",
    )
    assert "hunter2" not in stream.getvalue()
    assert "ana" in stream.getvalue()
    assert "kept" in stream.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_tracebacks_come_without_local_variables(
    monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    stream, log = as_text(monkeypatch) if terminal else as_json()
    password = "".join(["hunt", "er2"])
    try:
        raise LookupError("no such seat")
    except LookupError:
        caught = sys.exc_info()
    log.error("failed", exc_info=caught)
    logging.getLogger("library").error("failed", exc_info=caught)
    assert stream.getvalue().count("LookupError: no such seat") == 2
    assert password not in stream.getvalue()
