"""Every setting and limit of the hall, typed, with its unit last in its name.

They come from a TOML file, then from the environment (`GAMEHALL_TABLE_GRACE_SECONDS` is
`table.grace_seconds`), then from `--set table.grace_seconds=30`; the later wins. One that is
unknown or ill-typed is an error even if a later one replaces it. Values may be secret (the address
of a database holds its password), so no error repeats one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from gamehall.limits import Limits

_ENVIRONMENT = "GAMEHALL_"
_YEAR_SECONDS = 366 * 24 * 3600


def _from(least: int, most: int, of: str = "", kind: str = "number") -> Meta:
    """A bounded number, and the words that ask for one."""
    what = f"a {kind} of {of}" if of else f"a {kind}"
    return Meta(ge=least, le=most, description=f"{what} from {least} to {most}")


# Bounded above too, since TOML knows `inf`, which no timer takes.
Seconds = Annotated[
    float, Meta(ge=0, le=_YEAR_SECONDS, description="a number of seconds from 0 up to a year")
]
WaitSeconds = Annotated[
    float, Meta(gt=0, le=_YEAR_SECONDS, description="a number of seconds above 0, up to a year")
]
DaySeconds = Annotated[
    float, Meta(ge=0, le=86_400, description="a number of seconds from 0 up to a day")
]
Days = Annotated[float, _from(0, 36600, "days")]
# A balance must stay within 63 bits however often an account is filled up again.
Chips = Annotated[int, _from(0, 10**12, "chips", "whole number")]
Origins = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[a-z][a-z0-9+.-]*://[^/?#\s]+$")], ...],
    Meta(description="a list of origins such as https://example.org, without a path"),
]
Networks = Annotated[
    tuple[str, ...],
    Meta(description="a list of addresses or networks such as 10.0.0.0/8"),
]
StoreUrl = Annotated[
    str,
    Meta(
        pattern=r"^(sqlite:///.+|postgresql://.+)?$",
        description="sqlite:///FILE, postgresql://USER@HOST/DATABASE, or nothing",
    ),
]
BusUrl = Annotated[
    str,
    Meta(
        pattern=r"^(local:|rediss?://.+|unix://.+)$",
        description="local:, redis://HOST:PORT, rediss://HOST:PORT or unix://PATH",
    ),
]
PortalUrl = Annotated[
    str,
    Meta(
        pattern=r"^(wss?://[^\s/?#]+(/[^\s#]*)?|tcp://[^\s/?#@]+:\d+/?)?$",
        description="ws://HOST:PORT/…, wss://… or tcp://HOST:PORT, or nothing",
    ),
]
Text = Annotated[
    str, Meta(max_length=200, pattern=r"^[^\x00-\x1f]*$", description="up to 200 characters")
]
GameNames = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$")], ...],
    Meta(description="a list of games such as bingo-duel, connect-four"),
]


class SettingError(ValueError):
    """A setting that cannot be used. Its sentence names the setting, its origin and what fits."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings with one first word. All have defaults."""


class TableSettings(Section, frozen=True):
    grace_seconds: Seconds = 60
    """How long a dropped connection keeps its seat in a running game."""
    drop_seconds: Seconds = 10
    """The same at the doors `duel`, `four` and `practice`, where clients know no token to resume
    by, if it was the client that hung up; never longer than `grace_seconds`."""
    rematch_seconds: Seconds = 120
    """How long a table stays open after a game, for another one."""


class LobbySettings(Section, frozen=True):
    challenge_seconds: WaitSeconds = 60
    """How long a challenge waits for its answer."""
    seat_seconds: WaitSeconds = 30
    """How long a reserved seat waits for its player."""


class WebSettings(Section, frozen=True):
    origins: Origins = ()
    """Pages of other sites that may use the native WebSocket; the hall's own always may."""
    trusted_proxies: Networks = ()
    """Whose X-Forwarded-For counts: anyone else could claim any address and pass the limits."""

    def __post_init__(self) -> None:
        for network in self.trusted_proxies:
            ip_network(network)


