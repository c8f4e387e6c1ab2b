"""Benches of the workshop, without a screen: devices, camera, reports, preferences."""

from __future__ import annotations

import json
import logging
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.journal.store import Journal
from companion.match.view import Undo
from companion.presentation.announcement import Urgency
from companion.settings.language import find_language
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from companion.support.captures import MOST_MOMENTS, Evidence, Moments
from companion.support.log import RecentLog
from companion.support.report import Redactor, Report
from hardware.displays.cfa635 import ROM as CFA635_ROM
from hardware.displays.lettering import ASCII_ROM, HD44780_A00_ROM
from hardware.displays.segments import Digits
from hardware.rhythm import Rhythm
from hardware.settings import RigSettings, ScoreSettings
from rules.games import find_game, game_ids
from tests.support.command import Heelstone
from tests.support.table_setup import tap_move
from tests.support.workshop_application import GAME, LAMPS, begin, house, wait

NAMES = ("Annabell", "Jörg", "Max")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Application]:
    found = house(tmp_path)
    yield found
    found.close()


def twins(found: Application) -> dict[str, Any]:
    return dict(found.rig.twins)


# -- devices ------------------------------------------------------------------------------------


def test_a_lamp_that_is_tried_glows_and_only_that_one(home: Application) -> None:
    home.workshop.devices.borrow()
    home.workshop.devices.light([4], "stop")
    wait(lambda: any(twins(home)["lamps"].pixels[4]))
    assert [n for n, pixel in enumerate(twins(home)["lamps"].pixels) if any(pixel)] == [4]
    home.workshop.devices.light(range(LAMPS), "ok")
    wait(lambda: all(any(pixel) for pixel in twins(home)["lamps"].pixels))
    red, green, blue = home.workshop.devices.lamp_colours()[0]
    assert green > blue > red, "as bright as people see it, not as little as is sent"
    assert green > 140


def test_after_a_test_lamps_and_display_show_what_the_match_wants(home: Application) -> None:
    session = begin(home)
    score = twins(home)["score"]
    wait(lambda: "Annabell" in "".join(score.rows()))
    home.workshop.devices.borrow()
    home.rig.score.show(["test"])
    home.workshop.devices.light(range(LAMPS), "ok")
    wait(lambda: score.rows()[0].startswith("test"))
    session.post(tap_move("p0 place 2 C"))
    wait(lambda: session.view.ply == 2)
    assert score.rows()[0].startswith("test"), "the match must not write meanwhile"
    home.workshop.devices.give_back()
    wait(lambda: "Annabell" in "".join(score.rows()))
    wait(lambda: sum(any(p) for p in twins(home)["lamps"].pixels) == 1)
    assert session.view.ply == 2


def test_without_a_match_everything_is_dark_after_a_test(home: Application) -> None:
    home.workshop.devices.borrow()
    home.rig.score.show(["test"])
    home.workshop.devices.light([1], "ok")
    wait(lambda: twins(home)["score"].rows()[0].startswith("test"))
    home.workshop.devices.give_back()
    wait(lambda: not "".join(twins(home)["score"].rows()).strip())
    wait(lambda: not any(any(p) for p in twins(home)["lamps"].pixels))


def test_a_button_that_is_tried_plays_no_move(home: Application) -> None:
    session = begin(home)
    session.post(tap_move("p0 place 2 C"))
    wait(lambda: session.view.ply == 2)
    home.workshop.devices.borrow()
    home.workshop.devices.push("undo", True)
    wait(lambda: home.workshop.devices.pressed() == {"undo"})
    assert home.rig.buttons.down == {"undo"}
    home.workshop.devices.push("undo", False)
    wait(lambda: not home.rig.buttons.down)
    assert home.workshop.devices.pressed() == {"undo"}
    session.settle()
    assert session.view.ply == 2
    home.workshop.devices.give_back()
    home.workshop.devices.push("undo", True)
    wait(lambda: session.view.ply == 0)


def test_voice_and_buzzer_are_heard(home: Application) -> None:
    home.rig.sound.say("Hallo")
    home.workshop.devices.buzz("ask")
    assert twins(home)["sound"].said[-1] == "Hallo"
    assert twins(home)["sound"].buzzed[-1] is Rhythm.SLOW_PULSE


