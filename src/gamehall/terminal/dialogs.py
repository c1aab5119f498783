"""What screens have in common, and small windows that ask: one of several, or a line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList, RichLog, Static

from gamehall.terminal.text import printable

if TYPE_CHECKING:
    from gamehall.terminal.app import HallApp


class Room(Screen[None]):
    """The hall or a table: a title, a log, and why something was not done. `sync` draws it anew."""

    DEFAULT_CSS = """
    Room #title { height: 1; background: $primary; color: $text; padding: 0 1; }
    Room #log { background: transparent; scrollbar-size: 1 1; }
    Room #refusal { height: auto; max-height: 2; padding: 0 1; color: $error; }
    """

    @property
    def hall(self) -> HallApp:
        app: Any = self.app
        return app  # type: ignore[no-any-return]

    def on_mount(self) -> None:
        self.query_one("#log", RichLog).can_focus = False
        self.refuse("")
        self.sync()

    def sync(self) -> None:
        """Draws what has changed."""
        if self.query("#title"):  # Else it is not composed yet, or closed already.
            self.draw()
            self.refresh_bindings()

    def draw(self) -> None:
        raise NotImplementedError

    def refuse(self, sentence: str) -> None:
        """Why something was not done; an empty one forgets the last."""
        self.put("#refusal", f"! {printable(sentence)}" if sentence else "")
        self.query_one("#refusal").display = bool(sentence)

    def put(self, selector: str, text: str) -> None:
        self.query_one(selector, Static).update(Text(text))


class Dialog(ModalScreen[str | None]):
    """Escape is None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]
    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > Vertical {
        width: 56; height: auto; max-height: 90%; border: round $primary; padding: 0 1;
        background: $surface;
    }
    Dialog OptionList, Dialog OptionList:focus {
        height: auto; max-height: 14; border: none; padding: 0;
    }
    Dialog Input { margin: 1 0 0 0; }
    """

    def __init__(self, title: str, asked: Widget, keys: str) -> None:
        super().__init__()
        self._parts = (Static(Text(title, "bold")), asked, Static(Text(keys, "dim")))

    def compose(self) -> ComposeResult:
        yield Vertical(*self._parts)


class Menu(Dialog):
    """The key of the choice."""

    def __init__(self, title: str, choices: dict[str, str]) -> None:
        options = OptionList(*(Text(choice) for choice in choices.values()))
        super().__init__(title, options, "Enter: choose   Escape: back")
        self._keys = list(choices)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._keys[event.option_index])


class Question(Dialog):
    """The line that was typed; Enter alone gives the default."""

    def __init__(self, title: str, default: str = "") -> None:
        typed = Input(placeholder=default, compact=True)
        super().__init__(title, typed, f"Enter: {default or 'go on'}   Escape: back")
        self._default = default

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or self._default)
