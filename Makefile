# Everything a user or contributor runs. `make` alone lists the targets.
#
#   make benchmark   on a fresh machine: set up, ingest, run every baseline, print the table
#   make test        on a fresh machine: set up, run the tests
#
# Set-up is done once, in .venv, from the pinned and hashed lists in requirements/; it is repeated
# only when those lists or pyproject.toml change.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
VENV ?= .venv
OUT ?= build/benchmark
ARGS ?=
WHAT ?= ingest
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

export FABULA_GRAPH ?= build/graph
# A checkout with the data beside it uses that; everybody else gets ./data, a download, or the sample.
ifndef FABULA_DATA
ifneq ($(wildcard ../shared/data/.),)
export FABULA_DATA := ../shared/data
endif
endif

.PHONY: help setup setup-dev setup-models benchmark test test-slow test-neo4j check check-ruff check-format \
	check-mypy check-imports format torture perf docs lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- use ---------------------------------------------------------------------------------------

benchmark: $(VENV)/.base ## set up, ingest, run the baselines on every task, print the table
	$(BIN)/python -m benchmarks.run all --out $(OUT) $(ARGS)

perf: $(VENV)/.base ## measure the graph: bulk ingest, queries, growth
	$(BIN)/python -m benchmarks.perf graph $(ARGS)

setup: $(VENV)/.base ## make .venv with what the graph and the baselines need

setup-models: $(VENV)/.models ## add torch, transformers and BERTScore: a download of several GB

# --- contribute --------------------------------------------------------------------------------

test: $(VENV)/.dev ## set up, run the tests (offline, a few minutes)
	$(BIN)/python -m pytest $(ARGS)

test-slow: $(VENV)/.dev ## run the tests that take minutes
	$(BIN)/python -m pytest -m slow $(ARGS)

test-neo4j: $(VENV)/.dev ## run what needs a real Neo4j; Maven fetches it once (needs Java and Maven)
	@$(BIN)/python scripts/neo4j_server.py fetch || { \
	  echo "test-neo4j: SKIPPED, nothing of it was tested"; exit 0; }; \
	set -x; $(BIN)/python -m pytest -m neo4j $(ARGS); \
	{ set +x; } 2> /dev/null; \
	newest=$$($(BIN)/python scripts/neo4j_server.py newest) || { \
	  echo "test-neo4j: the newest Neo4j SKIPPED, the LTS was tested"; exit 0; }; \
	set -x; FABULA_TEST_NEO4J_VERSION=$$newest $(BIN)/python -m pytest -m neo4j tests/contract tests/cypher $(ARGS)

check: check-ruff check-format check-mypy check-imports ## ruff, mypy, import-linter

check-ruff: $(VENV)/.dev
	$(BIN)/ruff check .

check-format: $(VENV)/.dev
	$(BIN)/ruff format --check .

check-mypy: $(VENV)/.dev
	$(BIN)/mypy

check-imports: $(VENV)/.dev
	$(BIN)/lint-imports

format: $(VENV)/.dev ## let ruff write what `make check` asks for
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

torture: $(VENV)/.dev ## kill work at random moments; the graph must come out the same
	$(BIN)/python scripts/torture.py $(WHAT) $(if $(FABULA_DATA),--data $(FABULA_DATA)) $(ARGS)

docs: $(VENV)/.dev ## write the generated parts of docs/: data model, vocabulary, cookbook, pictures
	$(BIN)/python scripts/draw_data_model.py
	$(BIN)/python scripts/write_vocabulary.py
	$(BIN)/python scripts/cookbook.py
	$(BIN)/python scripts/draw_cookbook.py
	$(BIN)/python scripts/draw_network.py

setup-dev: $(VENV)/.dev ## make .venv with the tools of contributors

# Two locks besides base: each holds base whole, at the same versions.
UV_COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
BUILD_REQUIRES = import sys, tomllib; \
	print(*tomllib.load(sys.stdin.buffer)["build-system"]["requires"], sep="\n")

lock: $(VENV)/.dev ## pin the newest versions that pyproject.toml allows (needs a network)
	$(PIP) install --quiet uv
	$(BIN)/python -c '$(BUILD_REQUIRES)' < pyproject.toml \
	  | $(UV_COMPILE) --upgrade --no-annotate --output-file requirements/build.txt -
	$(UV_COMPILE) --upgrade --output-file requirements/base.txt pyproject.toml
	$(UV_COMPILE) --upgrade --constraint requirements/base.txt --group dev \
	  --extra networkx --extra parquet --extra ray --extra rdf --output-file requirements/dev.txt pyproject.toml
	$(UV_COMPILE) --upgrade --constraint requirements/base.txt --extra models \
	  --output-file requirements/models.txt pyproject.toml

clean: ## remove build output; .venv and data stay
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- set-up ------------------------------------------------------------------------------------

$(BIN)/python:
	@command -v $(PYTHON) > /dev/null || { \
	  echo "error: there is no $(PYTHON): Fabula needs Python 3.11 or newer (make PYTHON=... names one)" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: $(PYTHON) is $$($(PYTHON) --version 2>&1): Fabula needs Python 3.11 or newer" \
	    "(make PYTHON=python3.12 ...)" >&2; exit 1; }
	@# A half-made environment (Debian without python3-venv) must not pass for one next time.
	$(PYTHON) -m venv $(VENV) || { rm -f $@; exit 1; }

# What builds packages is pinned too: no build isolation, so pip fetches nothing that is not listed.
$(VENV)/.build: requirements/build.txt | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements/build.txt
	@touch $@

define INSTALL
$(PIP) install --quiet --require-hashes --no-build-isolation -r $(1)
$(PIP) install --quiet --no-deps --no-build-isolation --editable .
@touch $@
endef

$(VENV)/.base: requirements/base.txt pyproject.toml $(VENV)/.build
	@echo "setting up $(VENV) (once, about 270 MB)"
	$(call INSTALL,requirements/base.txt)

$(VENV)/.dev: requirements/dev.txt pyproject.toml $(VENV)/.build
	@echo "setting up $(VENV) for development (once)"
	$(call INSTALL,requirements/dev.txt)
	@touch $(VENV)/.base

$(VENV)/.models: requirements/models.txt pyproject.toml $(VENV)/.build
	@echo "adding the models extra to $(VENV): torch is a download of several GB"
	$(call INSTALL,requirements/models.txt)
	@touch $(VENV)/.base