def test_a_table_without_devices_says_so(tmp_path: Path) -> None:
    found = house(tmp_path, camera=False, devices=False)
    bench, rig = found.workshop.devices, found.rig
    assert (rig.lamps.count, list(rig.buttons.names), bench.display().rows) == (0, [], ())
    assert not (rig.sound.speaks or rig.sound.buzzes or bench.can_push("undo"))
    bench.borrow()
    bench.light([3], "ok")
    bench.give_back()
    found.workshop.camera.watch()
    assert found.workshop.camera.look().source == ""
    found.close()


def test_a_real_display_is_drawn_as_it_was_sent(home: Application) -> None:
    home.rig.twins.pop("score")
    home.rig.score.show(["Anna\t12"])
    face = home.workshop.devices.display()
    assert face.real
    assert face.rows[0] == "Anna" + " " * 14 + "12"


def test_a_real_display_is_drawn_with_the_letters_it_has(
    home: Application, monkeypatch: Any
) -> None:
    home.rig.twins.pop("score")
    home.rig.score.show(["Äpfel"])
    for rom, shown in ((CFA635_ROM, "Äpfel"), (HD44780_A00_ROM, "äpfel"), (ASCII_ROM, "Aepfel")):
        monkeypatch.setattr(home.rig.score, "rom", rom)
        assert home.workshop.devices.display().rows[0].rstrip() == shown


def test_four_digits_are_drawn_as_they_shine(home: Application, monkeypatch: Any) -> None:
    home.rig.twins.pop("score")
    monkeypatch.setattr(home.rig.score, "columns", 4)
    monkeypatch.setattr(home.rig.score, "rows", 1)
    monkeypatch.setattr(home.rig.score, "digits", Digits(4, colon=True))
    home.rig.score.show(["07.:05"])
    digits = home.workshop.devices.display().digits
    assert digits is not None
    assert (digits.letters, digits.dots, digits.colon) == ("0705", frozenset({1}), True)


# -- lamps and preferences ----------------------------------------------------------------------


def test_places_shown_on_the_screen_count_at_once_and_after_a_restart(tmp_path: Path) -> None:
    found = house(tmp_path, camera=False)
    session = begin(found)
    assert found.workshop.lamps.keep(GAME, {"C": (30,)}) == ""
    session.post(tap_move("p0 place 2 C"))
    wait(lambda: any(twins(found)["lamps"].pixels[30]))
    found.close()
    again = house(tmp_path, camera=False)
    assert again.workshop.lamps.places(GAME) == {"C": (30,)}
    assert again.workshop.lamps.found(GAME)
    again.workshop.lamps.forget(GAME)
    assert len(again.workshop.lamps.places(GAME)) > 20
    again.close()


def test_a_disk_that_refuses_keeps_the_old_places(home: Application) -> None:
    (home.state / "lamps").write_text("a file where a folder should be")
    before = home.workshop.lamps.places(GAME)
    assert "lamps" in home.workshop.lamps.keep(GAME, {"C": (30,)})
    assert home.workshop.lamps.places(GAME) == before


def test_brightness_voice_and_language_count_at_once_and_after_a_restart(tmp_path: Path) -> None:
    found = house(tmp_path, camera=False)
    begin(found)
    found.preferences.choose(brightness=0.1, speech="quiet", lang="de")
    assert found.rig.lamps.brightness == 0.1
    assert found.director.speech is not None
    assert found.director.speech.least > Urgency.NEWS
    wait(lambda: "am Zug" in "".join(twins(found)["score"].rows()))
    found.close()
    again = house(tmp_path, camera=False, lang=find_language(("--data", str(tmp_path))))
    assert again.director.speech is not None
    assert (again.lang, again.rig.lamps.brightness) == ("de", 0.1)
    again.close()


