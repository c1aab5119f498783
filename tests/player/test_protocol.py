"""What is said, to the byte, and what is heard, however it arrives."""

from __future__ import annotations

import json

import pytest

from utils import protocol
from utils.protocol import (
    LINE_BYTES_MAX,
    Challenged,
    Error,
    FreePlayers,
    GameOver,
    GameStarted,
    GameUpdate,
    Lines,
    Message,
    Player,
    ProtocolError,
    Refused,
    Registered,
    Unknown,
    decode,
)

BOARD = [[0] * 7 for _ in range(5)] + [[0, 0, 1, 2, 0, 0, 0]]
START = {"game_id": 9, "player1": "Ann", "player2": "Bob", "your_number": 2, "your_name": "Bob"}
UPDATE = {
    "board": BOARD, "current_player": 1, "winner": None, "winner_id": None, "game_over": False
}  # fmt: skip
SAID: list[tuple[str, object, Message]] = [
    ("REGISTER_OK", {"player_id": "player_1"}, Registered("player_1")),
    (
        "LIST_PLAYERS",
        {"players": [{"id": "player_2", "name": "Zoë"}, {"id": "player_3", "name": "王"}]},
        FreePlayers([Player("player_2", "Zoë"), Player("player_3", "王")]),
    ),
    ("LIST_PLAYERS", {"players": []}, FreePlayers([])),
    (
        "CHALLENGE_RECEIVED",
        {"challenger_id": "player_2", "challenger_name": "Bob"},
        Challenged(Player("player_2", "Bob")),
    ),
    ("CHALLENGE_REFUSED", {"message": "Bob has left."}, Refused("Bob has left.")),
    ("GAME_START", START, GameStarted(9, "Ann", 2, "Bob")),
    ("GAME_UPDATE", UPDATE, GameUpdate(BOARD, 1, False)),
    (
        "GAME_OVER",
        {"winner": "Ann", "winner_id": "player_1", "you_won": False, "reason": "Time."},
        GameOver(False, "Time."),
    ),
    (
        "GAME_OVER",
        {"winner": None, "winner_id": None, "you_won": None, "reason": "A draw."},
        GameOver(None, "A draw."),
    ),
    ("ERROR", {"message": "Not your turn."}, Error("Not your turn.")),
    ("SOMETHING_NEW", None, Unknown("SOMETHING_NEW")),
]
STREAM = b"".join(
    json.dumps({"type": kind, "data": data}, ensure_ascii=False).encode() + b"\n"
    for kind, data, _ in SAID
)
HEARD = [message for _, _, message in SAID]


def test_what_a_player_says() -> None:
    said = [
        protocol.register("Zoë"),
        protocol.list_players(),
        protocol.challenge("player_2"),
        protocol.accept("player_2"),
        protocol.refuse("player_2"),
        protocol.play_move(0),
        protocol.disconnect(),
    ]
    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in said)
    assert [json.loads(line) for line in said] == [
        {"type": "REGISTER", "data": {"name": "Zoë"}},
        {"type": "LIST_PLAYERS", "data": None},
        {"type": "CHALLENGE", "data": {"opponent_id": "player_2"}},
        {"type": "CHALLENGE_ACCEPTED", "data": {"challenger_id": "player_2"}},
        {"type": "CHALLENGE_REFUSED", "data": {"challenger_id": "player_2"}},
        {"type": "PLAY_MOVE", "data": {"column": 0}},
        {"type": "DISCONNECT", "data": None},
    ]


def _heard(*pieces: bytes) -> list[Message]:
    lines = Lines()
    return [decode(line) for piece in pieces for line in lines.feed(piece)]


def test_what_the_hall_says_in_one_piece() -> None:
    assert _heard(STREAM) == HEARD


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_what_the_hall_says_in_pieces(size: int) -> None:
    assert _heard(*(STREAM[n : n + size] for n in range(0, len(STREAM), size))) == HEARD


def test_what_the_hall_says_cut_in_two_anywhere() -> None:
    for cut in range(len(STREAM)):
        assert _heard(STREAM[:cut], STREAM[cut:]) == HEARD


def test_a_line_is_there_as_soon_as_it_ends() -> None:
    lines = Lines()
    assert lines.feed(b"\n\r\none") == []
    assert lines.feed(b"\r\ntwo") == [b"one\r"]


def test_a_line_that_does_not_end_is_not_kept() -> None:
    lines = Lines()
    assert lines.feed(b"one\n" + b" " * (LINE_BYTES_MAX + 1)) == [b"one"]
    with pytest.raises(ProtocolError):
        lines.feed(b" ")


def test_fields_that_are_not_known_are_ignored() -> None:
    line = json.dumps({"type": "ERROR", "data": {"message": "No.", "code": 3}, "at": 1})
    assert decode(line.encode()) == Error("No.")


def test_nothing_in_a_text_steers_the_terminal() -> None:
    line = json.dumps({"type": "ERROR", "data": {"message": "a\x1b[2Jb\rc\nd\u202ee\ud800f"}})
    assert decode(line.encode()) == Error("a?[2Jb?c?d?e?f")
    line = json.dumps({"type": "LIST_PLAYERS", "data": {"players": [{"id": "1", "name": "\a"}]}})
    assert decode(line.encode()) == FreePlayers([Player("1", "?")])


def _line(kind: object, data: object) -> bytes:
    return json.dumps({"type": kind, "data": data}).encode()


@pytest.mark.parametrize(
    "line",
    [
        b"HTTP/1.1 400 Bad Request",
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        b"[]",
        b'{"data": {}}',
        _line(3, None),
        _line("ERROR", None),
        _line("ERROR", {"message": 3}),
        _line("REGISTER_OK", {"player_id": 1}),
        _line("LIST_PLAYERS", {"players": "Bob"}),
        _line("LIST_PLAYERS", {"players": ["Bob"]}),
        _line("LIST_PLAYERS", {"players": [{"id": "player_1"}]}),
        _line("GAME_START", {**START, "your_number": 3}),
        _line("GAME_START", {**START, "player1": None}),
        _line("GAME_UPDATE", {**UPDATE, "board": None}),
        _line("GAME_UPDATE", {**UPDATE, "board": BOARD[1:]}),
        _line("GAME_UPDATE", {**UPDATE, "board": [*BOARD, BOARD[0]]}),
        _line("GAME_UPDATE", {**UPDATE, "board": [*BOARD[1:], [0] * 6]}),
        _line("GAME_UPDATE", {**UPDATE, "board": [*BOARD[1:], [3] * 7]}),
        _line("GAME_UPDATE", {**UPDATE, "board": [*BOARD[1:], [1.0] * 7]}),
        _line("GAME_UPDATE", {**UPDATE, "board": [*BOARD[1:], [None] * 7]}),
        _line("GAME_UPDATE", {**UPDATE, "current_player": 0}),
        _line("GAME_UPDATE", {**UPDATE, "game_over": None}),
        _line("GAME_OVER", {"you_won": 3, "reason": ""}),
    ],
)
def test_what_no_hall_says(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(line)
