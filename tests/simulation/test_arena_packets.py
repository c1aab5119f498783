"""What a portal sends has to be whole packets, and the first of them answers the registration."""

from __future__ import annotations

import struct

import pytest

from gamehall.simulation.checker.doors.arena_packets import as_message, said

CREATE = struct.pack("<5i", 1, 1000, 7, 8, 3) + b"key"


def test_packets_are_read() -> None:
    created = said("create", match=1000, uid1=7, uid2=8, key="key")
    assert as_message(CREATE, registered=True) == created
    assert as_message(struct.pack("<i", 1), registered=False) == said("accepted")
    asked = struct.pack("<2i", 3, 1000)
    assert as_message(asked, registered=True) == said("ask_status", match=1000)
    refused = struct.pack("<2i", 0, 2) + b"no"
    assert as_message(refused, registered=False) == said("rejected", error="no")


@pytest.mark.parametrize(
    ("data", "registered"),
    [
        (CREATE, False),
        (CREATE + b"x", True),
        (CREATE[:-1], True),
        (struct.pack("<3i", 3, 1000, 1), True),
        (struct.pack("<2i", 2, 1000), True),
    ],
)
def test_others_are_none(data: bytes, registered: bool) -> None:
    with pytest.raises(AssertionError, match=r"not one packet|no packet of a portal"):
        as_message(data, registered=registered)