def test_the_voice_says_as_much_as_was_chosen(tmp_path: Path) -> None:
    found = house(tmp_path, camera=False)
    session, said = begin(found), twins(found)["sound"].said
    heard: dict[str, str] = {}
    for level in ("quiet", "short", "full"):
        found.preferences.choose(speech=level)
        said.clear()
        session.post(tap_move("p1 place 2 C"))
        heard[level] = wait(lambda: said and said[-1])
        said.clear()
        session.post(tap_move("p0 place 2 C"))
        wait(lambda: session.view.prompt.player == 1)
        session.settle()
        heard[f"{level} turn"] = " ".join(said)
        session.post(Undo())
        session.settle()
    assert heard["quiet"] == heard["short"]
    assert len(heard["full"]) > len(heard["short"]) + 20, "the reason is said too"
    assert heard["quiet turn"] == ""
    assert "is finished" in heard["full turn"] or "done" in heard["full turn"]
    found.close()


# -- the camera ---------------------------------------------------------------------------------


def test_the_camera_is_looked_through_without_a_match(home: Application) -> None:
    home.workshop.camera.watch(GAME)
    look = wait(lambda: (found := home.workshop.camera.look()).picture is not None and found)
    assert look.board == "found"
    assert ("C", "Black stone 2") in look.beliefs
    assert look.light > 0.2
    assert home.workshop.camera.look() is look, "the same picture is worked out once"
    home.workshop.camera.unwatch()
    assert home.workshop.camera.look().picture is None


def test_during_a_match_its_own_eyes_are_looked_through(home: Application) -> None:
    home.start(MatchSetup(GAME, 2, {}, names=("", ""), physical=True))
    eyes = home.eyes
    assert eyes is not None
    home.workshop.camera.watch("dolmengoetter")
    look = wait(lambda: (found := home.workshop.camera.look()).picture is not None and found)
    assert (look.game, look.board) == (GAME, "found")
    home.workshop.camera.unwatch()
    assert home.eyes is eyes
    assert eyes.snapshot() is not None


# -- moments and reports ------------------------------------------------------------------------


def test_a_moment_keeps_pictures_and_beliefs_and_survives_a_restart(home: Application) -> None:
    home.workshop.camera.watch(GAME)
    wait(lambda: home.workshop.camera.look().picture is not None)
    assert home.workshop.report.remember_moment() == ""
    (moment,) = Moments(home.state / "reports" / "moments").all()
    assert set(moment.pictures) == {"frame", "seen"}
    assert moment.facts["camera"]["sites"]["C"]["stone black 2"] == 0.0
    assert home.workshop.report.moments() == [moment.name]


def test_only_the_newest_moments_stay(tmp_path: Path) -> None:
    moments = Moments(tmp_path)
    for number in range(MOST_MOMENTS + 3):
        moments.keep(Evidence(f"2026-{number:02}", {"n": number}, {"frame": b"x"}))
    assert len(moments.names()) == MOST_MOMENTS
    assert moments.all()[0].facts == {"n": MOST_MOMENTS + 2}


def test_a_clock_that_went_back_costs_no_moment(tmp_path: Path) -> None:
    moments = Moments(tmp_path)
    for number in range(MOST_MOMENTS):
        moments.keep(Evidence(f"20270101-1200{number:02}-0", {"n": number}, {"frame": b"x"}))
    for number in range(2):
        moments.keep(Evidence(f"19700101-0000{number:02}-0", {"old": number}, {"frame": b"y"}))
    assert [m.facts for m in moments.all()[:3]] == [
        {"old": 1}, {"old": 0}, {"n": MOST_MOMENTS - 1},
    ]  # fmt: skip
    assert len(moments.names()) == MOST_MOMENTS
    assert len(list(tmp_path.glob("*.jpg"))) == MOST_MOMENTS


