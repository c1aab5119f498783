"""The judge of games: what holds for rules whatever they are of, found out by seeded random play.

Checks are pure, those of a kind in one file; `judge` plays and asks them. `gamehall check` shows
what it found.
"""
