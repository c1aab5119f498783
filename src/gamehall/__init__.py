"""Gamehall: an open game hall."""

from importlib.metadata import version

__version__ = version("gamehall")
