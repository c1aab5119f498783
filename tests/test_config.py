from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gamehall.config import SettingError, Settings, load


def write(folder: Path, text: str) -> Path:
    path = folder / "hall.toml"
    path.write_text(text, encoding="utf-8")
    return path


def error_of(
    config: Path | None = None, environ: dict[str, str] | None = None, sets: tuple[str, ...] = ()
) -> str:
    with pytest.raises(SettingError) as caught:
        load(config, environ or {}, sets)
    return str(caught.value)


def test_defaults_are_those_of_the_documentation() -> None:
    assert msgspec.to_builtins(load(None, {}, ())) == {
        "table": {"grace_seconds": 60, "drop_seconds": 10, "rematch_seconds": 120},
        "lobby": {"challenge_seconds": 60, "seat_seconds": 30},
        "web": {"origins": (), "trusted_proxies": ()},
        "store": {"url": "", "keep_days": 0, "lease_seconds": 3},
        "bus": {"url": "local:"},
        "players": {"open_registration": True, "start_balance": 1_000_000},
        "bingo": {"pause_seconds": 1, "ready_seconds": 10, "free_centre": True},
        "duel": {"size": 7, "gap_ms": 100, "casual": True, "close_seconds": 5},
        "practice": {"begin_ms": 2000},
        "arena": {
            "portal": "",
            "games": ("bingo-duel",),
            "address": "",
            "author": "Gamehall",
            "no_show_seconds": 300,
        },
        "sicbo": {
            "betting_seconds": 30,
            "reveal_seconds": 3,
            "pause_seconds": 5,
            "bet_max": 1_000_000,
        },
        "dev": {"latency_ms": 0, "loss": 0, "drop_seconds": 0, "clock_offset_seconds": 0},
        "limits": {
            "message_bytes": 65536,
            "messages_per_second": 50,
            "messages_burst": 200,
            "connections_per_address": 256,
            "connections": 20000,
            "unsent_bytes": 1048576,
            "hello_seconds": 120,
            "idle_seconds": 120,
        },
    }


def test_every_setting_without_a_value_is_the_default() -> None:
    assert load(None, {"PATH": "/bin", "HOME": "/"}, ()) == Settings()


def test_the_later_source_wins(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "[table]\ngrace_seconds = 1\nrematch_seconds = 1\n[lobby]\nchallenge_seconds = 1.5\n",
    )
    environ = {"GAMEHALL_TABLE_GRACE_SECONDS": "2", "GAMEHALL_TABLE_REMATCH_SECONDS": "2"}
    settings = load(file, environ, ["table.grace_seconds=3", "table.grace_seconds=0.25"])
    assert settings.table.grace_seconds == 0.25
    assert settings.table.rematch_seconds == 2
    assert settings.lobby.challenge_seconds == 1.5


def test_each_type_is_read_from_text_and_from_toml(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        '[web]\norigins = ["https://a.example", "http://b.example:81"]\n'
        "[players]\nopen_registration = false\n[limits]\nidle_seconds = 0\n",
    )
    settings = load(
        file,
        {
            "GAMEHALL_WEB_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,, ::1 ",
            "GAMEHALL_LIMITS_MESSAGE_BYTES": "1024",
            "GAMEHALL_STORE_KEEP_DAYS": "0.5",
        },
        ["store.url=sqlite:///x=y.db", "players.start_balance=5"],
    )
    assert settings.web.origins == ("https://a.example", "http://b.example:81")
    assert settings.web.trusted_proxies == ("127.0.0.1", "10.0.0.0/8", "::1")
    assert settings.players.open_registration is False
    assert settings.players.start_balance == 5
    assert settings.limits.idle_seconds == 0
    assert settings.limits.message_bytes == 1024
    assert settings.store.keep_days == 0.5
    assert settings.store.url == "sqlite:///x=y.db"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ws://127.0.0.1:8881",
        "ws://portal.example/games?x=1",
        "wss://portal.example/",
        "tcp://127.0.0.1:8882",
        "tcp://[::1]:8882/",
    ],
)
def test_addresses_of_portals(url: str) -> None:
    assert load(None, {"GAMEHALL_ARENA_PORTAL": url}).arena.portal == url


def test_games_for_a_portal() -> None:
    settings = load(None, {}, ["arena.games=bingo-duel, four_stone"])
    assert settings.arena.games == ("bingo-duel", "four_stone")


def test_a_list_can_be_emptied(tmp_path: Path) -> None:
    file = write(tmp_path, '[web]\norigins = ["https://a.example"]\n')
    assert load(file, {"GAMEHALL_WEB_ORIGINS": ""}, ()).web.origins == ()


