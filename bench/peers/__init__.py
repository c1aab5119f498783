"""Servers of the same game by others, and bare sketches: what the hall is measured beside."""
