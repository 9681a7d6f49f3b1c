# Needs git, make and Python 3.11 or newer; everything else goes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test bounds setup bench arena train attack lint catalog lock vendor page-check pictures wheel clean
.DEFAULT_GOAL := run

# What hints of these games need is compiled while most packages are still on their way.
run: HINTS := kirin aqua-regia king alchemy
run: $(VENV)/.runtime
	$(BIN)/athanor serve $(SERVE)

# Three files of tests at a time, since many wait for a browser or a service; make test WORKERS=0 runs one by one.
WORKERS := 3
test: $(VENV)/.development
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 1

# Small cases with kernels that refuse a place outside an array, compiled so from nothing: some minutes.
bounds: $(VENV)/.development
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile \
	  -m "small and not plain"

setup: $(VENV)/.development

bench: $(VENV)/.development
	$(BIN)/python -m benchmarks.kernels
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-columns=min,median,rounds
	$(BIN)/python -m benchmarks.guard

# Takes long; goes on where it was stopped. See python -m benchmarks.arena --help for other players and times.
ARENA := kirin
arena: $(VENV)/.development
	$(BIN)/python -m benchmarks.arena $(ARENA) --one hint:0.05 --one hint:0.2 --one hint:1 \
	  --against random --against greedy --against rule --file arena.jsonl

# Train a game's networks as those in the package were trained; python -m training GAME --help tells the options.
# training/runs/ has what was learned. Installs PyTorch and SciPy, which nothing else needs.
GAME := kirin
train: $(VENV)/.development
	$(BIN)/python -c 'import scipy, torch' 2>/dev/null || $(BIN)/python -m pip install --quiet 'scipy>=1.14' 'torch>=2.6'
	$(BIN)/python -m training $(GAME)

# Strange requests to a service of its own; python -m tests.attack --help tells how to repeat one of them.
MINUTES := 30
attack: $(VENV)/.development
	$(BIN)/python -m tests.attack --minutes $(MINUTES)

lint: $(VENV)/.development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Athanor needs Python 3.11 or newer: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

# Without compiling all that is installed, most of which is never imported: that takes longer than all the rest.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# The packages that kernels are compiled with. They are installed by themselves, beside all others, which takes half as
# long. With them HINTS are compiled, until the pipe closes because the others are there.
COMPILING := annotated-types|llvmlite|numba|numpy|platformdirs|pydantic|pydantic-core|typing-extensions|typing-inspection
$(VENV)/.runtime: requirements.txt pyproject.toml | $(VENV)/bin/python
	@rm -f $(VENV)/.compiling $(VENV)/.others
	@awk '/^[a-z]/ { found = /^($(COMPILING))==/ } found' requirements.txt > $(VENV)/compiling.txt
	@awk '/^[a-z]/ { found = /^($(COMPILING))==/ } !found' requirements.txt > $(VENV)/others.txt
	{ $(PIP) --no-deps --require-hashes -r $(VENV)/others.txt && \
	  $(PIP) --no-deps --no-build-isolation -e . && touch $(VENV)/.others; } >&2 | \
	{ $(PIP) --no-deps --require-hashes -r $(VENV)/compiling.txt >&2 && touch $(VENV)/.compiling && \
	  if [ -n "$(HINTS)" ]; then $(BIN)/python -m api.compiling --hints $(HINTS); fi; } > /dev/null || true
	@test -f $(VENV)/.compiling && test -f $(VENV)/.others
	@touch $@

# What developers need besides, whatever else is installed: make -j2 setup installs both at once.
$(VENV)/.tools: requirements-dev.txt requirements.txt | $(VENV)/bin/python
	@awk 'NR == FNR { runtime[$$0]; next } /^[a-z]/ { found = !($$0 in runtime) } found' \
	  requirements.txt requirements-dev.txt > $(VENV)/tools.txt
	$(PIP) --no-deps --require-hashes -r $(VENV)/tools.txt
	@touch $@

$(VENV)/.development: $(VENV)/.runtime $(VENV)/.tools
	@touch $@

# A wheel with the compiled kernels of all games, for this Python, this system, and processors from about 2015 on.
wheel: $(VENV)/.runtime
	rm -rf build dist
	$(BIN)/python -m api.wheel_kernels build/kernels
	ATHANOR_KERNELS=build/kernels $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --wheel-dir dist .
	@ls dist

# Bring the catalogs of translations up to date with the source; what is new is to be translated by hand.
catalog: $(VENV)/.development
	$(BIN)/python -m tests.catalog

# Renew the pinned requirements from pyproject.toml (needs uv).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  pyproject.toml --extra build -o requirements.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  pyproject.toml --extra build --group dev -o requirements-dev.txt

# The page needs Node only where it is changed: its libraries are in the repository.
page/node_modules/.package-lock.json: page/package.json page/package-lock.json
	cd page && npm ci --ignore-scripts
	@touch $@

# Renew the page's libraries from what page/package-lock.json names.
vendor: page/node_modules/.package-lock.json
	cd page && node vendor.js

# Types, lint and unit tests of the page.
page-check: page/node_modules/.package-lock.json
	cd page && npm run --silent check

# Renew the pictures of the page in the documentation (needs Chromium).
pictures: $(VENV)/.development
	$(BIN)/python -m tests.page.pictures

clean:
	rm -rf $(VENV) build dist *.egg-info
