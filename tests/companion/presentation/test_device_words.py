"""Every trouble that a device can have is told on the screen, with what to do."""

from __future__ import annotations

import pytest

from companion.presentation.words.translate import language, set_language
from companion.presentation.words.troubles import what_to_do
from hardware.status import GOOD_CODES, TEXTS

TROUBLES = sorted(set(TEXTS) - GOOD_CODES - {"connecting"})


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("code", TROUBLES)
def test_every_trouble_of_a_device_has_words_of_its_own(code: str, lang: str) -> None:
    before = language()
    set_language(lang)
    try:
        words = what_to_do(code)
        assert words != what_to_do("no such code"), code
        assert words.endswith(".") and "{" not in words
    finally:
        set_language(before)
