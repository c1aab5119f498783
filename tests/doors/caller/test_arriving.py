"""The first line: a name, and who one is from then on."""

from __future__ import annotations

import pytest

from tests.doors.caller.halls import Visitors
from tests.doors.caller.playing import CAN_START, UNKNOWN

SETTINGS = ("limits.hello_seconds=5",)
BAD_NAME = "A name has 1 to 32 printable characters. Send your name again, or another one."


async def test_the_first_line_is_the_name(at: Visitors) -> None:
    anna = await at.stranger()
    anna.say("anna")
    await anna.message(CAN_START)
    assert anna.lines == ["MSG|Connected as anna", f"MSG|{CAN_START}"]


async def test_a_name_in_use_gets_a_number(at: Visitors) -> None:
    await at.caller("anna")
    for number in (2, 3):
        other = await at.stranger()
        assert await other.answer("anna") == f"Connected as anna{number} (anna is in use)"
    native = await at.native("nora")
    other = await at.stranger()
    assert await other.answer("nora") == "Connected as nora2 (nora is in use)"
    await native.ask("register", name="nora", password="a long secret")
    await native.ask("logout")
    other = await at.stranger()
    assert "(nora is in use)" in await other.answer("nora")


@pytest.mark.parametrize("name", ["x" * 33, "a\tb", "a\x00b", "tab\x7f", "\u200b"])
async def test_a_bad_name_is_refused_and_another_may_follow(at: Visitors, name: str) -> None:
    anna = await at.stranger()
    assert await anna.answer(name) == BAD_NAME
    assert await anna.answer("anna") == "Connected as anna"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("x" * 32, "x" * 32),
        ("  Åse  Ö ", "Åse  Ö"),
        ("王小明 🎲", "王小明 🎲"),
        ("a|b||", "a/b//"),
        ("NEW_CARD|[]", "NEW_CARD/[]"),
        ("READY", "READY"),
        ("/start", "/start"),
    ],
)
async def test_names_of_all_kinds(at: Visitors, name: str, shown: str) -> None:
    anna = await at.stranger()
    assert await anna.answer(name) == f"Connected as {shown}"


async def test_however_lines_are_cut_and_ended(at: Visitors) -> None:
    anna = await at.stranger()
    for byte in b"\r\n \n\nan\xc3\xa4\r\n\n/sta":
        anna.write(bytes([byte]))
    await anna.message("Connected as anä")
    await anna.message(CAN_START)
    assert anna.dealt == [], "half a line is no line"
    anna.write(b"rt\r\n")
    await anna.new_card()


async def test_everything_may_come_in_one_piece(at: Visitors) -> None:
    anna = await at.stranger()
    anna.write(b"anna\n/start\nwhat?\n/quit\nREADY\n/start\n")
    await anna.end()
    assert anna.messages == ["Connected as anna", CAN_START, UNKNOWN, "Goodbye."]
    other = await at.caller("other")
    assert other.messages[-1] == CAN_START, "nothing after /quit counts"


async def test_quitting_without_a_name(at: Visitors) -> None:
    stranger = await at.stranger()
    stranger.say("/quit")
    await stranger.end()
    assert stranger.lines == ["MSG|Goodbye."]


async def test_who_never_says_a_name_is_sent_away(at: Visitors) -> None:
    silent, half, named = await at.stranger(), await at.stranger(), await at.caller("anna")
    half.write(b"anna without an end")
    for nobody in (silent, half):
        await nobody.end()
        assert nobody.messages == ["Nobody has said hello within 5 seconds."]
    assert await named.answer("still here?") == UNKNOWN


async def test_players_are_guests_of_the_hall(at: Visitors) -> None:
    anna = await at.stranger()
    await anna.answer("anna|pipe")
    native = await at.native("nora")
    players = (await native.ask("list_players"))["players"]
    assert ("anna|pipe", "busy") in [(p["name"], p["status"]) for p in players]
    (table,) = (await native.ask("list_tables", game="bingo"))["tables"]
    assert table["status"] == "playing"
    assert "anna|pipe" in table["names"]
