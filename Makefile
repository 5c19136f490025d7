# Everything runs in .venv, which the goals make and keep up to date themselves.
# Variables: PYTHON (3.11 or newer), PORT and ARGS (for serve), ARGS (for test, build and bench),
# WORKERS (processes for test), KILLS, TASK_KILLS and ARGS (for the chaos goals), SECONDS, TARGETS
# and EXAMPLES (for the fuzz goals).

PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell command -v $(name))))
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# uv needs an eighth of pip's time, but goes by none of pip's settings: where it fails, pip is asked.
EXTRAS := catalogue,emulators,providers,server,speech
define INSTALL
@$(PIP) install -c constraints.txt uv
@$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '$(1)' || { \
  echo "uv could not install it; pip tries ..."; $(PIP) install -c constraints.txt -e '$(1)'; }
endef
ARGS ?=
KILLS ?= 300
TASK_KILLS ?= 100
# One more than CI has cores: a third of the time a test waits; a fourth process made it slower.
WORKERS ?= 3
PORT ?=
# Of the fuzz goals: seconds for each parser, which of them, and requests for each operation.
SECONDS ?= 60
TARGETS ?=
EXAMPLES ?= 25
# Each of hundreds of processes would compile our modules for itself.
unexport PYTHONDONTWRITEBYTECODE
COMMITTED = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || echo 1580601600))
LINT := $(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy \
  && $(BIN)/basedpyright --project tests/typing --pythonpath $(BIN)/python
# Databases of tests are in memory where there is room: a sixth of their time went into the disk.
# Everybody may enter the folder, as PostgreSQL runs as a user of its own.
IN_MEMORY = room=$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 }'); \
  if test "$${room:-0}" -gt 8000000 && shm=$$(mktemp -d /dev/shm/antiphon.XXXXXX); then \
    chmod 1777 "$$shm"; export TMPDIR="$$shm"; trap 'rm -rf "$$shm"' EXIT; fi
# What fails beside two other processes is tried once more, alone. It is told either way: a test that
# passes only then is to be mended.
SECOND_TRY = echo "== Once more, alone: what failed"; \
  $(BIN)/pytest --last-failed --last-failed-no-failures none -n 0 --maxfail 10 $(ARGS) && \
  { echo "== FLAKY: what is named above failed at first and passed alone"; status=0; }
QUICK := tests/contracts tests/policy tests/registry tests/storage tests/orchestrator tests/testing \
  tests/test_architecture.py tests/test_vocabulary.py tests/test_public_names.py tests/test_config.py

.DEFAULT_GOAL := help
.PHONY: help serve test test-thorough check test-postgres lint bench build docs console console-icons console-types console-pictures console-tasks console-check chaos-ledger chaos-tasks clean

help:
	@echo "make serve   build the tool registry and start the server (PORT=8080, ARGS=...)"
	@echo "make test    run what CI runs: formatting, lint, types, tests (ARGS=... for pytest)"
	@echo "make test-postgres"
	@echo "             only the tests that need PostgreSQL; starts the servers (ARGS=... for pytest)"
	@echo "make test-versions"
	@echo "             the tests of core and façade on each Python from 3.11 to 3.14 that is here"
	@echo "make test-thorough"
	@echo "             all tests with four times the examples of each property, and the long cases"
	@echo "make check   the quick half of it, in about two minutes: lint, types and unit tests"
	@echo "make lint    formatting, lint and types only"
	@echo "make build   compile the tool directories (ARGS=... as for antiphon build)"
	@echo "make docs    build the documentation site into site/ (ARGS=... for mkdocs build)"
	@echo "make console type check, test and build the web console into src/antiphon/console/static"
	@echo "make console-check"
	@echo "             check that what is built there is what web/ makes, and run its tests"
	@echo "make console-pictures"
	@echo "             write anew how the gallery has to look, and the pictures of docs/console.md"
	@echo "make console-tasks"
	@echo "             what a new user does in the console, task by task, in a browser (ARGS=... for pytest)"
	@echo "make console-licenses"
	@echo "             write the licences of the packages that the built console contains"
	@echo "make dist    build the sdist and the wheel into dist/; the same commit gives the same bytes"
	@echo "make sbom    write the bill of materials (CycloneDX) of antiphon[all] into dist/"
	@echo "make public-api"
	@echo "             write the list of public names; what goes or changes must be in CHANGELOG.md"
	@echo "make contract-changelog OLD=v0.1.0"
	@echo "             what changed in the contracts of the tools since then, breaking changes marked"
	@echo "             (OLD: a revision or an artifact; ARGS=--json)"
	@echo "make bench   run every benchmark in bench/"
	@echo "make chaos-ledger"
	@echo "             kill a process with writing tools KILLS=300 times; check that nothing is lost"
	@echo "             or done twice, nor grows over 100000 turns (ARGS=--seed=... to repeat a run)"
	@echo "make chaos-tasks"
	@echo "             kill a server during background work TASK_KILLS=100 times; everything ends once"
	@echo "make fuzz    give every parser what nobody meant it to read, SECONDS=60 each (TARGETS=... for some)"
	@echo "make fuzz-api"
	@echo "             ask every operation of a server EXAMPLES=25 times, as its OpenAPI document says and not"
	@echo "make dojo    AgentDojo with a model that obeys whatever it reads: 97 tasks, 949 pairs"
	@echo "make prove   the rules against a model of them, on every path, and against 1000 attempts; then dojo"
	@echo "make mutate  break the policy in every small way; its tests have to notice (a few minutes)"
	@echo "make clean   remove .venv and every cache; data in .antiphon stays"

