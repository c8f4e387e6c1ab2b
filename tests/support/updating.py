"""A table that is updated from its screen: what root's unit finds, and a place with versions."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.support.updates import Updates, UpdateState, Wanted

SCRIPT = Path(__file__).parents[2] / "systemd/heelstone-update.sh"

INSTALLER = """#!/bin/bash
# Stands for install.sh: says how far it is and puts a version in place.
home=$HEELSTONE_ROOT/opt/heelstone
here=$(cd "$(dirname "$0")" && pwd)
printf 'switching\\n' >"$HEELSTONE_PROGRESS"
echo "ran $*" >>"$HEELSTONE_ROOT/ran"
if [ "${1:-}" = --rollback ]; then
	ln -sfn "$home/releases/20260101000000-1.0" "$home/current"
	exit
fi
if grep -q broken "$here/pyproject.toml"; then
	echo "install.sh: heelstone.service does not start; the version before is in use again" >&2
	exit 1
fi
version=$(sed -n 's/^version = "\\(.*\\)"/\\1/p' "$here/pyproject.toml")
new=$home/releases/20260202000000-$version
mkdir -p "$new"; touch "$new/.whole"; cp "$0" "$new/install.sh"
ln -sfn "$new" "$home/current"
"""


@dataclass
class Table:
    """An installed table in a folder, and the place its versions come from."""

    root: Path

    def __post_init__(self) -> None:
        self.state = self.root / "var/lib/heelstone"
        self.home = self.root / "opt/heelstone"
        self.upstream = self.root / "upstream"
        first = self.home / "releases/20260101000000-1.0"
        for folder in (self.state, first, self.upstream, self.root / "var/lib/heelstone-update"):
            folder.mkdir(parents=True)
        (first / ".whole").touch()
        (first / "install.sh").write_text(INSTALLER)
        (self.home / "current").symlink_to(first)
        self.git("init", "-q", "-b", "main")
        self.publish("1.0")
        (self.home / "origin").write_text(f"{self.upstream}\n")
        self.notes("maintainer")

    def git(self, *arguments: str) -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "gpg.format=ssh")
        command = ["git", "-C", str(self.upstream), *who, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def key(self, who: str) -> Path:
        """The secret key of a person, made when first asked for."""
        path = self.root / who
        if not path.exists():
            command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", who, "-f", str(path)]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        return path

    def notes(self, who: str) -> None:
        """The signatures of this person count from now on, as the installer notes it."""
        public = self.key(who).with_suffix(".pub").read_text()
        (self.home / "signers").write_text(f'{who} namespaces="git" {public}')

    def commit(self, version: str, more: str = "") -> None:
        """A state of the sources, in a branch only."""
        text = f'[project]\nversion = "{version}"\n{more}\n'
        (self.upstream / "pyproject.toml").write_text(text)
        (self.upstream / "install.sh").write_text(INSTALLER)
        self.git("add", "-A")
        self.git("commit", "-qm", version, "--allow-empty")

    def sign(self, tag: str, who: str = "maintainer") -> None:
        """Signs a tag for the last commit."""
        self.git("-c", f"user.signingkey={self.key(who)}", "tag", "-fsm", tag, tag)

    def publish(self, version: str, more: str = "") -> None:
        """A version is offered from now on."""
        self.commit(version, more)
        self.sign(f"v{version}")

    def use(self, name: str) -> None:
        """This release is the one in use from now on."""
        (self.home / "current").unlink()
        (self.home / "current").symlink_to(self.home / "releases" / name)

    @property
    def wanted(self) -> Path:
        return self.state / "update-wanted"

    def start(self, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Root's unit runs, with an environment of its own."""
        known = {"PATH": os.environ["PATH"], "HEELSTONE_ROOT": str(self.root)}
        return subprocess.run(
            ["bash", str(SCRIPT)], env={**known, **environment}, capture_output=True, text=True,
            timeout=240, start_new_session=True, check=False,
        )  # fmt: skip

    def run(self) -> UpdateState:
        """Root's unit does what is wanted."""
        done = self.start({})
        assert (done.returncode, done.stderr) == (0, "")
        assert not self.wanted.exists() and not self.wanted.is_symlink()
        return self.now

    @property
    def now(self) -> UpdateState:
        return Updates(self.state, self.root).look()

    def ask(self, wanted: Wanted) -> UpdateState:
        Updates(self.state, self.root).ask(wanted)
        assert self.now.doing is wanted
        return self.run()

    def ran(self) -> list[str]:
        """Calls of the installer."""
        told = self.root / "ran"
        return told.read_text().splitlines() if told.exists() else []
