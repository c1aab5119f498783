"""The judge of games: what holds for rules whatever they are of, found out by seeded random play.

One file for each kind of check, all pure; `judge` plays and asks them. `gamehall check` shows what
it found.
"""