serve: $(VENV)/.installed
	@$(BIN)/antiphon serve $(if $(PORT),--port $(PORT)) $(ARGS)

# Lint and types need one core; beside them the other gets what the tests need, and in CI compiles
# the tests once for all of their processes. Outside CI, tests that lack something are skipped.
test: $(VENV)/.installed-dev
	@{ $(LINT); } >$(VENV)/lint.log 2>&1 & lint=$$!; ready=0; \
	 scripts/ensure-adapters.sh & adapters=$$!; \
	 for need in postgres chromium console-tools mcp-conformance; do \
	   scripts/ensure-$$need.sh || test -z "$$CI" || ready=1; \
	 done; \
	 test -z "$$CI" || $(BIN)/pytest --collect-only -q $(ARGS) >/dev/null 2>&1 || true; \
	 wait $$adapters || test -z "$$CI" || ready=1; \
	 wait $$lint || { cat $(VENV)/lint.log; exit 1; }; cat $(VENV)/lint.log; test $$ready = 0
	@$(IN_MEMORY); $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 50 $(ARGS); \
	 status=$$?; test $$status != 1 || { $(SECOND_TRY); }; exit $$status

# What CI has no time for: every example of a property, every case that only repeats a longer way.
test-thorough: $(VENV)/.installed-dev
	THOROUGH=1 $(MAKE) test

# What can be checked in two minutes: everything but browsers, speech, servers and long runs.
check: $(VENV)/.installed-dev
	@{ $(LINT); } >$(VENV)/lint.log 2>&1 & lint=$$!; \
	 $(BIN)/pytest -q -n 2 --dist loadfile $(QUICK) $(ARGS); tests=$$?; \
	 wait $$lint || { cat $(VENV)/lint.log; exit 1; }; cat $(VENV)/lint.log; exit $$tests

# One server is Debian's, for the store; the other is a package, as it has pgvector.
test-postgres: $(VENV)/.installed-dev
	@scripts/ensure-postgres.sh
	CI=true $(BIN)/pytest -q tests/storage tests/tasks tests/knowledge/test_postgres.py tests/knowledge/test_postgres_same.py $(ARGS)

lint: $(VENV)/.installed-dev
	$(LINT)

# The build is committed, so that nobody needs Node to use the product.
console: $(VENV)/.installed
	@scripts/ensure-console-tools.sh
	$(BIN)/python scripts/console_types.py --check
	cd web && npm run --silent test && npm run --silent build

# The types of what the server tells the console, from antiphon.contracts.
console-types: $(VENV)/.installed
	$(BIN)/python scripts/console_types.py

# The pictures of the installed console, from web/public/icon.svg.
console-icons: $(VENV)/.installed-dev
	$(BIN)/python scripts/console_icons.py

# What the gallery has to look like, and the pictures of docs/console.md: look at them before you commit them.
console-pictures: $(VENV)/.installed-dev
	@scripts/ensure-chromium.sh
	CI=true CONSOLE_PICTURES=write $(BIN)/pytest -q -n0 tests/console/test_pictures.py $(ARGS)

# CI does four of these; the others take longer than it has.
console-tasks: $(VENV)/.installed-dev
	@scripts/ensure-chromium.sh
	CI=true THOROUGH=1 $(BIN)/pytest -q -n0 tests/console/test_new_user.py $(ARGS)