@pytest.mark.parametrize("text", ["true", "True", "1"])
def test_switches_in_the_environment(text: str) -> None:
    settings = load(None, {"GAMEHALL_PLAYERS_OPEN_REGISTRATION": text}, ())
    assert settings.players.open_registration is True


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("table.grace_seconds=soon", "a number of seconds"),
        ("table.grace_seconds=-1", "from 0"),
        ("table.grace_seconds=inf", "up to a year"),
        ("table.grace_seconds=nan", "a number of seconds"),
        ("table.grace_seconds=", "a number of seconds"),
        ("lobby.challenge_seconds=0", "above 0"),
        ("players.open_registration=perhaps", "true or false"),
        ("players.start_balance=1.5", "a whole number of chips"),
        ("players.start_balance=-1", "from 0"),
        ("web.origins=example.org", "such as https://example.org"),
        ("web.origins=https://a.example/path", "without a path"),
        ("web.trusted_proxies=10.0.0.300", "addresses or networks"),
        ("web.trusted_proxies=10.0.0.1/8", "addresses or networks"),
        ("store.url=mysql://db", "sqlite:///FILE"),
        ("bus.url=amqp://bus", "local:"),
        ("store.lease_seconds=0", "above 0"),
        ("store.keep_days=-0.1", "a number of days"),
        ("arena.portal=http://portal.example", "ws://HOST:PORT/…"),
        ("arena.portal=ws://", "ws://HOST:PORT/…"),
        ("arena.portal=ws://portal.example:65536/", "ws://HOST:PORT/…"),
        ("arena.portal=tcp://portal.example", "tcp://HOST:PORT"),
        ("arena.portal=tcp://portal.example:8882/path", "tcp://HOST:PORT"),
        ("arena.games=Bingo duel", "such as bingo-duel"),
        ("arena.author=" + "x" * 201, "up to 200 characters"),
        ("arena.no_show_seconds=0", "above 0"),
        ("limits.connections=-1", ">= 0"),
        ("limits.connections=many", "a whole number"),
    ],
)
def test_an_ill_typed_value_is_named_with_origin_and_expectation(
    setting: str, expected: str
) -> None:
    name, _, value = setting.partition("=")
    variable = f"GAMEHALL_{name.replace('.', '_').upper()}"
    sentence = error_of(sets=(setting,))
    assert f"`{name}`" in sentence
    assert "--set" in sentence
    assert expected in sentence
    sentence = error_of(environ={variable: value})
    assert f"`{name}`" in sentence
    assert f"{variable} in the environment" in sentence
    assert expected in sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[table]\ngrace_seconds = '60'", ("table.grace_seconds", "a number of seconds")),
        ("[players]\nstart_balance = 1.0", ("players.start_balance", "a whole number")),
        ("[players]\nopen_registration = 1", ("players.open_registration", "true or false")),
        ("[web]\norigins = 'https://a.example'", ("web.origins", "a list")),
        ("[table]\ngrace_secs = 1", ("table.grace_secs", "`table.grace_seconds`?")),
        ("[tables]\ngrace_seconds = 1", ("tables.grace_seconds", "`table.grace_seconds`?")),
        ("[unheard]\n", ("`unheard`",)),
        ("grace_seconds = 1", ("grace_seconds", "`table.grace_seconds`?")),
        ("table = 1", ("`table`", "[table]")),
        ("[table\n", ("not TOML", "line 1")),
    ],
)
def test_a_wrong_file_is_an_error_that_names_it(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    file = write(tmp_path, text)
    sentence = error_of(file)
    assert str(file) in sentence
    for word in words:
        assert word in sentence


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "missing.toml" in error_of(tmp_path / "missing.toml")
    assert str(tmp_path) in error_of(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    assert "UTF-8" in error_of(binary)


def test_unknown_names_are_errors_and_the_nearest_is_suggested() -> None:
    sentence = error_of(environ={"GAMEHALL_TABLE_GRACE_SECOND": "1"})
    assert "`GAMEHALL_TABLE_GRACE_SECOND`" in sentence
    assert "`GAMEHALL_TABLE_GRACE_SECONDS`?" in sentence
    assert "`GAMEHALL_WHATEVER`" in error_of(environ={"GAMEHALL_WHATEVER": "1"})
    sentence = error_of(sets=("limits.conections=1",))
    assert "`limits.conections`" in sentence
    assert "`limits.connections`?" in sentence


def test_an_error_counts_even_if_a_later_value_replaces_it(tmp_path: Path) -> None:
    file = write(tmp_path, "[table]\ngrace_seconds = 'x'")
    assert str(file) in error_of(file, sets=("table.grace_seconds=1",))


def test_no_error_repeats_a_value() -> None:
    secret = "mysql://hall:hunter2@db"
    for sentence in (
        error_of(sets=(f"store.url={secret}",)),
        error_of(sets=(f"store.ulr={secret}",)),
        error_of(sets=(f"store.url:{secret}",)),
        error_of(environ={"GAMEHALL_STORE_URL": secret}),
        error_of(environ={"GAMEHALL_STORE_PASSWORD": secret}),
    ):
        assert "hunter2" not in sentence
