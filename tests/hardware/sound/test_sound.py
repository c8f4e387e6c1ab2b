"""Voice and buzzer: judged by what the programs were told and the pin did."""

from __future__ import annotations

import errno
import os
import time
import wave
from pathlib import Path

import pytest

from hardware.lamps.lamps import Drawing, Light
from hardware.rhythm import Rhythm
from hardware.simulated.gpio import GpioTwin
from hardware.sound.buzzer import BUZZ_S, Buzzer, gpio_output, sounds
from hardware.sound.recordings import HEADER, Recordings, finished, is_whole, recordings_folder
from hardware.sound.sound import Sound
from hardware.sound.voice import VOICES, Voice
from tests.hardware.conftest import Heard
from tests.support.needed import needs
from tests.support.rig import rig_of
from tests.support.waiting import until

ENDLESS = HEADER.pack(
    b"RIFF", 0x7FFFF024, b"WAVE", b"fmt ", 16, 1, 1, 22050, 44100, 2, 16, b"data", 0x7FFFF000
)

"""The header that espeak-ng writes to a pipe: it does not know how long it will speak."""


def program(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def recorder(tmp_path: Path) -> str:
    """Stands in for espeak-ng: the recording holds the text, `recorded` the call."""
    (tmp_path / "header").write_bytes(ENDLESS)
    script = f'echo "$*" >> {tmp_path}/recorded; cat {tmp_path}/header -'
    return program(tmp_path / "recorder", script)


@pytest.fixture
def player(tmp_path: Path) -> str:
    """Stands in for aplay: writes the phrase to `played`."""
    script = f"tail -c +45 >> {tmp_path}/played; echo >> {tmp_path}/played"
    return program(tmp_path / "player", script)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_a_phrase_is_recorded_once_and_played_each_time(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    folder = tmp_path / "voice"
    voice = Voice(heard, language="en", volume=0.5, folder=folder, recorder=recorder, player=player)
    voice.say("--Your move, Jürgen")
    assert until(lambda: len(lines(tmp_path / "played")) == 1)
    voice.say("--Your move, Jürgen")
    assert until(lambda: len(lines(tmp_path / "played")) == 2)
    voice.close()
    assert lines(tmp_path / "played") == ["--Your move, Jürgen"] * 2
    assert len(lines(tmp_path / "recorded")) == 1
    assert lines(tmp_path / "recorded")[0].startswith("-v en-gb -a 100 -s 150 ")
    assert [path.suffix for path in folder.iterdir()] == [".wav"]


def test_the_latest_phrase_wins_and_nobody_waits(
    tmp_path: Path, recorder: str, heard: Heard
) -> None:
    script = f"tail -c +45 >> {tmp_path}/played; echo >> {tmp_path}/played"
    ends = f"while test ! -e {tmp_path}/said; do sleep 0.01; done"
    player = program(tmp_path / "player", f"{script}; {ends}")
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("first")
    assert until(lambda: lines(tmp_path / "played") == ["first"])
    for number in range(100):
        voice.say(f"phrase {number}")
    (tmp_path / "said").touch()
    assert until(lambda: len(lines(tmp_path / "played")) >= 2)
    voice.close()
    assert lines(tmp_path / "played") == ["first", "phrase 99"]


def test_closing_stops_in_the_middle_of_a_phrase(
    tmp_path: Path, recorder: str, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without an end: one who waits for it is still waiting when this test is given up.
    monkeypatch.setattr("hardware.sound.voice.LONGEST_PHRASE_S", 3600.0)
    player = program(tmp_path / "player", f"echo on >> {tmp_path}/played; exec sleep 3600")
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("a very long story")
    assert until(lambda: lines(tmp_path / "played") == ["on"])
    voice.close()
    assert heard.codes == []


def test_a_missing_program_is_reported_once_with_what_to_do(tmp_path: Path, heard: Heard) -> None:
    voice = Voice(heard, folder=tmp_path, recorder="no-such-espeak", player="no-such-aplay")
    voice.say("hello")
    voice.say("again")
    voice.close()
    assert heard.codes == ["program_missing"]
    assert "sudo apt install no-such-espeak" in heard.reports[-1].message


def test_a_failing_program_is_reported_once_and_recovery_too(
    tmp_path: Path, recorder: str, heard: Heard
) -> None:
    said = "ALSA lib pcm.c:2666: odd\\naplay: main:831: audio open error: Device or resource busy"
    script = f"test -e {tmp_path}/card || {{ printf '{said}' >&2; exit 1; }}"
    player = program(tmp_path / "player", script)
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("one")
    assert heard.wait_for("program_failed")
    assert heard.reports[0].params["reason"].endswith("audio open error: Device or resource busy")
    voice.say("two")
    assert until(lambda: len(lines(tmp_path / "recorded")) == 2)
    (tmp_path / "card").touch()
    voice.say("three")
    assert heard.wait_for("ready")
    voice.close()
    assert heard.codes == ["program_failed", "ready"]


def test_without_a_sound_card_it_is_said_what_is_missing(
    tmp_path: Path, recorder: str, heard: Heard
) -> None:
    # Messages of aplay 1.2.8 on a computer without a sound card.
    (tmp_path / "said").write_text(
        "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'\n"
        "ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default\n"
        "aplay: main:831: audio open error: No such file or directory\n"
    )
    player = program(tmp_path / "player", f"cat {tmp_path}/said >&2; exit 1")
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("one")
    assert heard.wait_for("no_sound_card")
    voice.close()
    assert "loudspeaker" in heard.reports[0].message


def test_a_folder_that_cannot_be_written_is_said_and_the_voice_speaks(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "voice"
    voice = Voice(heard, folder=folder, recorder=recorder, player=player)
    for number in (1, 2):
        voice.say("hello")
        assert until(lambda n=number: lines(tmp_path / "played") == ["hello"] * n)  # type: ignore[misc]
    assert heard.codes == ["folder_failed"]
    assert heard.reports[0].ok, "the match is not without sound"
    # Room again: the next phrase is kept, and that is said as well.
    (tmp_path / "file").unlink()
    folder.mkdir(parents=True)
    voice.say("hello")
    assert heard.wait_for("ready")
    voice.close()
    assert [path.suffix for path in folder.iterdir()] == [".wav"]


def test_a_rig_whose_recordings_cannot_be_kept_is_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The watchdog ends a service whose rig is dead: it did, once a minute, for a full disk.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("espeak-ng", "aplay"):
        program(programs / name, "exit 0")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    (tmp_path / "file").touch()
    folder = str(tmp_path / "file" / "voice")
    for _ in range(8):
        # Eight times: a thread that was quick to die went unnoticed.
        with rig_of({"sound": {"kind": "voice", "folder": folder}}) as rig:
            assert until(lambda: rig.status()[2].code == "folder_failed")
            voice = rig.sound._speaker
            assert isinstance(voice, Voice)
            assert voice._thread.is_alive()
            assert rig.alive()


def test_a_full_disk_silences_nobody_and_leaves_nothing_behind(
    tmp_path: Path, recorder: str, player: str, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        write(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    folder = tmp_path / "voice"
    voice = Voice(heard, folder=folder, recorder=recorder, player=player)
    voice.say("hello")
    assert until(lambda: lines(tmp_path / "played") == ["hello"])
    voice.close()
    assert heard.codes == ["folder_failed"]
    assert "No space left" in heard.reports[0].message
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kept", [0, 20, 44, 47, 60], ids="bytes-{}".format)
def test_a_recording_torn_by_a_power_cut_is_made_anew(
    kept: int, tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    folder = tmp_path / "voice"
    voice = Voice(heard, folder=folder, recorder=recorder, player=player)
    voice.say("It is your turn, Anna")
    assert until(lambda: len(lines(tmp_path / "played")) == 1)
    (recording,) = folder.glob("*.wav")
    recording.write_bytes(recording.read_bytes()[:kept])
    voice.say("It is your turn, Anna")
    assert until(lambda: len(lines(tmp_path / "played")) == 2)
    voice.close()
    assert lines(tmp_path / "played") == ["It is your turn, Anna"] * 2
    assert len(lines(tmp_path / "recorded")) == 2
    assert is_whole(recording.read_bytes())
    assert heard.codes == []


def test_half_a_letter_silences_nobody(
    tmp_path: Path, recorder: str, player: str, heard: Heard
) -> None:
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("It is your turn, \ud83d")
    assert until(lambda: lines(tmp_path / "played") == ["It is your turn, ?"])
    voice.close()
    assert heard.codes == []


def test_a_recorder_that_records_nothing_is_reported(
    tmp_path: Path, player: str, heard: Heard
) -> None:
    recorder = program(tmp_path / "recorder", "exit 0")
    voice = Voice(heard, folder=tmp_path / "voice", recorder=recorder, player=player)
    voice.say("hello")
    assert heard.wait_for("program_failed")
    voice.close()
    assert heard.reports[0].params["reason"] == "it recorded nothing"
    assert list((tmp_path / "voice").iterdir()) == []


def test_what_was_not_spoken_for_longest_makes_room(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, most=10, most_bytes=10_000)
    recordings.open()
    sound = finished(ENDLESS + bytes(100))
    for number in range(10):
        recordings.keep(str(number), sound)
        path = recordings._path(str(number))
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
    assert recordings.find("0") == sound, "spoken again, it is no longer the oldest"
    recordings.keep("new", sound)
    assert recordings.find("0") and recordings.find("new")
    assert recordings.find("1") is None
    assert len(list(tmp_path.iterdir())) <= 10
    recordings.keep("long", finished(ENDLESS + bytes(9000)))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_000


def test_old_recordings_and_left_overs_make_room_at_the_start(tmp_path: Path) -> None:
    for number in range(510):
        (tmp_path / f"{number}.wav").touch()
    (tmp_path / "half.part").touch()
    Recordings(tmp_path).open()
    assert len(list(tmp_path.glob("*.wav"))) <= 500
    assert not list(tmp_path.glob("*.part"))


def test_the_folder_of_a_service_comes_before_that_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/user")
    monkeypatch.setenv("CACHE_DIRECTORY", "/service:/other")
    assert recordings_folder() == Path("/service/voice")
    monkeypatch.delenv("CACHE_DIRECTORY")
    assert recordings_folder() == Path("/user/heelstone/voice")


@needs("espeak-ng")
@pytest.mark.parametrize("language", ["de", "en"])
def test_espeak_ng_makes_a_recording_that_can_be_played(
    language: str, tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in a service, which has no locale: umlauts are letters there too.
    monkeypatch.setenv("LC_ALL", "C")
    folder = tmp_path / "voice"
    voice = Voice(heard, language=language, folder=folder, player="true")
    voice.say("Jürgen führt mit zwölf zu sieben.")
    assert until(lambda: bool(list(folder.glob("*.wav"))))
    voice.close()
    (path,) = folder.glob("*.wav")
    with wave.open(str(path)) as recording:
        assert recording.getnframes() / recording.getframerate() > 1
    assert is_whole(path.read_bytes())


@needs("espeak-ng")
def test_a_language_that_espeak_ng_lacks_is_named(
    tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(VOICES, "de", "xx")
    voice = Voice(heard, folder=tmp_path / "voice", player="true")
    voice.say("hallo")
    assert heard.wait_for("program_failed")
    voice.close()
    assert "voice" in heard.reports[0].params["reason"]


@pytest.mark.parametrize("rhythm", [Rhythm.STEADY, Rhythm.SLOW_PULSE, Rhythm.DOUBLE_BLINK])
def test_the_buzzer_sounds_while_a_lamp_with_its_rhythm_is_bright(rhythm: Rhythm) -> None:
    drawing = Drawing(1, brightness=1, gamma=1)
    drawing.set({0: Light((255, 255, 255), rhythm)}, now=0.0)
    for step in range(round(BUZZ_S[rhythm] * 1000)):
        ((lamp, _, _),) = drawing.frame(step / 1000)
        assert sounds(rhythm, step / 1000) == (lamp > 127), step
    assert not sounds(rhythm, BUZZ_S[rhythm]), "it is heard once"


@pytest.mark.parametrize("rhythm", [Rhythm.STEADY, Rhythm.SLOW_PULSE, Rhythm.DOUBLE_BLINK])
def test_the_pulses_at_the_buzzers_pin_are_those_of_the_lamp(rhythm: Rhythm) -> None:
    def pulses(bright: list[bool]) -> list[tuple[bool, int]]:
        """Runs of sound and silence, in steps of 10 ms."""
        runs: list[tuple[bool, int]] = []
        for on in bright:
            runs = (
                [*runs[:-1], (on, runs[-1][1] + 1)]
                if runs and runs[-1][0] == on
                else [*runs, (on, 1)]
            )
        return runs

    drawing = Drawing(1, brightness=1, gamma=1)
    drawing.set({0: Light((255, 255, 255), rhythm)}, now=100.0)
    now = [100.0]
    pin: list[bool] = []
    lamp: list[bool] = []
    with GpioTwin() as twin:
        buzzer = Buzzer(gpio_output(18, twin.factory), clock=lambda: now[0])
        buzzer.buzz(rhythm)
        for step in range(round(BUZZ_S[rhythm] * 100)):
            now[0] = 100.0 + step / 100 + 0.001
            buzzer._thread.wake()
            wanted = drawing.frame(now[0])[0][0] > 127
            assert until(lambda: (twin.level(18) == 1) == wanted), step  # noqa: B023
            pin.append(twin.level(18) == 1)
            lamp.append(wanted)
        buzzer.close()
    assert pulses(pin) == pulses(lamp)


def test_the_buzzer_sounds_twice_for_not_allowed_and_then_is_silent() -> None:
    now = 100.0
    with GpioTwin() as twin:
        buzzer = Buzzer(gpio_output(18, twin.factory), clock=lambda: now)
        twin.factory.pin(18).clear_states()
        buzzer.buzz(Rhythm.DOUBLE_BLINK)
        for now, sounding in ((100.0, 1), (100.2, 0), (100.4, 1), (100.6, 0), (101.3, 0)):
            # Its thread looks at the clock by itself when something is to change.
            assert until(lambda: twin.level(18) == sounding), now  # noqa: B023
        time.sleep(0.8)
        twin.factory.pin(18).assert_states([0, 1, 0, 1, 0])
        buzzer.close()


def test_a_new_buzz_replaces_the_old_one_and_off_silences() -> None:
    with GpioTwin() as twin:
        buzzer = Buzzer(gpio_output(18, twin.factory), clock=lambda: 100.0)
        buzzer.buzz(Rhythm.SLOW_PULSE)
        assert until(lambda: twin.level(18) == 1)
        buzzer.buzz(Rhythm.OFF)
        assert until(lambda: twin.level(18) == 0)
        buzzer.buzz(Rhythm.STEADY)
        assert until(lambda: twin.level(18) == 1)
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
    sound.say("loud")
    assert until(lambda: lines(tmp_path / "played") == ["loud"])
    sound.tune("de", 0)
    sound.say("silent")
    assert until(lambda: voice._waiting is None)
    sound.tune("de", 0.25)
    assert until(lambda: len(lines(tmp_path / "recorded")) == 1)
    sound.say("soft")
    assert until(lambda: lines(tmp_path / "played")[-1] == "soft")
    sound.close()
    calls = lines(tmp_path / "recorded")
    assert "-a 200 " in calls[0]
    assert "-a 50 " in calls[-1]
    with pytest.raises(ValueError, match="0 to 1"):
        sound.tune("de", 2)


def test_a_table_without_a_voice_takes_any_volume() -> None:
    sound = Sound()
    sound.tune("en", 0.5)
    sound.close()
