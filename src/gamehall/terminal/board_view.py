"""A board on the screen: a cursor for the keys, spots for the mouse, colours beside the marks."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from gamehall.terminal.boards.board import CURSOR, Board, Command, Place, Spot
from gamehall.terminal.text import centred, printable

TONES = {
    "first": "bold red",
    "second": "bold yellow",
    "winning": "bold green",
    "picked": "bold cyan",
    "called": "bold cyan",
    "hidden": "dim",
    "label": "dim",
    "big": "bold red",
    "small": "bold blue",
    "button": "bold",
}
OTHER_TONE = "magenta"


class BoardView(Widget, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1, 0)", show=False),
        Binding("down", "move(1, 0)", show=False),
        Binding("left", "move(0, -1)", show=False),
        Binding("right", "move(0, 1)", show=False),
        Binding("enter", "choose", "Choose"),
        Binding("space", "choose", show=False),
    ]
    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Chosen(Message):
        """A command was put together."""

        def __init__(self, command: Command) -> None:
            super().__init__()
            self.command = command

    def __init__(self) -> None:
        super().__init__()
        self.board = Board(())
        self.cursor: Place | None = None
        self.chosen: Place | None = None
        """The first of two spots, when the second is still to be chosen."""

    def show(self, board: Board) -> None:
        self.board = board
        if self.chosen not in board.stops():
            self.chosen = None
        self._settle()
        self.refresh(layout=True)

    def _settle(self) -> None:
        """The cursor stays where it is, or goes to the nearest place where it may be."""
        stops = self.board.stops(self.chosen)
        if not stops:
            return
        at = self.cursor
        if at is None:
            self.cursor = (
                stops[len(stops) // 2] if len({row for row, _ in stops}) == 1 else stops[0]
            )
        elif at not in stops:
            self.cursor = min(stops, key=lambda stop: _distance(stop, at))

    # Keys and mouse

    def action_move(self, down: int, right: int) -> None:
        at = self.cursor
        if at is None:
            return
        ahead = [
            stop
            for stop in self.board.stops(self.chosen)
            if (stop[0] - at[0]) * down + (stop[1] - at[1]) * right > 0
        ]
        if not ahead:
            return
        # Aside counts more than ahead: along the row or column first.
        self.cursor = min(
            ahead,
            key=lambda stop: (
                abs(stop[0] - at[0]) * (1 if down else 8)
                + abs(stop[1] - at[1]) * (1 if right else 8)
            ),
        )
        self._scroll_to_cursor()
        self.refresh()

    def action_choose(self) -> None:
        if self.cursor is not None:
            self._choose(self.cursor)

    def unchoose(self) -> None:
        self.chosen = None
        self._settle()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        for place, region in self._regions().items():
            if region.contains(event.x, event.y):
                self._choose(place)

    def _choose(self, place: Place) -> None:
        board = self.board
        if self.chosen is not None and (self.chosen, place) in board.moves:
            command = board.moves[self.chosen, place]
            self.chosen = None
            self.post_message(self.Chosen(command))
        elif any(source == place for source, _ in board.moves):
            self.chosen = None if self.chosen == place else place
            self.cursor = place
            self._settle()
        elif place in self._regions():
            command_there = board.spot(place).command
            if command_there is not None:
                self.post_message(self.Chosen(command_there))
        self.refresh()

    def _scroll_to_cursor(self) -> None:
        region = None if self.cursor is None else self._regions().get(self.cursor)
        if region is not None and isinstance(self.parent, Widget):
            self.parent.scroll_to_region(region.translate(self.virtual_region.offset))

    # Drawing

    def _regions(self) -> dict[Place, Region]:
        wide, tall = 2 * self.board.wide + 2, self.board.tall + 1
        regions = {}
        for row, widths in enumerate(self.board.widths()):
            x = 0
            for column, width in enumerate(widths):
                regions[row, column] = Region(x, row * tall, width + wide, 1)
                x += width + wide
        return regions

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return max((region.right for region in self._regions().values()), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        rows = len(self.board.rows)
        return rows + max(0, rows - 1) * self.board.tall

    def render(self) -> Text:
        aside, between = " " * self.board.wide, "\n" * self.board.tall
        lines = Text(f"\n{between}", no_wrap=True).join(
            Text.assemble(
                *(
                    self._spot(spot, (row, column), width, aside)
                    for column, (spot, width) in enumerate(zip(spots, widths, strict=True))
                )
            )
            for row, (spots, widths) in enumerate(
                zip(self.board.rows, self.board.widths(), strict=True)
            )
        )
        lines.no_wrap = True
        return lines

    def _spot(self, spot: Spot, at: Place, width: int, aside: str) -> Text:
        style = TONES.get(spot.tone, OTHER_TONE if spot.tone else "")
        around = spot.around
        under_cursor = at == self.cursor and at in self.board.stops(self.chosen)
        if under_cursor or at == self.chosen:
            around = CURSOR
        if under_cursor:
            style = f"{style} reverse"
        text = around[0] + centred(printable(spot.text), width) + around[1]
        return Text.assemble(aside, (text, style), aside)


def _distance(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
