"""What hosts of the repository read: workflows, templates and hooks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("github-workflows", ".github/workflows/ci.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/bug.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/idea.yml"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
    ],
)
def test_files_of_the_host_pass_its_schema(schema: str, path: str) -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run(
        [*check, path], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_host_runs_what_everyone_runs() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "run: .ci/run" in workflow
    oldest = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    image = re.search(r"ARG BASE=python:([\d.]+)", (ROOT / "Dockerfile").read_text())
    assert oldest is not None
    assert image is not None
    assert f'python: ["{oldest[1]}", "{image[1]}"]' in workflow


@pytest.mark.parametrize("tool", ["ruff check", "ruff format", "mypy", "run --silent"])
def test_a_commit_is_checked_by_the_tools_of_make_check(tool: str) -> None:
    assert tool in (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert tool in (ROOT / "Makefile").read_text(encoding="utf-8")
