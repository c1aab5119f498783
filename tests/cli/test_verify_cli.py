from __future__ import annotations

import io
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gamehall.cli import source
from gamehall.cli.verify import judge, verify
from gamehall.games.game import Game
from tests.cli.calling import exit_code
from tests.games import verify_toy
from tests.games.verify_toy import DiceGame, two_rounds

GAMES: dict[str, Game[Any]] = {"dice": DiceGame()}
TABLE = two_rounds()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def run(log: str | Path, hash: str | None = None) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = judge(str(log), GAMES, hash, out, err)
    return code, out.getvalue(), err.getvalue()


def saved(folder: Path, lines: list[bytes]) -> Path:
    path = folder / "journal.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


Answer = Callable[[dict[str, str], BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A hall's address, and the queries that came."""
    queries: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = {k: v[0] for k, v in parse_qs(urlsplit(self.path).query).items()}
            queries.append(query)
            answer(query, self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/api/tables/7/journal", queries
        finally:
            server.shutdown()
            thread.join()


def send(
    handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, next: object = None
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    if next is not None:
        handler.send_header("X-Next", str(next))
    handler.end_headers()
    handler.wfile.write(body)


def pages(query: dict[str, str], handler: BaseHTTPRequestHandler) -> None:
    """Answers as a hall does."""
    after = int(query["after"])
    lines = TABLE.lines[after : after + int(query["limit"])]
    next = after + len(lines)
    if next == len(TABLE.lines):
        lines = [*lines, TABLE.trailer()]
    body = b"".join(line + b"\n" for line in lines)
    send(handler, body, next=next if next < len(TABLE.lines) else None)


def test_an_honest_file(tmp_path: Path) -> None:
    file = saved(tmp_path, TABLE.exported())
    code, out, err = run(file, TABLE.hash.upper())
    assert (code, err) == (0, "")
    assert str(file) in out
    assert "11 commands were decided again" in out
    assert out.splitlines()[-1].startswith("Verified")


def test_a_changed_file(tmp_path: Path) -> None:
    lines = TABLE.exported()
    lines[3] = lines[3].replace(b'"dice":[', b'"dice":[6,6],"x":[')
    code, out, _ = run(saved(tmp_path, lines))
    assert code == 1
    assert "problem  row 4: Decided again, event 1 is" in out
    assert out.splitlines()[-1] == "Not verified."


def test_without_a_hash_it_says_what_to_compare(tmp_path: Path) -> None:
    code, out, _ = run(saved(tmp_path, TABLE.lines))
    assert code == 0
    assert "note     Compare the last hash" in out


def test_what_is_no_file_is_a_wrong_call(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, "a\0b", ""):
        code, out, err = run(path)
        assert (code, out) == (2, "")
        assert "Cannot read" in err


def test_what_is_no_hash_is_a_wrong_call(tmp_path: Path) -> None:
    code, _, err = run(saved(tmp_path, TABLE.lines), "abc")
    assert code == 2
    assert "64 digits" in err


def test_control_characters_of_a_log_do_not_reach_the_terminal(tmp_path: Path) -> None:
    log = b'{"events":[{"type":"opened","game":"\\u001b[2Jdice"}]}'
    code, out, _ = run(saved(tmp_path, [log]))
    assert code == 1
    assert "not installed" in out
    assert "\x1b" not in out


def test_a_file_beyond_the_limit_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "BYTES_MAX", 100)
    code, _, err = run(saved(tmp_path, TABLE.lines))
    assert code == 1
    assert "larger than 100 bytes" in err


def test_an_address_is_read_in_one_page() -> None:
    with serving(pages) as (address, queries):
        code, out, err = run(address, TABLE.hash)
    assert (code, err) == (0, "")
    assert "Verified" in out
    assert queries == [{"limit": "1000", "after": "0"}]


def test_an_address_is_read_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "PAGE_ROWS", 4)
    with serving(pages) as (address, queries):
        assert run(address, TABLE.hash)[0] == 0
        assert run(f"{address}?after=6", TABLE.hash)[0] == 0
    assert [query["after"] for query in queries] == ["0", "4", "8", "6", "10"]


def test_a_log_on_any_web_server_is_one_page() -> None:
    whole = b"\n".join(TABLE.exported())
    with serving(lambda _, handler: send(handler, whole)) as (address, queries):
        assert run(address, TABLE.hash)[0] == 0
    assert len(queries) == 1


def test_a_hall_that_repeats_itself_is_not_asked_for_ever() -> None:
    with serving(lambda _, handler: send(handler, b"x\n", next=2)) as (address, queries):
        code, _, err = run(address)
    assert code == 1
    assert "repeats itself" in err
    assert len(queries) == 2


def test_all_pages_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "BYTES_MAX", 1000)

    def endless(query: dict[str, str], handler: BaseHTTPRequestHandler) -> None:
        send(handler, b"x" * 300, next=int(query["after"]) + 1)

    with serving(endless) as (address, queries):
        assert "larger than 1000 bytes" in run(address)[2]
    assert len(queries) == 4


def test_a_private_tables_key_is_sent_and_not_printed() -> None:
    with serving(pages) as (address, queries):
        code, out, _ = run(f"{address}?key=hunter2#top")
    assert code == 0
    assert queries[0]["key"] == "hunter2"
    assert "hunter2" not in out
    assert source.shown("http://ana:hunter2@example.org/x?key=hunter2") == "http://example.org/x"


def test_a_refusal_is_told_in_the_halls_words() -> None:
    body = b'{"error":{"code":"no_such_table","message":"There is no such \\u001b[1mtable."}}'
    with serving(lambda _, handler: send(handler, body, 404)) as (address, _):
        code, out, err = run(f"{address}?key=hunter2")
    assert (code, out) == (1, "")
    assert "answers 404: There is no such �[1mtable." in err
    assert "hunter2" not in err
    with serving(lambda _, handler: send(handler, b"oops", 500)) as (address, _):
        assert "answers 500: Internal Server Error." in run(address)[2]


def test_an_answer_beyond_the_limits_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "BYTES_MAX", 100)
    with serving(pages) as (address, _):
        code, _, err = run(address)
    assert code == 1
    assert "larger than 100 bytes" in err
    monkeypatch.undo()
    monkeypatch.setattr(source, "SECONDS_MAX", 0.0)
    with serving(pages) as (address, _):
        code, _, err = run(address)
    assert code == 1
    assert "takes longer than" in err


def test_a_hall_that_falls_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "STALL_SECONDS", 0.05)
    over = threading.Event()

    def stall(_: dict[str, str], handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        over.wait(30)

    with serving(stall) as (address, _):
        code, _, err = run(address)
        over.set()
    assert code == 1
    assert "timed out" in err


def test_a_hall_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    code, _, err = run(f"http://127.0.0.1:{port}/api/tables/7/journal")
    assert code == 1
    assert "Cannot reach" in err


def test_what_is_no_address_is_a_wrong_call() -> None:
    for address in ("http://[::1/x", "http://127.0.0.1/?after=x"):
        assert run(address)[0] == 2
    assert run("http://")[0] == 1


def test_the_command_knows_the_games_of_the_house_and_those_in_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(saved(tmp_path, TABLE.exported()))
    assert verify(log) == 1
    assert "`dice` is not installed" in capsys.readouterr().out
    rules = Path(verify_toy.__file__)
    assert verify(log, hash=TABLE.hash, game=(rules,)) == 0
    assert "Verified" in capsys.readouterr().out
    assert exit_code("verify", log, game=(tmp_path / "missing.py",)) == 2
    assert "missing.py" in capsys.readouterr().err
