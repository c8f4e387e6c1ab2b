"""The files of the pages, and the boards they draw."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import companion.web
from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.plan import Plan
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.tokens import contrast, rgba
from companion.presentation.views import public_view
from companion.web.board_shapes import board_of
from companion.web.made_scripts import drawn_script
from companion.web.page_words import page_words
from companion.web.public_page import LyingBoard, public_page
from rules.games import game_ids
from rules.texts import Texts
from tests.support.match_views import EVERY_MATCH, views
from tests.support.sweep import some

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
    words |= set(Texts("host", "en").all())
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


def board_on(view: TableView) -> LyingBoard:
    return public_page(public_view(view, "m"), "en").board


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_every_piece_lies_where_the_screen_draws_it(game: str, players: int) -> None:
    for view in views(game, players)[::8]:
        box, lying = box_of(view), board_on(view)
        left, top, width, height = lying.frame
        used = {item.site for item in view.items} | {*view.last_sites}
        shown = [item for item in view.items if item.kind in box.kinds and item.site in box.sites]
        beside = frozenset(s for s in used if s in box.sites and not box.sites[s].printed)
        drawn = Plan.in_mm(box, beside).slots(shown)
        assert [(piece["site"], piece["kind"]) for piece in lying.pieces] == [
            (slot.item.site, slot.item.kind) for slot in drawn
        ]
        for piece, slot in zip(lying.pieces, drawn, strict=True):
            x, y = slot.at
            assert piece["at"] == pytest.approx([x, -y], abs=0.01)
            assert left <= piece["at"][0] <= left + width
            assert top <= piece["at"][1] <= top + height
        assert {piece["kind"] for piece in lying.pieces} <= set(
            board_of(game, view.physical, "en")["kinds"]
        )


@pytest.mark.parametrize("game", some(game_ids()))
@pytest.mark.parametrize("physical", [False, True])
def test_a_board_is_plain_data_in_both_languages(game: str, physical: bool) -> None:
    german, english = (board_of(game, physical, lang) for lang in ("de", "en"))
    assert json.loads(json.dumps(german)) == german
    assert german["sites"] == english["sites"] and german["shapes"] == english["shapes"]
    assert len(json.dumps(german)) < 120_000
    for kind in english["kinds"].values():
        assert kind["fill"].startswith("#") and set(kind["rim"]) == {"night", "limestone"}


def test_a_held_line_is_named_with_its_holder() -> None:
    held = [board_on(view).held for view in views("knizia_stonehenge", 2)]
    lines = [owner for now in held for owner in now.values()]
    assert lines and all(kind.startswith("megalith ") for kind in lines)


def test_pieces_can_have_colours_for_every_eye() -> None:
    printed, safe = (board_of("dolmengoetter", True, "en", c) for c in ("printed", "safe"))
    assert printed["kinds"]["stone red"]["fill"] != safe["kinds"]["stone red"]["fill"]
    assert printed["kinds"]["stone red"]["sign"] == "red"
    made = drawn_script().decode()
    assert all(f'"{colour}":"M' in made for colour in ("red", "blue", "green", "yellow", "white"))


def test_pictures_of_cards_stand_upright_on_pages_as_on_the_screen() -> None:
    ground = board_of("dominion", False, "en")["pictures"]["estate"][1]
    assert ground["form"] == "oval" and ground["points"][0] == [50, 100], "the meadow is below"
