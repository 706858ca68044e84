# make demo: predict the classic cluster, run it for real, compare.   make test: every check CI runs.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV   ?= .venv
OUT    ?= runs/demo

BIN        := $(VENV)/bin
PARAMSCOPE := $(BIN)/paramscope
INSTALLED  := $(VENV)/.installed
CLASSIC    := scenarios/classic-2ps-2workers.yaml
FAST       := not slow and not tf and not browser

.DELETE_ON_ERROR:
.PHONY: help venv demo check test schema clean

help:
	@echo "make demo    install into $(VENV), predict the classic 2 ps x 2 workers cluster, run it for real, compare"
	@echo "make test    every check: format, lint, types, imports, all tests (real TensorFlow and browser included)"
	@echo "make check   the quick part of it, without real runs and browser"
	@echo "make schema  write the JSON Schemas in docs/reference anew"
	@echo "make clean   remove $(VENV) and runs/demo"

venv: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "no python3.11 found; install it (apt-get install python3.11 python3.11-venv)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11; set PYTHON=..."; exit 1; }
	@echo "== installing into $(VENV): about 100 packages, 2 GB, two to three minutes the first time"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "could not create $(VENV); on Debian: apt-get install python3.11-venv"; exit 1; }
	@$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -c constraints.txt -e '.[all]' \
	    | grep --line-buffered -E '^(Collecting|Installing|Successfully|ERROR)' | cut -c -100
	@$(BIN)/python -c 'import simpy, dash, sklearn, pytest, importlib.util as u; assert u.find_spec("tensorflow")' && $(BIN)/python -m pip check --disable-pip-version-check
	@touch $@

demo: $(INSTALLED)
	@mkdir -p $(OUT)
	@echo "== 1/5 validate"
	$(PARAMSCOPE) validate $(CLASSIC)
	@echo "== 2/5 calibrate: one worker and one ps for real, to measure what a message and an apply cost here"
	$(PARAMSCOPE) calibrate $(CLASSIC) -o $(OUT)/profile.yaml
	@echo "== 3/5 simulate: the prediction for 2 ps and 2 workers"
	$(PARAMSCOPE) simulate $(CLASSIC) --set workload.profile=$(OUT)/profile.yaml --out $(OUT)/simulated
	@echo "== 4/5 realrun: the same scenario on four real TensorFlow processes"
	$(PARAMSCOPE) realrun $(CLASSIC) --out $(OUT)/real
	@echo "== 5/5 compare"
	$(PARAMSCOPE) compare $(OUT)/real $(OUT)/simulated --budget scenarios/budgets/default.yaml --report $(OUT)/report
	@echo
	@echo "report:    $(OUT)/report/report.html (one file, open it in a browser)"
	@echo "dashboard: $(PARAMSCOPE) dashboard $(OUT)"

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n auto -m "$(FAST)"

# Real runs and the browser one after the other: they are timed against each other's silence.
test: check
	$(BIN)/pytest -q -m "not ($(FAST))"

schema: $(INSTALLED)
	for of in scenario profile budget; do $(PARAMSCOPE) schema --of $$of > docs/reference/paramscope-$$of.json; done

clean:
	rm -rf $(VENV) runs/demo
