"""The pages' own files: colours of the screen, no word twice, nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.web
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.tokens import contrast, rgba
from companion.web.page_words import page_words

PAGES = Path(companion.web.__file__).parent / "pages"
STYLE = (PAGES / "style.css").read_text(encoding="utf-8")
SCRIPTS = sorted(PAGES.glob("*.js"))
MARKUP = sorted(PAGES.glob("*.html"))


def tones(selector: str) -> dict[str, str]:
    """The colours that a rule of the stylesheet names."""
    rule = re.search(re.escape(selector) + r" \{(.*?)\}", STYLE, re.S)
    assert rule is not None
    found = re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", rule.group(1))
    return {name.replace("-", "_"): value for name, value in found}


@pytest.mark.parametrize(
    ("selector", "palette"),
    [(":root", theme.NIGHT), (':root[data-theme="limestone"]', theme.LIMESTONE)],
)
def test_the_pages_have_the_screens_colours(selector: str, palette: theme.Palette) -> None:
    used = tones(selector)
    for name in theme.COLOURS:
        assert used[name] == getattr(palette, name).lower(), name


def test_cards_have_the_screens_colours() -> None:
    used = tones(":root")
    for group, paper in theme.CARD_PAPER.items():
        assert used[f"paper_{group}"] == paper.lower()
    for group, seal in theme.CARD_SEAL.items():
        assert used[f"seal_{group}"] == seal.lower()
    assert used["card_ink"] == theme.CARD_INK.lower()
    assert (used["coin_rim"], used["coin_face"]) == tuple(tone.lower() for tone in theme.COIN)
    assert used["purple"] == theme.SAFE["purple"].lower()


@pytest.mark.parametrize("selector", [":root", ':root[data-theme="limestone"]'])
def test_words_are_legible(selector: str) -> None:
    used = {name: rgba(tone) for name, tone in (tones(":root") | tones(selector)).items()}
    for surface in ("night", "dusk", "slate", "stone"):
        assert contrast(used["bone"], used[surface]) >= 7
        assert contrast(used["ash"], used[surface]) >= 4.5
        # Yellow words are darker in daylight than yellow lines.
        assert contrast(used["dawn_words"], used[surface]) >= 4.5
    for sign in ("ok", "ask", "stop"):
        assert contrast(used[sign], used["slate"]) >= 4.5, sign
        assert contrast(used[sign], used["night"]) >= 4.5, sign
    assert contrast(used["ink"], used["dawn_fill"]) >= 7
    for group in theme.CARD_PAPER:
        assert contrast(used["card_ink"], used[f"paper_{group}"]) >= 7


@pytest.mark.parametrize("path", [*SCRIPTS, *MARKUP, PAGES / "style.css"], ids=lambda p: p.name)
def test_nothing_comes_from_elsewhere_and_nothing_is_inline(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text)
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\beval\(", text)
    if path.suffix == ".html":
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=", text)
        # A page also works below a prefix, as a club shows it.
        assert not re.search(r'(?:href|src)="/', text)


def test_the_scripts_ask_for_words_that_there_are_and_no_word_is_left_over() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    words = set(page_words("en")) - {"lang"}
    said = set(re.findall(r'"([a-z_]+)"', text))
    made = {f"gone_{why}" for why in ("taken_back", "given_away", "match_over", "refused")}
    made |= {"draw_pile", "discard_pile"}
    made |= {f"{key}_text" for key in ("waiting", "scan", "nobody_plays", "covered", *made)}
    assert words <= said | made, words - said - made
    asked = set(re.findall(r'\bword\("([a-z_]+)"', text))
    assert asked <= words, asked - words


def test_both_languages_say_something_different() -> None:
    german, english = page_words("de"), page_words("en")
    assert german.keys() == english.keys()
    same = {key for key in german if german[key] == english[key]}
    assert same <= {"live"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_one_subject(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("// ") and len(lines) <= 300
