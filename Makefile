# `make demo` shows what Pincite does, `make test` checks that it still does it.
# Both begin on a bare machine with Python 3.11 or newer and set up what they need in .venv.

SHELL := /bin/bash
VENV ?= .venv
BIN := $(VENV)/bin
CODE := $(wildcard src tests benchmarks samples scripts)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format lock samples bench clean

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

setup: ## Set up .venv for development
	@VENV=$(VENV) scripts/setup.sh dev

demo: ## Index the sample documents and ask them three questions
	@VENV=$(VENV) scripts/setup.sh run
	@$(BIN)/pincite demo

test: setup ## Check style, types and behaviour; the last line is the summary of pytest
	@scripts/system.sh
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest

lint: setup ## Check style and types only
	@$(BIN)/ruff check --quiet $(CODE)
	@$(BIN)/ruff format --check --quiet $(CODE) || { echo 'run "make format"' >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary $(CODE)

format: setup ## Rewrite the code in the common style
	@$(BIN)/ruff check --quiet --fix $(CODE)
	@$(BIN)/ruff format --quiet $(CODE)

lock: ## Resolve the newest versions that pyproject.toml allows into requirements/
	@VENV=$(VENV) scripts/lock.sh

samples: setup ## Build the sample documents from samples/sources
	@$(BIN)/python samples/sources/build.py

bench: setup ## Print every figure that the documentation claims
	@VENV=$(VENV) scripts/setup.sh bench
	@$(BIN)/python -m benchmarks.chunking
	@$(BIN)/python -m benchmarks.embedding

clean: ## Remove what was built and cached; .venv too
	rm -rf $(VENV) build dist demo-index .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests samples -name __pycache__ -type d -exec rm -rf {} +
