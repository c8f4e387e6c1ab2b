# Two commands do everything: `make demo` and `make test`. Both set up what they need first.

VENV := .venv
PY := $(VENV)/bin/python
OUT := out

# What is installed is locked, file by file, for each Python that Heelstone is tried with.
PYTHON := $(shell python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
LOCK := $(wildcard requirements-$(PYTHON).txt)

# A system's own camera and pin libraries cannot come from pip, so they are let through where they are.
OWN := $(shell python3 -c 'from importlib.util import find_spec; \
	print("--system-site-packages" if find_spec("lgpio") or find_spec("picamera2") else "")')

# Says for what the environment was made, once it is whole: one that was begun and not ended, moved,
# made by another Python, or before such a library came, is made anew.
STAMP := $(VENV)/.ready
MADE := $(strip $(CURDIR), Python $(PYTHON) $(OWN))

# pip would leave a copy of everything in the home folder; a cache that is named is used. What it
# unpacks needs more room than a small folder for temporary files has.
PIP := TMPDIR="$(CURDIR)/$(VENV)" $(PY) -m pip install -q --disable-pip-version-check $(if $(PIP_CACHE_DIR),,--no-cache-dir)

# What a bare Debian or Raspberry Pi OS lacks. In Debian 13 some of them have names that end with
# t64; apt takes either, and both count as there.
PACKAGES := python3-venv libgl1 libgl1-mesa-dri libegl1 libgles2 libgbm1 libmtdev1 libglib2.0-0

# What only tests need: a real browser for the pages of phones (playwright's own program wants
# libatomic1), brokers for houses and clubs, a database for clubs, and a reader of shell scripts.
# Tests of them are skipped without them.
TEST_PACKAGES := chromium-headless-shell libatomic1 mosquitto nats-server postgresql shellcheck
TESTABLE := $(VENV)/.testable

# Tests start a hundred programs; without bytecode each of them compiles everything anew. What all
# workers import at once is compiled before they start.
unexport PYTHONDONTWRITEBYTECODE

# More than the smallest machine has cores, because many tests wait for a device or a program.
# Workers take up to 1.9 GB each, one of four 2.4 (then seven together), one alone 2.7, mypy 1,
# browser and servers half a gigabyte; and of the machine's memory a container may have a part only.
MEMORY_MB := $(shell { awk '/^MemTotal/ { print int($$2 / 1024) }' /proc/meminfo; \
	cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null \
		| awk '/^[0-9]+$$/ { printf "%.0f\n", $$1 / 1048576 }'; } | sort -n | head -n 1)
WORKERS := $(shell echo $$(($(MEMORY_MB) < 6000 ? 1 : $(MEMORY_MB) < 7500 ? 2 : \
	$(MEMORY_MB) < 10000 ? 3 : 4)))
AT_ONCE := $(shell echo $$(($(MEMORY_MB) < 6000 ? 1 : 2)))

# These keep what they found in a folder of their own, and two at once would disturb each other.
ALONE := flock -o pyproject.toml

OFFSCREEN := SDL_VIDEODRIVER=offscreen LIBGL_ALWAYS_SOFTWARE=1

.PHONY: help ready testable demo try-page test quick check-all matches lint bench soak fuzz planted \
	audit format screenshots locks newest deb image clean

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
	@echo "make locks        write anew which versions are installed: requirements-*.txt"
	@echo "make newest       all checks and tests with the newest version of everything; changes nothing"
	@echo "make deb          the Debian packages, with everything in them, below out"
	@echo "make image        a card that is a table: its image and its entry for Raspberry Pi Imager, below out"
	@echo "make screenshots  draw the pictures of README and docs anew, those that are old"
	@echo "make clean        remove the virtual environment and all output"

# Two commands at once, and the second one waits until the first has set everything up.
ready:
	@flock -o Makefile $(MAKE) -s $(STAMP)

testable:
	@flock -o Makefile $(MAKE) -s $(TESTABLE)

demo: ready
	@$(VENV)/bin/heelstone demo $(GAME) --out $(OUT)/demo

try-page: ready
	$(PY) -m companion.web.try_page --out build/try

# Side by side: mypy uses one core, and the tests leave some of two.
test: ready
	@# A make that is killed leaves its pipe there.
	@MAKE_TMPDIR="$(CURDIR)/$(VENV)" $(MAKE) --no-print-directory -j $(AT_ONCE) lint quick

quick: testable
	@$(PY) -m compileall -q companion hardware rules vision tests/support
	$(OFFSCREEN) tests/in_scratch.sh $(PY) -m pytest -n $(WORKERS) --dist worksteal

check-all: lint testable
	$(OFFSCREEN) tests/in_scratch.sh $(PY) -m pytest -n $(WORKERS) --dist worksteal --thorough

matches: testable
	$(OFFSCREEN) tests/in_scratch.sh $(PY) -m pytest --long tests/companion/ui/test_whole_matches.py -k whole_match

lint: ready
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(ALONE) $(VENV)/bin/mypy
	$(ALONE) $(VENV)/bin/mypy systemd/*.py
	$(ALONE) $(VENV)/bin/lint-imports

bench: ready
	$(PIP) -e '.[bench]'
	$(OFFSCREEN) $(PY) -m benchmarks

soak: ready
	$(PY) -m tests.endurance.power
	$(PY) -m tests.endurance.soak
	$(OFFSCREEN) $(PY) -m tests.endurance.screen

FUZZ_SECONDS := 14

fuzz: ready
	$(PIP) -e '.[fuzz]'
	OPENCV_LOG_LEVEL=OFF $(PY) -m tests.endurance.fuzz --seconds $(FUZZ_SECONDS)
	OPENCV_LOG_LEVEL=OFF $(PY) -m tests.endurance.fuzz --guided --seconds $(FUZZ_SECONDS)

planted: ready
	$(PY) -m tests.endurance.planted

audit: ready
	$(PIP) pip-audit
	for lock in systemd/requirements-*.txt; do \
		$(PY) -m pip_audit --strict --disable-pip --require-hashes -r $$lock || exit 1; \
	done

format: ready
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

screenshots: testable
	$(OFFSCREEN) $(PY) -m docs.gallery

locks: ready
	$(PIP) -e '.[locks]'
	$(PY) systemd/pin.py

# In a folder and an environment of its own.
newest: NEWEST := $(OUT)/newest
newest: testable
	rm -rf $(NEWEST)
	mkdir -p $(NEWEST)
	git ls-files -z | xargs -0 cp --parents -t $(NEWEST)
	$(MAKE) -C $(NEWEST) test LOCK=

# One file for each Debian and each kind of computer; what they hold is fetched once, into out/wheels.
deb: ready
	$(PY) systemd/package.py --out $(OUT)

# Its files are root's. IMAGE holds options of image.py.
image: ready
	$(PY) systemd/package.py --system trixie --machine arm64 --out $(OUT)
	$(if $(filter 0,$(shell id -u)),,sudo) $(PY) systemd/image.py --out $(OUT) $(IMAGE)

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
		if [ "$$(id -u)" = 0 ]; then root="env"; \
		elif command -v sudo >/dev/null; then root="sudo env"; \
		else root="false"; \
		fi; \
		root="$$root DEBIAN_FRONTEND=noninteractive"; wait="-o DPkg::Lock::Timeout=600"; \
		{ $$root dpkg --configure -a && $$root apt-get $$wait update -q && \
		$$root apt-get $$wait install -y -q --no-install-recommends $$missing; } || { \
		echo "Please install as root: apt-get install$$missing" >&2; $(2); } \
	fi
endef

$(TESTABLE): $(STAMP)
	@# Debian starts servers that it installs; tests start their own.
	$(call installed,$(TEST_PACKAGES),echo "Tests that need them are skipped." >&2; exit 0); \
	for server in mosquitto nats-server postgresql; do \
		case "$$missing " in *" $$server "*) if [ -d /run/systemd/system ]; then \
			$$root systemctl disable -q --now $$server; fi ;; esac; \
	done; \
	touch $(TESTABLE)

ifneq ($(shell cat $(STAMP) 2>/dev/null),$(MADE))
.PHONY: $(STAMP)
endif

$(STAMP): pyproject.toml $(LOCK)
	@sh systemd/lacking.sh
	$(call installed,$(PACKAGES),exit 1)
	@[ "$$(cat $(STAMP) 2>/dev/null)" = "$(MADE)" ] || rm -rf $(VENV)
	@rm -f $(STAMP)
	@[ -x $(PY) ] || python3 -m venv $(OWN) $(VENV)
ifeq ($(LOCK),)
	@echo "Without a lock for Python $(PYTHON), the newest of everything is taken."
	$(PIP) --upgrade setuptools wheel
	$(PIP) -e '.[test]'
else
	@echo "Installing $$(grep -c == $(LOCK)) Python packages in $(VENV) …"
	@# First the two that build; then no step fetches anything that is not locked.
	@grep -E '^(setuptools|wheel)==' $(LOCK) >$(VENV)/building.txt
	$(PIP) --require-hashes --no-deps -r $(VENV)/building.txt
	$(PIP) --require-hashes --no-deps --no-build-isolation -r $(LOCK)
	$(PIP) --no-deps --no-build-isolation -e .
endif
	@echo "$(MADE)" >$(STAMP)
