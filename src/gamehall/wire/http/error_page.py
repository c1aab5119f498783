"""What a person sees in place of a page that is not there."""

from __future__ import annotations

import base64
import hashlib
from html import escape

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 40rem; padding: 3rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { letter-spacing: -0.02em; }
""".strip()
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

ERROR_PAGE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""It stands alone: the real page's files may be what is missing."""


def error_page(title: str, message: str) -> str:
    """A page that says what went wrong, and leads back."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1><p>{escape(message)}</p>"
        '<p><a href="/">To the hall</a></p></main></body></html>\n'
    )
