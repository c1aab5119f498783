"""Planted bugs that take hundreds of stories to be found."""

from __future__ import annotations

RARE = ("wish_lost_with_the_lead",)