console-check: $(VENV)/.installed-dev
	@scripts/ensure-console-tools.sh
	CI=true $(BIN)/pytest -q tests/console/test_build.py $(ARGS)

# The short versions of both are among the tests. Nothing else needs atheris, which is for Linux.
fuzz: $(VENV)/.installed-dev
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(PIP) install 'atheris>=3,<4'
	@nice $(BIN)/python -W ignore -m tests.fuzz.coverage_guided $(SECONDS) $(TARGETS)

fuzz-api: $(VENV)/.installed-dev
	FUZZ_EXAMPLES=$(EXAMPLES) $(BIN)/pytest -q -n0 -s --timeout 3600 tests/fuzz/test_api.py $(ARGS)

.PHONY: fuzz fuzz-api console-licenses dist sbom public-api contract-changelog test-versions

console-licenses:
	@scripts/ensure-console-tools.sh
	$(PYTHON) scripts/console_licenses.py

# Dates inside are those of the commit, so that a second build gives the same bytes. The builder is
# the pinned one of $(VENV): another version of it writes its own name.
dist: $(VENV)/.installed-dev
	@$(BIN)/python -m scripts.public_api --check
	@rm -f dist/antiphon-*.whl dist/antiphon-*.tar.gz
	SOURCE_DATE_EPOCH=$(COMMITTED) $(BIN)/python -m hatchling build -d dist
	@cd dist && sha256sum antiphon-*.whl antiphon-*.tar.gz

sbom: $(VENV)/.installed-dev
	SOURCE_DATE_EPOCH=$(COMMITTED) $(BIN)/python -m scripts.sbom

public-api: $(VENV)/.installed-dev
	$(BIN)/python -m scripts.public_api

test-versions: $(VENV)/.installed-dev
	@scripts/test-versions.sh $(ARGS)

# What changed in the tools that ship since a revision or an artifact, for the notes of a release.
contract-changelog: $(VENV)/.installed
	@scripts/contract-changelog.sh "$(OLD)" $(ARGS)

bench: $(VENV)/.installed-dev
	@for script in $(filter-out bench/common.py,$(wildcard bench/*.py)); do echo "== $$script"; $(BIN)/python "$$script" $(ARGS) || exit 1; done

# The short versions of these are among the tests.
chaos-ledger: $(VENV)/.installed-dev
	ENDURANCE_TURNS=100000 $(BIN)/pytest -q --timeout 1200 tests/orchestrator/test_endurance.py
	$(BIN)/python -m tests.chaos.ledger --kills $(KILLS) $(ARGS)

chaos-tasks: $(VENV)/.installed-dev
	$(BIN)/python -m tests.chaos.tasks --kills $(TASK_KILLS) $(ARGS)

.PHONY: dojo prove mutate

# CI does a slice of each; these are the whole of it.
DOJO := $(VENV)/adapters/agentdojo/bin/python
dojo: $(VENV)/.installed-dev
	@$(BIN)/python bench/peers/install.py adapters/agentdojo
	@PYTHONPATH=src:. $(DOJO) -m tests.dojo $(ARGS)

prove: $(VENV)/.installed-dev
	POLICY_CASES=1000000 POLICY_ALL_PATHS=1 INJECTION_ATTEMPTS=1000 \
	  $(BIN)/pytest -q -n0 -s --timeout 3600 tests/policy/test_reference_model.py \
	  tests/policy/test_symbolic.py tests/injection
	@$(MAKE) --no-print-directory dojo

mutate: $(VENV)/.installed-dev
	@$(BIN)/python -m tests.policy.mutation $(ARGS)

build: $(VENV)/.installed
	@$(BIN)/antiphon build $(ARGS)

docs: $(VENV)/.installed-docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet $(ARGS)
	@echo "The site is in site/; open site/index.html."

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build site
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none was found." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) -V 2>&1)." >&2; \
	  echo "Name another one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments (on Debian: apt install python3-venv)." >&2; exit 1; }
	@echo "Making $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV)

# The stamps make a second run instant; a change to either file installs again.
$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV) ..."
	$(call INSTALL,.[$(EXTRAS)])
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV), with what the tests need ..."
	$(call INSTALL,.[dev])
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV), with what the documentation site needs ..."
	$(call INSTALL,.[docs])
	@touch $@
