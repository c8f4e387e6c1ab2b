"""Settings that can be read and cannot work: whoever starts and whoever checks says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.application import Application
from companion.settings.settings import load_settings
from companion.settings.validating import faults
from companion.support.doctor import examine

WRONG = [
    ("[rig.buttons]\ncomit = 17", "no button called 'comit'"),
    ('[rig.buttons]\nundo = "enter"', "rig.buttons.undo is 'enter'"),
    ("[rig.buttons]\nundo = 17\nredo = 17", "for rig.buttons.undo and for rig.buttons.redo"),
    ('[rig.sound]\nkind = "buzzer"', "[rig.sound] names no GPIO pin"),
    ('[rig.sound]\nkind = "voice"\npin = 4\n[rig.buttons]\nundo = 4', "GPIO 4 is used twice"),
    ('[rig.lamps]\nkind = "gpio"', "[rig.lamps] names no GPIO pin"),
    ('[rig.lamps]\nkind = "wled"\nport = "/dev/x"', "needs 'count'"),
    ('[rig.lamps]\nkind = "wled"\ncount = 4', "[rig.lamps] needs 'port'"),
    ('[rig.lamps]\nkind = "display"', "needs a display with lamps"),
    ('[rig.score]\nkind = "cfa635"', "[rig.score] needs 'port'"),
    (
        '[rig.score]\nkind = "cfa635"\nport = "/dev/x"\n'
        '[rig.lamps]\nkind = "adalight"\nport = "/dev/x"\ncount = 3',
        "have the same 'port', /dev/x",
    ),
    (
        '[rig.score]\nkind = "pico"\nport = "/dev/x"\n[rig.lamps]\nkind = "display"\ncount = 200',
        "a Pico lights 100 lamps at most",
    ),
    ("[lamp_sites.chess]\nA = 1", "a box that does not exist: 'chess'"),
    ("[lamp_sites.knizia_stonehenge]\nH111 = 1", "no such field"),
    (
        '[rig.lamps]\nkind = "gpio"\npins = [4, 5]\n[lamp_sites.knizia_stonehenge]\nA = [1, 2]',
        "names lamp 2 for 'A', but the lamps are numbered 0 to 1",
    ),
    ('[camera]\nbare = ["stoen"]', "names 'stoen' in [camera] bare"),
    ("[camera]\nwidth = 1920", "'width' and 'height'"),
    ('[mqtt]\nhost = "b"\nca_file = "/ca.pem"', "ca_file is ignored without tls"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_the_program_and_the_doctor_say_the_same_of_settings_that_cannot_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    settings = load_settings(file)
    found = [fault.told("en") for fault in faults(settings, file)]
    assert len(found) == 1
    assert said in found[0] and str(file) in found[0]
    assert [f.text for f in examine(tmp_path, file, "en") if f.check == "settings"] == found
    house = Application(settings, tmp_path / "state", "en", file)
    try:
        assert [notice.told("en") for notice in house.notices()] == found
        assert found[0] in caplog.messages
    finally:
        house.close()
    german = faults(settings, file)[0].told("de")
    assert german != found[0] and "{" not in german


def test_a_file_that_is_not_there_is_not_called_fine(tmp_path: Path) -> None:
    (found,) = (f for f in examine(tmp_path, tmp_path / "none.toml", "en") if f.check == "settings")
    assert (found.level, "no settings file" in found.text) == ("ok", True)