def test_pictures_whose_facts_found_no_room_do_not_stay_for_ever(tmp_path: Path) -> None:
    moments = Moments(tmp_path)
    (tmp_path / "20261121-101010-1-frame.jpg").write_bytes(b"left over")
    (tmp_path / "20261121-101010-2.json").write_text("[" * 100_000)
    moments.keep(Evidence("20261121-101010-3", {}, {"frame": b"x"}))
    assert [path.name for path in tmp_path.glob("*.jpg")] == ["20261121-101010-3-frame.jpg"]
    assert [moment.name for moment in moments.all()] == ["20261121-101010-3"]
    assert not list(tmp_path.glob("2026-00*"))


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_report_holds_everything_and_no_name(home: Application) -> None:
    session = begin(home, NAMES[:2])
    for move in ("p0 place 2 C", "p0 done"):
        session.post(tap_move(move))
    wait(lambda: session.view.ply == 2)
    logging.getLogger("companion").warning("Annabell and J\xf6rg, %r, at %s", "Jörg", home.state)
    home.workshop.camera.watch(GAME)
    wait(lambda: home.workshop.camera.look().picture is not None)
    home.workshop.report.remember_moment()
    path = home.workshop.report.write()
    assert path.parent == home.state / "reports"
    found = members(path)
    assert {
        "README.txt", "versions.json", "settings.json", "doctor.txt", "log.txt", "beliefs.json",
        "match.jsonl", "pictures/now-frame.jpg", "pictures/now-seen.jpg",
    } <= set(found)  # fmt: skip
    assert sum(name.startswith("moments/") for name in found) == 2
    everything = b"\n".join(data.lower() for data in found.values())
    for secret in ("annabell", "jörg", "j\\xf6rg", "j\\u00f6rg", str(home.state).lower()):
        assert secret.encode() not in everything, f"the report tells '{secret}'"
    assert not any("annabell" in name for name in found)
    head, *events = found["match.jsonl"].decode().splitlines()
    assert json.loads(head)["match"]["names"] == ["seat 1", "seat 2"]
    bodies = [json.loads(line)["body"] for line in events]
    moves = [body["move"] for body in bodies if "move" in body]
    assert moves == ["p0 place 2 C", "p0 done"]
    assert "seat 1 and seat 2" in found["log.txt"].decode()
    assert "MovesCommitted" in found["log.txt"].decode()
    now = json.loads(found["beliefs.json"])["now"]
    assert now["table"]["ply"] == 2
    assert now["camera"]["board"] == "found"
    assert json.loads(found["settings.json"])["rig"]["lamps"]["count"] == LAMPS


def test_a_computer_that_drives_the_display_is_not_named(tmp_path: Path) -> None:
    settings = Settings(
        rig=RigSettings(score=ScoreSettings(kind="lcdd", options={"host": "annas-laptop"}))
    )
    path = Report(tmp_path, tmp_path / "settings.toml", settings, "en").write()
    assert json.loads(members(path)["settings.json"])["rig"]["score"]["options"] == {"host": "…"}
    assert b"annas-laptop" not in b"".join(members(path).values())


def test_the_match_of_a_report_can_be_replayed(home: Application, tmp_path: Path) -> None:
    session = begin(home)
    session.post(tap_move("p0 place 2 C"))
    wait(lambda: session.view.ply == 2)
    text = members(home.workshop.report.write())["match.jsonl"].decode()
    with Journal(tmp_path / "other" / "journal.db") as journal:
        assert journal.load(journal.import_match(text, "report").header.id).ply == 2


def test_what_a_report_saw_and_heard_can_be_rehearsed(
    home: Application, heelstone: Heelstone, tmp_path: Path
) -> None:
    session = begin(home, NAMES[:2])
    session.post(tap_move("p0 place 2 C"))
    wait(lambda: session.view.ply == 2)
    home.workshop.report.remember_moment()
    report, scene = home.workshop.report.write(), tmp_path / "scene.jsonl"
    assert heelstone("rehearse", "--from-report", report, "--out", scene).code == 0
    (moment,) = home.workshop.report.moments()
    for given in ((GAME, scene), ("--from-report", report, "--moment", moment)):
        assert heelstone("rehearse", *given, "--json").records[-1]["moves"] == ["p0 place 2 C"]
    no_report = tmp_path / "no.zip"
    no_report.write_text("nothing")
    told = heelstone("rehearse", "--from-report", no_report).complaint()
    assert told == f"{no_report} is not a problem report"


