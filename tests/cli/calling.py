"""The command line, called within the test's own process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamehall.__main__ import main


def exit_code(*words: object, **options: object) -> int:
    """The exit code of `gamehall WORDS --OPTION=VALUE …`."""
    with pytest.raises(SystemExit) as end:
        main([*map(str, words), *_written(options)])
    assert isinstance(end.value.code, int)
    return end.value.code


def _written(options: dict[str, object]) -> Iterator[str]:
    for name, value in options.items():
        flag = name.replace("_", "-")
        match value:
            case bool():
                yield f"--{flag}" if value else f"--no-{flag}"
            case tuple():
                yield from (f"--{flag}={each}" for each in value)
            case _:
                yield f"--{flag}={value}"
