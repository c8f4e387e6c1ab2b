"""Voice and buzzer: judged by what the programs were told and the pin did."""

from __future__ import annotations

import shutil
import time
import wave
from pathlib import Path

import pytest

from hardware.gpio import gpio_buzzer
from hardware.rhythm import Rhythm
from hardware.sound import Buzzer, Sound, Voice, recordings_folder
from hardware.twin.gpio import GpioTwin
from tests.hardware.conftest import Heard, eventually


def program(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def recorder(tmp_path: Path) -> str:
    """Stands in for espeak-ng: the recording holds the text, `recorded` the call."""
    script = f'echo "$*" >> {tmp_path}/recorded; while [ "$1" != -w ]; do shift; done; cat > "$2"'
    return program(tmp_path / "recorder", script)


@pytest.fixture
def player(tmp_path: Path) -> str:
    """Stands in for aplay: takes 0.2 s for a phrase and writes it to `played`."""
    return program(
        tmp_path / "player", f'cat "$2" >> {tmp_path}/played; echo >> {tmp_path}/played; sleep 0.2'
    )


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_a_phrase_is_recorded_once_and_played_each_time(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    folder = tmp_path / "voice"
    voice = Voice(heard, language="en", volume=0.5, folder=folder, recorder=recorder, player=player)
    voice.say("--Your move, Jürgen")
    assert eventually(lambda: len(lines(tmp_path / "played")) == 1)
    voice.say("--Your move, Jürgen")
    assert eventually(lambda: len(lines(tmp_path / "played")) == 2)
    voice.close()
    assert lines(tmp_path / "played") == ["--Your move, Jürgen"] * 2
    assert len(lines(tmp_path / "recorded")) == 1
    assert lines(tmp_path / "recorded")[0].startswith("-v en-gb -a 100 -s 150 -w ")
    assert [path.suffix for path in folder.iterdir()] == [".wav"]


def test_the_latest_phrase_wins_and_nobody_waits(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("first")
    assert eventually(lambda: lines(tmp_path / "played") == ["first"])
    started = time.perf_counter()
    for number in range(100):
        voice.say(f"phrase {number}")
    assert time.perf_counter() - started < 0.1
    assert eventually(lambda: len(lines(tmp_path / "played")) >= 2)
    voice.close()
    assert lines(tmp_path / "played") == ["first", "phrase 99"]


def test_closing_stops_in_the_middle_of_a_phrase(
    tmp_path: Path, recorder: str, heard: Heard
) -> None:
    player = program(tmp_path / "player", f"echo on >> {tmp_path}/played; exec sleep 20")
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("a very long story")
    assert eventually(lambda: lines(tmp_path / "played") == ["on"])
    started = time.monotonic()
    voice.close()
    assert time.monotonic() - started < 2
    assert heard.codes == []


def test_a_missing_program_is_reported_once_with_what_to_do(tmp_path: Path, heard: Heard) -> None:
    voice = Voice(heard, folder=tmp_path, recorder="no-such-espeak", player="no-such-aplay")
    voice.say("hello")
    voice.say("again")
    voice.close()
    assert heard.codes == ["program_missing"]
    assert "sudo apt install no-such-espeak" in voice.report.message


def test_a_failing_program_is_reported_once_and_recovery_too(
    tmp_path: Path, recorder: str, heard: Heard
) -> None:
    script = f"test -e {tmp_path}/card || {{ echo 'no soundcards found.' >&2; exit 1; }}"
    player = program(tmp_path / "player", script)
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("one")
    assert heard.wait_for("program_failed")
    assert heard.reports[0].params["reason"] == "no soundcards found"
    voice.say("two")
    time.sleep(0.1)
    (tmp_path / "card").touch()
    voice.say("three")
    assert heard.wait_for("ready")
    voice.close()
    assert heard.codes == ["program_failed", "ready"]


def test_a_folder_that_cannot_be_written_is_reported(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    (tmp_path / "file").touch()
    voice = Voice(heard, folder=tmp_path / "file" / "voice", recorder=recorder, player=player)
    assert heard.wait_for("folder_failed")
    voice.say("hello")
    voice.close()


def test_old_recordings_make_room(tmp_path: Path, recorder: str, player: str, heard: Heard) -> None:
    for number in range(510):
        (tmp_path / f"{number}.wav").touch()
    voice = Voice(heard, folder=tmp_path, recorder=recorder, player=player)
    assert eventually(lambda: len(list(tmp_path.glob("*.wav"))) == 500)
    voice.close()


def test_the_folder_of_a_service_comes_before_that_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/user")
    monkeypatch.setenv("CACHE_DIRECTORY", "/service:/other")
    assert recordings_folder() == Path("/service/voice")
    monkeypatch.delenv("CACHE_DIRECTORY")
    assert recordings_folder() == Path("/user/heelstone/voice")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", ["de", "en"])
def test_espeak_ng_makes_a_recording_that_can_be_played(
    language: str, tmp_path: Path, player: str, heard: Heard
) -> None:
    folder = tmp_path / "voice"
    voice = Voice(heard, language=language, folder=folder, player="true")
    voice.say("Jürgen führt mit zwölf zu sieben.")
    assert eventually(lambda: bool(list(folder.glob("*.wav"))))
    voice.close()
    with wave.open(str(next(folder.glob("*.wav")))) as recording:
        assert recording.getnframes() / recording.getframerate() > 1


def test_the_buzzer_sounds_twice_for_not_allowed_and_then_is_silent() -> None:
    with GpioTwin() as twin:
        buzzer = Buzzer(gpio_buzzer(18, twin.factory))
        twin.factory.pin(18).clear_states()
        buzzer.buzz(Rhythm.DOUBLE_BLINK)
        assert eventually(lambda: len(twin.factory.pin(18).states) == 5)
        time.sleep(1.0)
        twin.factory.pin(18).assert_states([0, 1, 0, 1, 0])
        assert len(twin.factory.pin(18).states) == 5
        buzzer.close()


def test_a_new_buzz_replaces_the_old_one_and_off_silences() -> None:
    with GpioTwin() as twin:
        buzzer = Buzzer(gpio_buzzer(18, twin.factory))
        buzzer.buzz(Rhythm.SLOW_PULSE)
        assert eventually(lambda: twin.level(18) == 1)
        buzzer.buzz(Rhythm.OFF)
        assert eventually(lambda: twin.level(18) == 0)
        buzzer.buzz(Rhythm.STEADY)
        assert eventually(lambda: twin.level(18) == 1)
        buzzer.close()
        assert twin.level(18) == 0


def test_a_silent_table_takes_every_sound() -> None:
    sound = Sound()
    sound.say("hello")
    sound.buzz(Rhythm.STEADY)
    sound.close()


def test_the_volume_counts_from_the_next_phrase_on(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player, volume=1)
    sound = Sound(voice)
    assert sound.volume == 1
    sound.say("loud")
    assert eventually(lambda: lines(tmp_path / "played") == ["loud"])
    sound.volume = 0
    sound.say("silent")
    sound.volume = 0.25
    assert eventually(lambda: len(lines(tmp_path / "recorded")) == 1)
    sound.say("soft")
    assert eventually(lambda: lines(tmp_path / "played")[-1] == "soft")
    sound.close()
    calls = lines(tmp_path / "recorded")
    assert "-a 200 " in calls[0]
    assert "-a 50 " in calls[-1]
    with pytest.raises(ValueError, match="0 to 1"):
        sound.volume = 2


def test_a_table_without_a_voice_takes_any_volume() -> None:
    sound = Sound()
    sound.volume = 0.5
    assert sound.volume == 0
    sound.close()