def test_a_report_stays_small_and_drops_the_oldest_pictures(tmp_path: Path) -> None:
    noise = [bytes((n * 7 + k * k) % 251 for k in range(40_000)) for n in range(6)]
    evidence = [Evidence(f"m{n}", {}, {"frame": data}) for n, data in enumerate(noise)]
    report = Report(tmp_path, tmp_path / "settings.toml", Settings(), "en", evidence=evidence)
    path = report.write(most_bytes=150_000)
    assert path.stat().st_size <= 150_000
    found = members(path)
    assert "pictures/m0-frame.jpg" in found, "the newest picture stays"
    assert "moments/m5-frame.jpg" not in found
    assert report.left_out == 6 - sum(name.endswith(".jpg") for name in found)
    assert f"{report.left_out} older picture(s)" in found["README.txt"].decode()


def test_a_report_that_cannot_be_written_leaves_nothing_behind(home: Application) -> None:
    (home.state / "reports").write_text("a file where a folder should be")
    with pytest.raises(OSError):
        home.workshop.report.write()
    (home.state / "reports").unlink()
    assert home.workshop.report.write().exists()


def test_the_command_writes_a_report_with_the_log_of_the_last_run(
    tmp_path: Path, heelstone: Heelstone
) -> None:
    state = tmp_path / "state" / "heelstone"
    found = house(state)
    begin(found, NAMES[:2])
    logging.getLogger("companion").warning("this run went wrong for Annabell")
    found.close()
    out = str(tmp_path / "report.zip")
    done = heelstone("report", "--lang", "en", "--out", out, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["bytes"] == (tmp_path / "report.zip").stat().st_size
    log = members(tmp_path / "report.zip")["log.txt"].decode()
    assert "this run went wrong for seat 1" in log
    shutil.rmtree(state)
    assert heelstone("report", "--lang", "de").out.startswith("Der Bericht ist ")


# -- the veil -----------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["a.", "a+", "-a", "1.", "0:", "00:", "/a", "psk=", "a@", "a://"])
def test_what_strangers_wrote_into_the_log_is_veiled_in_no_time(part: str) -> None:
    """The square of this length would take half an hour."""
    veil = Redactor({"Anna": "seat 1"}, {})
    assert veil(f"{part * 150_000} Anna").endswith("seat 1")


def test_names_folders_and_networks_are_veiled() -> None:
    veil = Redactor(
        {"Anna": "seat 1", "Anna Lena": "seat 2", "Al": "seat 3"}, {Path("/srv/x"): "<s>"}
    )
    assert veil("Anna Lena und ANNA, Al spielt alles") == "seat 2 und seat 1, seat 3 spielt alles"
    assert veil("/srv/x/journal.db") == "<s>/journal.db"
    assert veil(f"{Path.home()}/y") == "~/y"
    assert veil("rtsp://u:pw@10.0.0.5/cam") == "rtsp://…"
    assert veil("(a.b+c@d-e.example), x") == "(…), x"
    assert veil("socket 192.168.178.20:13666, 00:1A:2b:3c:4d:5e") == "socket …, …"
    kept = Redactor({}, {}, ["5.0.0.93"])
    assert kept("opencv-python 5.0.0.93 at 5.0.0.94") == "opencv-python 5.0.0.93 at …"
    assert veil("fe80::1ff:fe23:4567:890a") == "…"
    assert veil("File /opt/secret/place/table.py, line 3") == "File …/table.py, line 3"
    assert veil("/dev/serial/by-id/usb-FTDI_A9XYZ1-if00") == "/dev/serial/by-id/…"
    assert veil("/dev/video0 at 12:34:56") == "/dev/video0 at 12:34:56"
    assert veil.data({"n": ["Anna", 3, None, {"Anna": True}]}) == {
        "n": ["seat 1", 3, None, {"seat 1": True}]
    }


def test_the_log_keeps_the_last_minutes_and_lets_go() -> None:
    recent = RecentLog(keep_s=60.0, most_lines=5).start()
    logger = logging.getLogger("companion.test")
    for number in range(7):
        logger.info("line %s", number)
    recent.stop()
    logger.info("unheard")
    lines = recent.lines()
    assert [line[-6:] for line in lines] == [f"line {n}" for n in range(2, 7)]
    assert recent.lines(now_s=1e12) == []


def test_benches_offer_games_on_boards_only(home: Application) -> None:
    assert set(home.workshop.games()) == {game for game in game_ids() if find_game(game).watched}
