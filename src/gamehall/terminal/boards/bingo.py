"""Called Bingo: one's card, the numbers called, and what one can say."""

from __future__ import annotations

from typing import Any

from gamehall.terminal.boards.board import BARE, PICKED, WINNING, Board, Command, Spot

LETTERS = "BINGO"
COLUMN = 15
RECENT = 10
WORDS: dict[str, Command] = {
    "ready": {"type": "ready"},
    "bingo": {"type": "claim"},
    "start": {"type": "start"},
}


def bingo_board(view: dict[str, Any]) -> Board:
    seen = view["view"]
    called: list[int] = seen["called"]
    card: list[list[int]] | None = seen["card"]
    seated = view["seat"] is not None
    waited_for = any(each["type"] == "ready" for each in view["legal"])
    words: tuple[str, ...] = ()
    if seated and not seen["playing"]:
        words = ("start",)
    elif seated and card is not None:
        words = ("ready", "bingo")
    # The key is the first letter, which is told by the footer too.
    buttons = tuple(
        Spot(
            word.upper(),
            "button",
            WORDS[word],
            around=WINNING if word == "ready" and waited_for else BARE,
        )
        for word in words
    )
    rows = () if card is None else _card(card, set(called))
    return Board(
        (*rows, (), buttons) if buttons else rows,
        above=(_state(seen, card, seated), ""),
        below=("", *_called(called)),
        keys={word[0]: WORDS[word] for word in words},
        hint=", ".join(words),
        read=WORDS.get,
        wide=1,
        news=(view["round"], seen["playing"], tuple(called)),
    )


def _state(seen: dict[str, Any], card: list[list[int]] | None, seated: bool) -> str:
    if not seen["playing"]:
        return "No round is on. Anyone at the table can START one." if seated else "No round is on."
    count = f"{seen['players']} in the round, {seen['ready']} ready."
    if card is None and seated:
        return f"A round is on; you are dealt in at the next. {count}"
    if not seen["called"]:
        return f"The cards are dealt. {count}"
    return f"Called: {name_of(seen['called'][-1])}. {count}"


def name_of(number: int) -> str:
    """As it is called: `B 7`."""
    return f"{LETTERS[(number - 1) // COLUMN]} {number}"


def _card(columns: list[list[int]], called: set[int]) -> tuple[tuple[Spot, ...], ...]:
    head = tuple(Spot(letter, "label") for letter in LETTERS)
    rows = zip(*columns, strict=True)
    return (
        head,
        *(
            tuple(
                Spot(str(n or "★"), "picked", around=PICKED)
                if not n or n in called
                else Spot(str(n))
                for n in row
            )
            for row in rows
        ),
    )


def _called(called: list[int]) -> tuple[str, ...]:
    if not called:
        return ()
    recent = ", ".join(name_of(n) for n in called[: -RECENT - 1 : -1])
    return (f"Called so far: {len(called)} of 75. The last first:", recent)