class StoreSettings(Section, frozen=True):
    url: StoreUrl = ""
    """Where everything is kept; nothing is `hall.db` in the data folder."""
    keep_days: Days = 0
    """How long finished casual games stay; 0 is for ever."""
    lease_seconds: WaitSeconds = 3
    """After this time a node that has gone without a word has lost its tables to the others."""


class BusSettings(Section, frozen=True):
    url: BusUrl = "local:"
    """How nodes reach each other; `local:` is a hall of one node."""


class PlayersSettings(Section, frozen=True):
    open_registration: bool = True
    """Whether anyone may make an account. Guests may always play."""
    start_balance: Chips = 1_000_000
    """The play chips that a new player gets."""


class BingoSettings(Section, frozen=True):
    pause_seconds: Annotated[float, _from(0, 3600, "seconds")] = 1
    """The time between two numbers of called Bingo, at the least."""
    ready_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="a number of seconds above 0, up to 3600")
    ] = 10
    """How long the slowest player is waited for."""
    free_centre: bool = True
    """Whether the middle of a card counts as called."""


class DuelSettings(Section, frozen=True):
    size: Annotated[int, _from(3, 20, kind="whole number")] = 7
    """How many rows and columns the boards of two-player Bingo have."""
    gap_ms: Annotated[float, _from(0, 1000, "milliseconds")] = 100
    """The time between two packets to one client: existing ones take one read for one packet, and
    on a busy machine read late."""
    casual: bool = True
    """Whether a match that no arena has made may be played."""
    close_seconds: Seconds = 5
    """How long after its end a match's connections are closed."""


class PracticeSettings(Section, frozen=True):
    begin_ms: Annotated[float, _from(0, 60_000, "milliseconds")] = 2000
    """How long a client of the `practice` door is told of nothing after its game begins: existing
    ones build it in a thread, and lose what comes before that is done."""


class ArenaSettings(Section, frozen=True):
    portal: PortalUrl = ""
    """Where this hall registers its games, so that matches can be made from there."""
    games: GameNames = ("bingo-duel",)
    """Those for two that are registered."""
    address: Text = ""
    """Under which others reach this hall; nothing is the address that it listens at."""
    author: Text = "Gamehall"
    """Whom the portal names as their author."""
    no_show_seconds: WaitSeconds = 300
    """How long a match waits for its two players."""

    def __post_init__(self) -> None:
        # Raises ValueError for a port that cannot be.
        urlsplit(self.portal).port  # noqa: B018


class SicboSettings(Section, frozen=True):
    betting_seconds: Annotated[
        float, Meta(gt=0, le=86_400, description="a number of seconds above 0, up to a day")
    ] = 30
    """How long a round of Sic Bo takes bets."""
    reveal_seconds: DaySeconds = 3
    """How long after that the dice are shown."""
    pause_seconds: DaySeconds = 5
    """How long until the next round."""
    bet_max: Annotated[int, _from(1, 10**12, "chips", "whole number")] = 1_000_000
    """The largest single bet."""


class DevSettings(Section, frozen=True):
    """What goes wrong on purpose: a bad line at the native doors, for whoever writes a client (see
    wire/net/bad_line.py), and a clock that is wrong, for tests of many nodes."""

    latency_ms: Annotated[float, _from(0, 10_000, "milliseconds")] = 0
    """How long every message takes, each way."""
    loss: Annotated[float, _from(0, 1)] = 0
    """Which part of all messages is lost, each with its connection."""
    drop_seconds: DaySeconds = 0
    """How long a connection lasts on average; 0 is as long as it likes."""
    clock_offset_seconds: Annotated[
        float, Meta(ge=-86_400, le=86_400, description="a number of seconds, at most a day")
    ] = 0
    """How wrong this node's clock is."""

    @property
    def has_bad_line(self) -> bool:
        return bool(self.latency_ms or self.loss or self.drop_seconds)


class Settings(msgspec.Struct, frozen=True):
    table: TableSettings = TableSettings()
    lobby: LobbySettings = LobbySettings()
    web: WebSettings = WebSettings()
    store: StoreSettings = StoreSettings()
    bus: BusSettings = BusSettings()
    players: PlayersSettings = PlayersSettings()
    bingo: BingoSettings = BingoSettings()
    duel: DuelSettings = DuelSettings()
    practice: PracticeSettings = PracticeSettings()
    arena: ArenaSettings = ArenaSettings()
    sicbo: SicboSettings = SicboSettings()
    dev: DevSettings = DevSettings()
    limits: Limits = Limits()


