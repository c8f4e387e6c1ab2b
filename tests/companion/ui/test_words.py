"""Words, colours and fonts of the screens, without a screen."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from companion.match.view import SightNote, TableState
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.tokens import INDICATORS, PALETTES, contrast, rgba
from companion.presentation.words.translate import set_language
from companion.presentation.words.troubles import note, troubles
from hardware.rhythm import Rhythm
from hardware.status import GOOD_CODES, TEXTS
from rules.match import Match
from tests.support.ui_harness import LANGS, view_of

UI, WEB, PRESENTATION = (
    Path(str(files(f"companion.{room}"))) for room in ("ui", "web", "presentation")
)


@pytest.mark.parametrize("lang", LANGS)
def test_every_trouble_of_a_device_says_what_to_do(lang: str) -> None:
    set_language(lang)
    match = Match("knizia_stonehenge", 2, physical=True)
    for code in sorted(set(TEXTS) - GOOD_CODES - {"connecting"}):
        (trouble,) = troubles(view_of(match, devices={"score": code}))
        assert trouble.title == {"de": "Anzeige", "en": "Display"}[lang]
        unknown = troubles(view_of(match, devices={"score": "?"}))[0]
        assert trouble.text != unknown.text, f"no sentence for '{code}'"
    both = view_of(match, TableState.BLIND, blind_reason="board_lost", devices={"lamps": "lost"})
    assert len(troubles(both)) == 2
    adjusting = view_of(match, TableState.BLIND, blind_reason="adjusting")
    assert troubles(adjusting)[0].title == note(adjusting) != ""
    (unfocused,) = troubles(view_of(match, notes=(SightNote("unadjusted", ("focus",)),)))
    assert unfocused.page == "camera" and unfocused.text
    assert note(view_of(match)) == ""
    set_language("de")


@pytest.mark.parametrize("name", PALETTES)
def test_words_are_legible_on_every_surface(name: str) -> None:
    palette = PALETTES[name]
    for surface in (palette.night, palette.dusk, palette.slate, palette.stone):
        assert contrast(rgba(palette.bone), rgba(surface)) >= 7
        assert contrast(rgba(palette.ash), rgba(surface)) >= 4.5
    assert contrast(rgba(palette.ink), rgba(palette.dawn_fill)) >= 7
    for sign in (palette.ok, palette.ask, palette.stop, palette.dawn):
        assert contrast(rgba(sign), rgba(palette.night)) >= 3


def test_every_state_has_a_sign_of_its_own_beside_its_colour() -> None:
    assert set(INDICATORS) == set(TableState)
    assert len({indicator.symbol for indicator in INDICATORS.values()}) == len(TableState)
    assert INDICATORS[TableState.ILLEGAL].rhythm is Rhythm.DOUBLE_BLINK
    assert INDICATORS[TableState.AMBIGUOUS].rhythm is Rhythm.SLOW_PULSE
    assert INDICATORS[TableState.SETTLED].rhythm is Rhythm.STEADY


def test_sizes_grow_with_the_short_side() -> None:
    assert theme.scale(800, 480) == 1.0
    assert theme.scale(720, 1280) == 1.5
    assert theme.scale(1280, 720) == 1.5


def test_the_fonts_travel_with_their_licence_and_are_small() -> None:
    fonts = sorted((PRESENTATION / "fonts").glob("*.otf"))
    assert [font.name for font in fonts] == [
        "HeelstoneSans-Regular.otf",
        "HeelstoneSans-SemiBold.otf",
    ]
    licence = (PRESENTATION / "fonts" / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in licence
    assert sum(font.stat().st_size for font in fonts) < 1_000_000


def test_colours_stay_in_the_theme() -> None:
    for path in [*UI.rglob("*.py"), *UI.rglob("*.kv"), *PRESENTATION.rglob("*.py")]:
        if path.name == "tokens.py":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in line.replace('"', " ").replace("'", " ").split():
                is_colour = re.fullmatch("#[0-9a-fA-F]{6}", word)
                assert not is_colour, f"{path.name}:{number}: {word} belongs in tokens.py"
