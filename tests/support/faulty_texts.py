"""Faults that authors make in the texts of their games, planted as in
:mod:`tests.support.faulty_games`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any
from unittest.mock import patch

from rules.core import Game
from rules.telling import load_text
from tests.support.faulty_hooks import replaced

TEXT_FAULTS: dict[str, tuple[Callable[[Game[Any]], Any], str]] = {}
"""Faults by name: how each is planted, and words that the finding must have."""


@contextmanager
def changed_texts(
    game: Game[Any], change: Callable[[Any], object], lang: str = ""
) -> Iterator[None]:
    """The texts of ``game`` with ``change``, in both languages if ``lang`` is empty."""

    def changed(name: str, language: str, package: str = "rules") -> Mapping[str, Any]:
        texts = load_text(name, language, package)
        if name != game.id or lang not in ("", language):
            return texts
        own = deepcopy(dict(texts))
        change(own)
        return own

    with (
        patch("rules.telling.load_text", changed),
        patch("rules.testing.texts.load_text", changed),
    ):
        yield


def _text_fault(
    name: str, finding: str, change: Callable[[Any], bool | None], lang: str = ""
) -> None:
    """A fault of the texts, in both languages if ``lang`` is empty; ``change`` returns False where
    the game has no such text."""

    def plant(game: Game[Any]) -> Iterator[Game[Any] | None]:
        trial = deepcopy(dict(load_text(game.id, lang or "en", game.package)))
        if change(trial) is False:
            yield None
            return
        with changed_texts(game, change, lang):
            yield replaced(game)

    plant.__name__ = name
    TEXT_FAULTS[name] = contextmanager(plant), finding


def _without(section: str, which: int = 0) -> Callable[[Any], bool | None]:
    def change(own: Any) -> bool | None:
        keys = [*own.get(section, {})]
        if not keys:
            return False
        del own[section][keys[which]]
        return None

    return change


def _within(section: str, part: str, text: str | None) -> Callable[[Any], bool | None]:
    def change(own: Any) -> bool | None:
        entries = own.get(section, {})
        if not entries:
            return False
        first = next(iter(entries))
        entry = entries[first]
        entries[first] = {"title": entry} if isinstance(entry, str) else dict(entry)
        if text is None:
            entries[first].pop(part, None)
        else:
            entries[first][part] = text
        return None

    return change


def _drop(key: str) -> Callable[[Any], bool | None]:
    def change(own: Any) -> bool | None:
        own.pop(key, None)
        return None

    return change


_text_fault("a_kind_has_no_name", "kinds", _without("kinds"))
_text_fault("a_kind_has_no_name_in_german", "missing in de", _without("kinds"), "de")
_text_fault("a_kind_has_no_plural", "kinds_many", _without("kinds_many"))
_text_fault("a_ruling_has_no_page", "rulings", _without("rulings", 1))
_text_fault("a_page_has_no_text", "needs title and text", _within("rulings", "text", None))
_text_fault("an_outcome_has_no_text", "outcomes", _without("outcomes"))
_text_fault("an_outcome_has_no_text_in_english", "missing in en", _without("outcomes"), "en")
_text_fault("a_prompt_is_not_written", "prompts", _without("prompts"))
_text_fault("a_move_is_not_written", "moves", _without("moves"))
_text_fault("a_score_line_is_not_written", "score", _without("score"))
_text_fault("an_objection_is_not_written", "objections", _without("objections"))
_text_fault("an_objection_says_not_what_to_do", "do", _within("objections", "do", None))
_text_fault(
    "an_objection_names_what_is_not_there", "nobody", _within("prompts", "title", "{nobody}")
)
_text_fault("a_page_names_what_is_not_there", "nobody", _within("rulings", "text", "{nobody}"))
_text_fault("a_text_is_empty", "empty", _within("objections", "do", " "), "de")
_text_fault("the_languages_name_different_things", "has", _within("objections", "do", "{x}"), "de")
_text_fault("the_game_has_no_name", "name", _drop("name"))
_text_fault("the_game_has_no_tagline", "tagline", _drop("tagline"))
_text_fault("an_option_is_not_explained", "options", _without("options"))
_text_fault("a_text_of_no_code_was_left", "not among those",
            lambda own: own["outcomes"].update(long_gone={"title": "x"}))  # fmt: skip
_text_fault("a_text_is_still_to_be_written", "says 'TODO", _within("outcomes", "text", "TODO"))
_text_fault("a_text_is_in_the_other_language", "is in en",
            _within("objections", "text", "It is for whoever is to move."), "de")  # fmt: skip
_text_fault("a_brace_is_left_open", "cannot be read", _within("objections", "text", "{site"), "de")
_text_fault("a_word_after_the_colon_is_unknown", "After the colon",
            _within("objections", "text", "{move:place}"))  # fmt: skip
_text_fault("a_title_goes_on_and_on", "letters", _within("prompts", "title", "so long " * 40))
_text_fault("a_call_has_no_short_word", "narrowest",
            lambda own: own.update(calls={"turn": {"do": "Turn it over"}}))  # fmt: skip
_text_fault("two_kinds_have_one_name", "calls",
            lambda own: own["kinds"].update(dict.fromkeys(own["kinds"], "thing")))  # fmt: skip
_text_fault("a_place_is_named_that_is_none", "no place",
            lambda own: own.setdefault("sites", {}).update(Z99="nowhere"))  # fmt: skip
_text_fault("a_page_was_not_translated", "is the same",
            lambda own: own["rulings"][next(iter(own["rulings"]))].update(
                text="This page was not translated into the other language."))  # fmt: skip
