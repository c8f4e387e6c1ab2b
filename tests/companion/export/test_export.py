"""Matches taken along: as a code, and on a stick."""

from __future__ import annotations

import errno
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.export.bg_stats import LONGEST_LINK, play_link
from companion.export.qr import LONGEST_TEXT, QUIET, code_of
from companion.export.sticks import Stick, StickDesk, StickError, has_unmounted, keep_on, sticks_in
from companion.journal.store import Journal
from companion.match.looking_back.history import Recording
from companion.match.looking_back.library import Library
from rules.games import find_game, game_ids
from tests.support.library import finished
from tests.support.match_over import LONGEST, recording

A_YEAR_AGO = 1_764_000_000.0


def said(link: str | None) -> dict[str, Any]:
    assert link is not None
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == (
        "https", "app.bgstatsapp.com", "/createPlay.html",
    )  # fmt: skip
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    told: dict[str, Any] = json.loads(data)
    return told


def test_a_play_says_who_played_what_when_and_how_it_ended() -> None:
    match = recording("dominion", 3, ("Anna", "", "Cleo"))
    assert match.outcome is not None
    play = said(play_link(match, "de"))
    assert (play["sourceName"], play["sourcePlayId"]) == ("Heelstone", "a1b2c3")
    assert play["playDate"].startswith("2026-09-21 ")
    # The break does not count.
    assert play["durationMin"] == round((len(match) - 1) * 10 / 60)
    assert play["game"] == {
        "name": "Dominion", "sourceGameId": "dominion", "bggId": 36218,
        "highestWins": True, "noPoints": False,
    }  # fmt: skip
    anna, red, cleo = play["players"]
    assert (anna["name"], red["name"], cleo["name"]) == ("Anna", "Rot", "Cleo")
    assert [p["score"] for p in play["players"]] == list(match.outcome.scores)
    assert {p["rank"] for p in play["players"] if p["winner"]} == {1}
    assert sum(p["startPlayer"] for p in play["players"]) == 1
    # BG Stats recognises people by these in the next play.
    again = said(play_link(recording("dominion", 2, ("Cleo", "Ben")), "en"))
    assert again["players"][0]["sourcePlayerId"] == cleo["sourcePlayerId"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("A&data=%7B%7D#x", "A&data=%7B%7D#x"), ('"},{"winner":true', '"},{"winner":true'),
        ("\u202eadA", "\ufffdadA"), ("A\ud800", "A\ufffd"), ("\u001b[2J\u0000", "\ufffd[2J\ufffd"),
        ("Ada\r\nHost: x", "Ada\ufffd\nHost: x"), ("Zoë 👩‍🚀", "Zoë 👩‍🚀"), ("x" * 5_000, "x" * 12),
    ],
)  # fmt: skip
def test_a_name_is_a_name_in_link_and_code_whatever_it_looks_like(name: str, told: str) -> None:
    link = play_link(recording("dominion", 2, (name, "Ben")), "en", LONGEST_TEXT)
    play = said(link)
    assert [player["name"] for player in play["players"]] == [told, "Ben"]
    assert link is not None and link.isascii() and link.isprintable() and code_of(link)


def test_a_shared_place_leaves_the_next_one_free_and_partners_win_together() -> None:
    council = said(play_link(recording("hoher_rat", 4), "en"))["players"]
    assert sorted(p["rank"] for p in council) == [1, 1, 3, 3]
    assert [p["winner"] for p in council] == [p["rank"] == 1 for p in council]


def test_what_everybody_lost_nobody_won() -> None:
    for seed in range(40):
        rolled = recording("rollende_steine", 2, seed=seed)
        assert rolled.outcome is not None
        players = said(play_link(rolled, "en"))["players"]
        lost = rolled.outcome.reason == "out_of_discs"
        assert [p["winner"] for p in players] == [not lost] * 2
        if lost:
            return
    raise AssertionError("nobody ever lost")


@pytest.mark.parametrize("game", game_ids())
def test_the_code_of_every_game_with_most_players_and_longest_names_is_coarse_enough(
    game: str,
) -> None:
    players = find_game(game).players[-1]
    match = recording(game, players, LONGEST[:players])
    link = play_link(match, "de", LONGEST_TEXT)
    assert link is not None and len(link) <= LONGEST_TEXT < LONGEST_LINK
    names = [player["name"] for player in said(link)["players"]]
    assert all(name and whole.startswith(name) for name, whole in zip(names, LONGEST, strict=False))
    # 3 px each in 375 px, which the smallest screen has.
    assert len(code_of(link)) + 2 * QUIET <= 125


def test_a_match_that_is_not_over_is_no_play() -> None:
    match = recording("knizia_stonehenge", 2)
    assert play_link(Recording(match.header, []), "de") is None