_SECTIONS: dict[str, Any] = get_type_hints(Settings)
_Place = tuple[str, str]
_Found = tuple[_Place, Any, str, bool]
"""A setting, its value, where it comes from, and whether the value is text that has to be read."""
_TYPES: dict[_Place, Any] = {
    (section, key): hint
    for section, struct in _SECTIONS.items()
    for key, hint in get_type_hints(struct, include_extras=True).items()
}
_DOTTED = {f"{section}.{key}": (section, key) for section, key in _TYPES}
_IN_ENVIRONMENT = {f"{_ENVIRONMENT}{s}_{k}".upper(): (s, k) for s, k in _TYPES}


def load(
    config_file: Path | None, environ: Mapping[str, str], sets: Sequence[str] = ()
) -> Settings:
    """The settings of file, environment and command line, the later over the earlier.

    Raises:
        SettingError: one is unknown or ill-typed, or the file cannot be read.
    """
    chosen: dict[str, dict[str, Any]] = {section: {} for section in _SECTIONS}
    in_file = _from_file(config_file) if config_file is not None else ()
    for (section, key), *found in (*in_file, *_from_environ(environ), *_from_sets(sets)):
        chosen[section][key] = _read(section, key, *found)
    return Settings(**{name: struct(**chosen[name]) for name, struct in _SECTIONS.items()})


def _from_file(path: Path) -> Iterator[_Found]:
    origin = f"the file {path}"
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingError(f"Cannot read {origin}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingError(f"Cannot read {origin}: it is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"Cannot read {origin}, it is not TOML: {error}.") from None
    for section, entries in content.items():
        if section not in _SECTIONS:
            names = [f"{section}.{key}" for key in entries] if isinstance(entries, dict) else []
            _known(names[0] if names else section, _DOTTED, origin)
        if not isinstance(entries, dict):
            raise SettingError(f"`{section}` in {origin} is a section: write it as [{section}].")
        for key, value in entries.items():
            yield _known(f"{section}.{key}", _DOTTED, origin), value, origin, False


def _from_environ(environ: Mapping[str, str]) -> Iterator[_Found]:
    for name, text in environ.items():
        if name.startswith(_ENVIRONMENT):
            place = _known(name, _IN_ENVIRONMENT, "the environment")
            yield place, text, f"{name} in the environment", True


def _from_sets(sets: Sequence[str]) -> Iterator[_Found]:
    for setting in sets:
        name, sign, text = setting.partition("=")
        if not sign:
            raise SettingError("--set takes the form section.key=value; one has no `=`.")
        yield _known(name, _DOTTED, "--set"), text, "--set", True


def _known(name: str, known: Mapping[str, _Place], origin: str) -> _Place:
    """Section and key of a setting. Raises SettingError, with the nearest name."""
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    hint = f" Did you mean `{near[0]}`?" if near else ""
    raise SettingError(f"There is no setting `{name}` (from {origin}).{hint}")


def _read(section: str, key: str, value: Any, origin: str, is_text: bool) -> Any:
    hint = _TYPES[section, key]
    if is_text and get_origin(_bare(hint)) is tuple:
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        # One key at a time, through its section, so that the section's own check sees it too.
        settings = msgspec.convert({key: value}, _SECTIONS[section], strict=not is_text)
    except msgspec.ValidationError as error:
        raise SettingError(
            f"`{section}.{key}` (from {origin}) must be {_expected(hint, error)}."
        ) from None
    return getattr(settings, key)


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _expected(hint: Any, error: msgspec.ValidationError) -> str:
    for part in get_args(hint):
        if isinstance(part, Meta) and part.description is not None:
            return part.description
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    # "Expected `int` >= 0 - at `$.key`" gives the bound that was broken.
    bound = str(error).partition(" - at ")[0].partition("` ")[2]
    return " ".join(filter(None, (kinds[_bare(hint)], bound)))
