"""The button for updates: what the table's user can make root do, with git and a fake installer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.support.updates import STEPS, Updates, Wanted
from tests.support.needed import skip_without
from tests.support.updating import SCRIPT, Table

ROOT = Path(__file__).parents[1]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    skip_without("git", "ssh-keygen")
    return Table(tmp_path)


def test_a_newer_version_is_offered_installed_and_left_again(table: Table) -> None:
    found = table.ask(Wanted.LOOK)
    assert (found.result, found.offered) == ("ok", "")
    table.publish("2.0")
    found = table.ask(Wanted.LOOK)
    assert (found.result, found.offered) == ("ok", "2.0")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found.offered_on)
    assert table.ran() == []
    updated = table.ask(Wanted.UPDATE)
    assert (updated.result, updated.why, updated.offered, updated.doing) == ("ok", "", "", None)
    assert updated.installed is not None and updated.before is not None
    assert (updated.installed.version, updated.before.version) == ("2.0", "1.0")
    assert table.ask(Wanted.UPDATE).why == "newest"
    gone_back = table.ask(Wanted.BACK)
    assert gone_back.installed is not None and gone_back.installed.version == "1.0"
    assert table.ran() == ["ran ", "ran --rollback"]


def test_the_way_back_leads_to_what_was_in_use_and_not_to_what_was_given_up(table: Table) -> None:
    for name, before in (
        ("20260202000000-2.0", "20260101000000-1.0"), ("20260303000000-3.0", "20260101000000-1.0"),
    ):  # fmt: skip
        release = table.home / "releases" / name
        release.mkdir()
        (release / ".whole").touch()
        (release / ".before").write_text(f"{before}\n")
    table.use("20260303000000-3.0")
    assert table.now.before is not None and table.now.before.version == "1.0"
    # It has been cleared away; then the newest that is older is the best there is.
    shutil.rmtree(table.home / "releases/20260101000000-1.0")
    assert table.now.before is not None and table.now.before.version == "2.0"


def test_the_installer_goes_back_to_what_was_in_use(table: Table) -> None:
    script = (ROOT / "install.sh").read_text()
    functions = [
        re.search(rf"^{name}\(\) \{{.*?^\}}", script, re.M | re.S)
        for name in ("versions", "version_before")
    ]
    asked = "".join(f"{found[0]}\n" for found in functions if found is not None)
    releases = table.home / "releases"
    for name, before in (("2", "1"), ("3", "1"), ("4", "0"), ("5", "")):
        (releases / name).mkdir()
        (releases / name / ".whole").touch()
        (releases / name / ".before").write_text(f"{before}\n")
    (releases / "1").mkdir()
    (releases / "1/.whole").touch()
    asked += "for one in 1 2 3 4 5; do version_before $RELEASES/$one; done"
    told = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", asked],
        env={"PATH": os.environ["PATH"], "RELEASES": str(releases), "WHOLE": ".whole"},
        capture_output=True, text=True, timeout=240, check=True,
    )  # fmt: skip
    # Of 4 the one before is not there any more, and of 5 nobody noted it.
    assert [Path(line).name for line in told.stdout.split()] == ["1", "1", "3", "4"]


def test_a_version_that_does_not_come_up_leaves_the_old_one_and_says_so(table: Table) -> None:
    table.publish("2.0", "broken = 1")
    failed = table.ask(Wanted.UPDATE)
    assert (failed.result, failed.why) == ("failed", "returned")
    assert failed.installed is not None and failed.installed.version == "1.0"


@pytest.mark.parametrize(
    "words",
    [
        b"", b"rollback\n", b"update;reboot\n", b"update --table x\n", b"UPDATE\n", b"../bin/sh\n",
        b"$(touch /tmp/x)\n", b"\0\xff" * 5000, b"updateupdateupdate\n",
    ],
)  # fmt: skip
def test_nothing_but_three_words_makes_root_do_anything(table: Table, words: bytes) -> None:
    table.publish("2.0")
    table.wanted.write_bytes(words)
    table.run()
    assert table.ran() == [] and not (table.home / "source").exists()


def test_links_folders_and_pipes_in_place_of_the_file_lead_nowhere(table: Table) -> None:
    secret = table.root / "secret"
    secret.write_text("update\n")
    table.publish("2.0")
    table.wanted.symlink_to(secret)
    table.run()
    table.wanted.mkdir()
    table.run()
    os.mkfifo(table.wanted)
    table.run()
    assert table.ran() == [] and secret.read_text() == "update\n"


@pytest.mark.parametrize("origin", ["", "http://a.b/c\n", "ext::sh -c date\n"])
def test_what_root_cannot_trust_is_not_asked_for_versions(table: Table, origin: str) -> None:
    (table.home / "origin").write_text(origin)
    assert (table.ask(Wanted.LOOK).result, table.now.why) == ("failed", "origin")


def tag_without_signature(table: Table) -> None:
    table.commit("2.0")
    table.git("tag", "-am", "2.0", "v2.0")


def tag_without_words(table: Table) -> None:
    table.commit("2.0")
    table.git("tag", "v2.0")


def tag_of_a_stranger(table: Table) -> None:
    table.commit("2.0")
    table.sign("v2.0", "stranger")


def signature_of_another_use(table: Table) -> None:
    table.notes("maintainer")
    signers = table.home / "signers"
    signers.write_text(signers.read_text().replace('"git"', '"file"'))
    table.publish("2.0")


def tag_of_an_older_version_renamed(table: Table) -> None:
    table.git("update-ref", "refs/tags/v2.0", table.git("rev-parse", "v1.0").strip())


def tag_of_another_version(table: Table) -> None:
    table.commit("1.0")
    table.sign("v2.0")


def signature_put_under_another_commit(table: Table) -> None:
    table.publish("2.0")
    signed = table.git("cat-file", "tag", "v2.0")
    old = table.git("rev-parse", "v2.0^{commit}").strip()
    table.commit("2.0", "planted = 1")
    forged = table.root / "forged"
    forged.write_text(signed.replace(old, table.git("rev-parse", "HEAD").strip()))
    made = table.git("hash-object", "-t", "tag", "-w", str(forged)).strip()
    table.git("update-ref", "refs/tags/v2.0", made)


@pytest.mark.parametrize(
    "lay",
    [
        tag_without_signature, tag_without_words, tag_of_a_stranger, signature_of_another_use,
        tag_of_an_older_version_renamed, tag_of_another_version,
        signature_put_under_another_commit,
    ],
)  # fmt: skip
def test_what_is_not_signed_with_a_noted_key_is_neither_offered_nor_installed(
    table: Table, lay: Callable[[Table], None]
) -> None:
    lay(table)
    for wanted in (Wanted.LOOK, Wanted.UPDATE):
        told = table.ask(wanted)
        assert (told.result, told.why, told.offered) == ("failed", "signature", "")
    assert table.ran() == []


def test_a_version_that_somebody_pushed_unsigned_hides_no_signed_one(table: Table) -> None:
    table.publish("2.0")
    for version in ("3.0", "10.0"):
        table.commit(version)
        table.git("tag", f"v{version}")
    assert table.ask(Wanted.LOOK).offered == "2.0"
    updated = table.ask(Wanted.UPDATE)
    assert updated.installed is not None and updated.installed.version == "2.0"


@pytest.mark.parametrize("version", ["0.9.0", "1.0", "1.0rc1", "0.10", "00.99999"])
def test_an_update_never_leads_to_an_older_version_however_well_it_is_signed(
    table: Table, version: str
) -> None:
    table.publish(version)
    table.git("reset", "-q", "--hard", f"v{version}")
    assert (table.ask(Wanted.LOOK).result, table.now.offered) == ("ok", "")
    assert (table.ask(Wanted.UPDATE).why, table.ran()) == ("newest", [])


def test_what_is_offered_is_checked_again_before_it_is_installed(table: Table) -> None:
    table.publish("2.0")
    assert table.ask(Wanted.LOOK).offered == "2.0"
    table.commit("2.0", "planted = 1")
    table.git("tag", "-f", "v2.0")
    assert (table.ask(Wanted.UPDATE).why, table.ran()) == ("signature", [])


@pytest.mark.parametrize("keys", [None, ""])
def test_a_table_without_a_key_is_updated_by_hand_only(table: Table, keys: str | None) -> None:
    (table.home / "signers").unlink()
    if keys is not None:
        (table.home / "signers").write_text(keys)
    table.publish("2.0")
    for wanted in (Wanted.LOOK, Wanted.UPDATE):
        assert (table.ask(wanted).result, table.now.why) == ("failed", "key")
    assert table.ran() == []


@pytest.mark.parametrize(
    ("noted", "brought", "then"), [("", "# words\n", ""), ("", "a key\n", "a key\n"),
                                   ("a key\n", "b key\n", "a key\n")],
)  # fmt: skip
def test_keys_are_noted_at_the_first_installation_and_never_by_an_update(
    table: Table, noted: str, brought: str, then: str
) -> None:
    script = (ROOT / "install.sh").read_text()
    functions = [
        re.search(rf"^{name}\(\) \{{.*?(^| )\}}$", script, re.M | re.S)
        for name in ("lay", "keep", "note_origin", "in_source")
    ]
    asked = "".join(f"{found[0]}\n" for found in functions if found is not None)
    signers = table.home / "signers"
    signers.unlink()
    if noted:
        signers.write_text(noted)
    for source, want in ((table.home / "source", noted), (table.upstream, then)):
        (source / "systemd").mkdir(parents=True)
        (source / "systemd/signers").write_text(brought)
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"{asked}note_origin"],
            env={"PATH": os.environ["PATH"], "SOURCE": str(source), "HOME_DIR": str(table.home),
                 "WHEELS": str(source / "wheels")},
            capture_output=True, text=True, timeout=240, check=True,
        )  # fmt: skip
        assert (signers.read_text() if signers.exists() else "") == want


def test_a_table_that_came_as_a_package_says_so(table: Table) -> None:
    (table.home / "origin").write_text("package\n")
    for wanted in (Wanted.LOOK, Wanted.UPDATE):
        assert (table.ask(wanted).result, table.now.why) == ("failed", "package")
    assert table.ran() == []


def test_no_network_half_a_copy_and_a_power_cut_are_told_and_got_over(table: Table) -> None:
    table.publish("2.0")
    (table.home / "origin").write_text(f"{table.root / 'nowhere'}\n")
    assert (table.ask(Wanted.UPDATE).result, table.now.why) == ("failed", "network")
    # The power went while it was fetched: a lock of git's stays, and the word that it is under way.
    (table.home / "origin").write_text(f"{table.upstream}\n")
    (table.home / "source/.git/shallow.lock").touch()
    told = table.root / "var/lib/heelstone-update/state"
    told.write_text("doing=update\nasked=update\n")
    assert (table.now.doing, table.now.result) == (None, "cut")
    assert table.now.installed is not None and table.now.installed.version == "1.0"
    assert table.ask(Wanted.UPDATE).result == "ok"


def test_rubbish_in_the_state_is_no_news(table: Table) -> None:
    own = table.root / "var/lib/heelstone-update"
    (own / "state").write_bytes(b"\xff\0doing=\nversion=1;rm\nresult=ok\nday=" + b"9" * 9000)
    assert (table.now.offered, table.now.result, table.now.able) == ("", "ok", True)
    assert not Updates(table.root / "elsewhere", table.root).look().able


def test_every_reason_is_said_by_the_installer_and_every_step_is_named_by_it() -> None:
    installer = (ROOT / "install.sh").read_text()
    reasons = re.search(r"^reason\(\) \{.*?^\}", SCRIPT.read_text(), re.M | re.S)
    assert reasons is not None
    for words in re.findall(r"\*'([^']+)'\*", reasons[0]):
        assert words in installer.replace('" \\\n\t\t"', " "), words
    named = set(re.findall(r"^\s*step (\w+)$", installer, re.M))
    assert named | {"fetching"} == {name for steps in STEPS.values() for name in steps}
