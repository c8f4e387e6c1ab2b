# Two commands do everything: `make demo` and `make test`. Both set up what they need first.

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.ready
OUT := out

# What a bare Debian or Raspberry Pi OS lacks. In Debian 13 some of them have names that end with
# t64; apt takes either, and both count as there.
PACKAGES := python3-venv libgl1 libgl1-mesa-dri libegl1 libgles2 libgbm1 libmtdev1 libglib2.0-0

# What only tests need: a real browser for the pages of phones (playwright's own program wants
# libatomic1), brokers for houses and clubs, a database for clubs, and a reader of shell scripts.
# Tests of them are skipped without them.
TEST_PACKAGES := chromium libatomic1 mosquitto nats-server postgresql shellcheck
TESTABLE := $(VENV)/.testable

# Tests start a hundred programs; without bytecode each of them compiles everything anew. What all
# workers import at once is compiled before they start.
unexport PYTHONDONTWRITEBYTECODE

# One more than the smallest machine has cores: many tests wait for a device or a program.
WORKERS := 3

# Hundreds of journals and databases wait for the disk; in memory they need not, where there is plenty
# and programs may run.
SCRATCH := $(shell df -k /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { plenty = 1 } END { exit !plenty }' && { \
	probe=$$(mktemp -p /dev/shm) && cp /bin/true "$$probe" && chmod +x "$$probe" && "$$probe" && echo /dev/shm; \
	rm -f "$$probe"; } 2>/dev/null)

OFFSCREEN := SDL_VIDEODRIVER=offscreen LIBGL_ALWAYS_SOFTWARE=1

.PHONY: help demo try-page test quick check-all matches lint bench soak fuzz planted audit format screenshots \
	deb clean

help:
	@echo "make demo         play a match on the virtual table; with GAME=… a whole one of any game"
	@echo "make try-page     build the page to try the rules in a browser, in build/try"
	@echo "make test         run all checks and tests"
	@echo "make quick        the tests of make test without its checks"
	@echo "make check-all    all of that, and the wider sweeps; about half an hour"
	@echo "make matches      whole matches of all games by touch, of every size; 90 minutes"
	@echo "make lint         ruff, mypy and the import contracts only"
	@echo "make bench        benchmarks as ratios to named peers"
	@echo "make soak         kills, torn journals, 10,000 moves, evenings at the screen; about 20 minutes"
	@echo "make fuzz         rubbish at every door; about twenty minutes"
	@echo "make planted      mistakes planted one by one: do the tests find them? half an hour"
	@echo "make audit        known weaknesses of the packages that are installed"
	@echo "make deb          the Debian packages, with everything in them, below out"
	@echo "make screenshots  draw the pictures of the README anew"
	@echo "make clean        remove the virtual environment and all output"

demo: $(STAMP)
	@$(VENV)/bin/heelstone demo $(GAME) --out $(OUT)/demo

try-page: $(STAMP)
	$(PY) -m companion.web.try_page --out build/try

# Side by side: mypy uses one core, and the tests leave some of two.
test: $(STAMP)
	@$(MAKE) --no-print-directory -j 2 lint quick

quick: $(TESTABLE)
	@$(PY) -m compileall -q companion hardware rules vision tests/support
	$(OFFSCREEN) $(if $(SCRATCH),PYTEST_DEBUG_TEMPROOT=$(SCRATCH)) $(PY) -m pytest -n $(WORKERS) --dist worksteal

check-all: lint $(TESTABLE)
	$(OFFSCREEN) $(PY) -m pytest -n $(WORKERS) --dist worksteal --thorough

matches: $(TESTABLE)
	$(OFFSCREEN) $(PY) -m pytest --long tests/companion/ui/test_whole_matches.py -k whole_match

lint: $(STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy systemd/*.py
	$(VENV)/bin/lint-imports

bench: $(STAMP)
	$(PY) -m pip install -q -e '.[bench]'
	$(OFFSCREEN) $(PY) -m benchmarks

soak: $(STAMP)
	$(PY) -m tests.endurance.power
	$(PY) -m tests.endurance.soak
	$(OFFSCREEN) $(PY) -m tests.endurance.screen

FUZZ_SECONDS := 14

fuzz: $(STAMP)
	$(PY) -m pip install -q -e '.[fuzz]'
	OPENCV_LOG_LEVEL=OFF $(PY) -m tests.endurance.fuzz --seconds $(FUZZ_SECONDS)
	OPENCV_LOG_LEVEL=OFF $(PY) -m tests.endurance.fuzz --guided --seconds $(FUZZ_SECONDS)

planted: $(STAMP)
	$(PY) -m tests.endurance.planted

audit: $(STAMP)
	$(PY) -m pip install -q pip-audit
	for lock in systemd/requirements-*.txt; do \
		$(PY) -m pip_audit --strict --disable-pip --require-hashes -r $$lock || exit 1; \
	done

format: $(STAMP)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

screenshots: $(STAMP)
	$(OFFSCREEN) $(PY) -m docs.gallery docs/pictures
	$(PY) -m docs.gallery.devices docs/pictures/devices.svg
	$(PY) -m docs.gallery.phone_pages docs/pictures

# One file for each Debian and each kind of computer; what they hold is fetched once, into out/wheels.
deb: $(STAMP)
	$(PY) systemd/package.py --out $(OUT)

clean:
	rm -rf $(VENV) $(OUT) .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

# Installs what of $(1) is not there; $(2) is done if that is not possible.
define installed
	@missing=""; \
	for package in $(1); do \
		dpkg-query -W -f='$${Status}\n' $$package $${package}t64 2>/dev/null \
			| grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if ! command -v dpkg-query >/dev/null; then \
		echo "This is no Debian; please see to it that these are there:$$missing"; \
	elif [ -n "$$missing" ]; then \
		if [ "$$(id -u)" = 0 ]; then root=""; \
		elif command -v sudo >/dev/null; then root="sudo"; \
		else echo "Please install as root: apt-get install$$missing"; root="false"; \
		fi; \
		{ $$root apt-get update -q && \
		$$root apt-get install -y -q --no-install-recommends $$missing; } || $(2); \
	fi
endef

$(TESTABLE): $(STAMP)
	$(call installed,$(TEST_PACKAGES),echo "Tests that need$$missing are skipped.")
	@touch $(TESTABLE)

$(STAMP): pyproject.toml
	$(call installed,$(PACKAGES),exit 1)
	@# A system's own camera and pin libraries cannot come from pip, so they are let through.
	@if [ ! -x $(PY) ]; then \
		if python3 -c 'import lgpio' 2>/dev/null || python3 -c 'import picamera2' 2>/dev/null; \
		then python3 -m venv --system-site-packages $(VENV); else python3 -m venv $(VENV); fi; \
	fi
	$(PY) -m pip install -q --disable-pip-version-check -e '.[test]'
	@touch $(STAMP)
