"""People at the page: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

from tests.support.debian import find_program
from tests.support.processes import HallProcess

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
WANTED = (
    f"the page's tests need a browser, one of {', '.join(PROGRAMS)}: install one, on Debian with: "
    "apt-get install chromium"
)
LOOK_MS = 60_000
"""How long to wait for something to be seen or to take a click."""
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # Nothing that the browser does by itself gets beyond this machine either.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# The console is listened to anyway.
SAY_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`forbidden by ${event.effectiveDirective}: ${event.blockedURI}`));
"""


def launch(playwright: Playwright) -> Browser:
    """Chromium. Fails if there is none and it cannot be installed."""
    # Root has no sandbox.
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    chromium = find_program(PROGRAMS, ["chromium"], WANTED)
    return playwright.chromium.launch(executable_path=chromium, args=flags)


class People:
    """Opens the page for one person after another, and hears what their browsers complain of:
    errors on the console, exceptions, what the Content-Security-Policy forbids, and requests to
    any other host."""

    def __init__(self, browser: Browser, hall: HallProcess) -> None:
        self.complaints: list[str] = []
        self._browser = browser
        self._hall = hall
        self._contexts: list[BrowserContext] = []
        self._forgiven: list[str] = []

    def new_person(
        self,
        name: str | None = None,
        *,
        at: HallProcess | None = None,
        path: str = "/",
        **context: Any,
    ) -> Page:
        """The page as someone sees it who has never been there, in the hall `at`.

        With a `name` they have chosen it before. `context` is as for Playwright's `new_context`:
        `viewport`, `locale`, `color_scheme`, `has_touch`…
        """
        hall = at or self._hall
        kept = [] if name is None else [{"name": "gamehall.name", "value": name}]
        origin = {"origin": hall.web_url, "localStorage": kept}
        person = self._browser.new_context(
            **{"storage_state": {"cookies": [], "origins": [origin]}, **context}
        )
        self._contexts.append(person)
        person.set_default_timeout(LOOK_MS)
        person.add_init_script(SAY_VIOLATIONS)
        self._listen(person, name or "someone", hall)
        page = person.new_page()
        page.goto(hall.web_url + path)
        return page

    def forgive(self, pattern: str) -> None:
        """Complaints that the test brings about, as when it kills the hall."""
        self._forgiven.append(pattern)

    def leave(self) -> None:
        """Closes everyone's browser. Fails if one had a reason to complain."""
        for person in self._contexts:
            person.close()
        self._contexts.clear()
        left = [
            complaint
            for complaint in self.complaints
            if not any(re.search(pattern, complaint) for pattern in self._forgiven)
        ]
        assert not left, "\n".join(left)

    def _listen(self, person: BrowserContext, name: str, hall: HallProcess) -> None:
        own = (f"{hall.web_url}/", hall.ws_url, "data:", "blob:")

        def complain(what: str, text: str) -> None:
            self.complaints.append(f"{name}: {what}: {text}")

        def hear(message: ConsoleMessage) -> None:
            if message.type == "error":
                complain("console", message.text)

        def check(url: str) -> None:
            if not url.startswith(own):
                complain("asks another host", url)

        person.on("console", hear)
        person.on("weberror", lambda error: complain("exception", str(error.error)))
        person.on("request", lambda request: check(request.url))
        person.on("page", lambda page: page.on("websocket", lambda socket: check(socket.url)))
