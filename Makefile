PYTHON ?= python3
BIN := .venv/bin
# Node is the one that PyPI carries; whether the machine has another does not matter.
NPM_IN = cd $(1) && PATH="$(CURDIR)/$(BIN):$$PATH" npm --no-fund --no-audit --loglevel=error
NPM := $(call NPM_IN,web)
PAGE := src/gamehall/page/index.html
# Where binaries are built.
DIST := dist
BUILD := build
# Bytecode is kept even where the machine's habit is another: each of six test workers would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help

# Lists what can be made.
.PHONY: help
help:
	@awk '/^# /{c=substr($$0,3)} /^[a-z-]+:/{sub(":.*","",$$1); if (c) printf "make %-12s %s\n",$$1,c; c=""}' Makefile

# Stamped, so that it runs again only when the lock changes.
.venv/.installed: pyproject.toml uv.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Gamehall needs Python 3.11 or newer; name one with: make PYTHON=python3.12 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.7
	$(BIN)/uv sync --frozen --inexact --quiet --extra solver --extra cluster --python $(BIN)/python
	touch $@

web/node_modules/.installed: web/package-lock.json | .venv/.installed
	$(NPM) ci
	touch $@

# With the folders, so that a file that is gone counts as a change too.
$(PAGE): $(shell find web/src) web/index.html web/vite.config.ts web/node_modules/.installed
	$(NPM) run --silent build -- --logLevel=warn

# Installs everything into .venv, and builds the page.
.PHONY: setup
setup: .venv/.installed $(PAGE)

# Starts the hall; the page is at http://127.0.0.1:8000.
.PHONY: run
run: setup
	$(BIN)/gamehall serve

# Lint, types and every test that is not slow by nature.
.PHONY: test
test: check
	$(BIN)/python -m pytest -m "not slow"

# Should the recipe's shell be killed, the loops see it and end too.
# As test, beside two endless loops: on a machine that is busy with much else.
.PHONY: test-busy
test-busy: setup
	@busy() { while kill -0 $$$$ 2>/dev/null; do :; done; }; \
	trap 'kill $$loops' EXIT; trap 'exit 130' INT TERM HUP; \
	busy & loops=$$!; busy & loops="$$loops $$!"; \
	$(MAKE) test

# Lint, format and types only.
.PHONY: check
check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(NPM) run --silent check

# Everything, with what is slow by nature.
.PHONY: test-all
test-all: check
	$(BIN)/python -m pytest

# Plays real halls with faults: make faults NODES=1 MINUTES=10 SEED=1.
.PHONY: faults
faults: setup
	$(BIN)/python -m tests.faults --nodes $(or $(NODES),1) --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

# Plays at every door for MINUTES, and fails if memory, files, tasks or tables keep growing.
.PHONY: soak
soak: MINUTES ?= 60
soak: setup
	$(BIN)/python -m tests.soak $(MINUTES)

# Writes the page's message types anew, from the server's.
.PHONY: types
types: .venv/.installed web/node_modules/.installed
	$(NPM) run --silent types

# Formats the code.
.PHONY: format
format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run --silent format

# Takes the pictures of the README anew, from a hall that really runs.
.PHONY: screenshots
screenshots: setup
	PYTHONPATH=. $(BIN)/python web/screenshots.py

bench/peers/node_modules/.installed: bench/peers/package-lock.json | .venv/.installed
	$(call NPM_IN,bench/peers) ci
	touch $@

# Measures the hall beside its peers and writes bench/results: make bench OPTIONS="--passes 5".
.PHONY: bench
bench: setup bench/peers/node_modules/.installed
	PYTHONPATH=. $(BIN)/python bench/compare.py $(OPTIONS)

# As bench, in three minutes, beside the bare sketches; fails if a kept ratio has fallen by a fifth.
.PHONY: bench-quick
bench-quick: setup
	PYTHONPATH=. $(BIN)/python bench/compare.py --quick $(OPTIONS)

# Measures how cost grows with tables, spectators, players and rows: make bench-growth OPTIONS=--quick.
.PHONY: bench-growth
bench-growth: setup
	PYTHONPATH=. $(BIN)/python bench/growth.py $(OPTIONS)

# Builds dist/gamehall and dist/gamehall-play: server and client as one file each.
.PHONY: binaries
binaries: setup
	$(BIN)/pyinstaller --noconfirm --log-level=WARN --distpath=$(DIST) --workpath=$(BUILD) packaging/gamehall.spec
