# Everything runs in its own virtual environment, made on first use with the pinned versions.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help report test quick lint mutants bench golden clean

help: ## Say what there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1\t\2/' | expand -t 14

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

report: $(VENV)/.ready ## Play all shipped scenarios and write their reports
	@$(BIN)/analyzer batch scenarios

test: $(VENV)/.ready-dev ## Run all tests
	$(BIN)/pytest -n auto --dist worksteal

quick: $(VENV)/.ready-dev ## Run the tests that compile nothing
	$(BIN)/pytest -n auto --dist worksteal tests/house tests/stats tests/reporting tests/contract/test_layers.py tests/test_rule_ids.py -k 'not door'

lint: $(VENV)/.ready-dev ## Check style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

mutants: $(VENV)/.ready-dev ## Plant faults in the games' rules; the tests must notice each (minutes)
	$(BIN)/python -m tests.mutants

bench: $(VENV)/.ready-dev ## Measure speed and memory, as ratios in one run
	$(BIN)/python -m tests.bench.bench
	$(BIN)/python -m tests.bench.games
	$(BIN)/python -m tests.bench.fredericus

golden: $(VENV)/.ready-dev ## Write the golden stories and the sample report anew
	$(BIN)/python -m tests.golden.update
	$(BIN)/analyzer odds ritter/four-players --out reports/sample --quiet

clean: ## Remove the environment, caches and generated reports
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache *.egg-info build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find reports -mindepth 1 -maxdepth 1 ! -name sample -exec rm -rf {} +