def test_an_entry_put_right_a_year_later_does_not_move_the_end() -> None:
    now = A_YEAR_AGO
    with Journal(":memory:", clock=lambda: now) as journal:
        finished(journal)
        now = time.time()
        library = Library(journal, Path())
        before = said(play_link(library.recording("m1"), "en"))
        recorded = library.recording("m1")
        last = len(recorded)
        library.amend("m1", last, recorded.entries[last - 1 :])
        after = library.recording("m1")
        assert after.ended_s == recorded.ended_s == A_YEAR_AGO
        assert said(play_link(after, "en"))["players"] == before["players"]


def told(*parts: dict[str, object]) -> str:
    """The output of lsblk about the computer's own disk and of a stick with these parts."""
    own = {"name": "mmcblk0", "type": "disk", "hotplug": True, "rm": False, "mountpoint": None,
           "children": [{"name": "mmcblk0p2", "hotplug": True, "mountpoint": "/"}]}  # fmt: skip
    stick = {"name": "sda", "type": "disk", "hotplug": True, "rm": True, "tran": "usb",
             "model": "Ultra Fit ", "mountpoint": None, "children": list(parts)}  # fmt: skip
    return json.dumps({"blockdevices": [own, *([stick] if parts else [])]})


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def stick_in(folder: Path) -> Stick:
    return Stick("LISA", folder, 1 << 30, True)


def test_only_what_was_plugged_in_is_a_stick(tmp_path: Path) -> None:
    part = {"name": "sda1", "hotplug": True, "label": "LISA", "mountpoint": str(tmp_path)}
    (found,) = sticks_in(told(part), [tmp_path.parent])
    assert (found.name, found.folder, found.writable) == ("LISA", tmp_path, True)
    assert sticks_in(told({**part, "label": None}), [tmp_path.parent])[0].name == "Ultra Fit"
    assert sticks_in(told(part)) == [] and sticks_in(told()) == []
    assert not has_unmounted(told(part)) and has_unmounted(told({**part, "mountpoint": None}))
    for rubbish in ("", "{", "[]", '{"blockdevices": 3}', '{"blockdevices": [null, {}]}'):
        assert sticks_in(rubbish) == []


def test_a_file_is_whole_on_the_stick_before_anybody_is_told(tmp_path: Path) -> None:
    path = keep_on(stick_in(tmp_path), "Dominion Anna.jsonl", b"all of it")
    assert path.read_bytes() == b"all of it"
    assert names_in(tmp_path) == ["Dominion Anna.jsonl"]


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "stick_full"), (errno.EROFS, "stick_read_only"), (errno.EIO, "stick_gone"),
     (errno.EPERM, "stick_unwritable")],
)  # fmt: skip
def test_what_goes_wrong_on_a_stick_is_said_and_leaves_nothing_half(
    number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(StickError) as raised:
        keep_on(stick_in(tmp_path), "a.jsonl", b"x")
    assert raised.value.sentence.code == code
    assert names_in(tmp_path) == []


def test_a_full_or_locked_stick_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    stick = stick_in(tmp_path)
    for other, code in ((replace(stick, free_bytes=10), "stick_full"),
                        (replace(stick, writable=False), "stick_read_only")):  # fmt: skip
        with pytest.raises(StickError) as raised:
            keep_on(other, "a.jsonl", b"x")
        assert raised.value.sentence.code == code
    assert names_in(tmp_path) == []


def test_a_stick_pulled_out_while_it_is_written_is_never_called_safe(tmp_path: Path) -> None:
    folder = tmp_path / "LISA"
    folder.mkdir()

    def pull_out() -> None:
        if folder.exists():
            folder.rename(tmp_path / "gone")

    with pytest.raises(StickError) as raised:
        keep_on(stick_in(folder), "a.jsonl", b"x", pull_out)
    assert raised.value.sentence.code == "stick_gone"


def test_the_desk_sees_a_stick_come_and_go_and_keeps_two_matches_of_one_name(
    tmp_path: Path,
) -> None:
    part: dict[str, object] = {"name": "sda1", "mountpoint": str(tmp_path)}
    now = told()
    desk = StickDesk(lambda: now, [tmp_path.parent])

    def seen() -> tuple[Stick, ...]:
        desk.look()
        return desk.news.sticks

    assert seen() == ()
    now = told(part)
    (stick,) = seen()
    for match_id in ("a1", "b2", "a1"):
        content = json.dumps({"match": {"id": match_id}}).encode()
        desk.keep(stick, ("Dominion.jsonl", content), ("Dominion.png", b"picture"))
        assert desk.news.writing
        desk.look()
        assert not desk.news.writing and desk.news.kept is not None
        assert desk.news.kept.read_bytes() == content
    assert names_in(tmp_path) == ["Dominion (2).jsonl", "Dominion.jsonl", "Dominion.png"]
    now = told()
    assert seen() == () and desk.news.kept is not None
