"""Texts for a terminal: what strangers wrote, made harmless; widths; numbers and times."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

_PLAIN = str.maketrans({"●": "X", "○": "O", "★": "*", "·": ".", "▶": ">", "—": "-"})


def printable(text: str) -> str:
    """Text of strangers without what could steer the terminal."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def width_of(text: str) -> int:
    """How many columns of a terminal it takes."""
    return sum(
        2 if east_asian_width(sign) in "WF" else 0 if combining(sign) else 1 for sign in text
    )


def centred(text: str, width: int) -> str:
    left = (width - width_of(text) + 1) // 2
    return " " * left + text + " " * (width - width_of(text) - left)


def spoken(text: str) -> str:
    """The same in signs that every screen reader and every encoding has."""
    return text.translate(_PLAIN)


def seconds_left(due_ms: float, now_ms: float) -> str:
    """As `12 s` or `2:05`."""
    seconds = max(0, round((due_ms - now_ms) / 1000))
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60}:{seconds % 60:02}"


def listed(names: list[str]) -> str:
    """As `Ann, Bob and Cid`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
