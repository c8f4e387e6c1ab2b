"""``--help`` of every command, in the language of the call."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from companion.app.cli import _parser
from companion.app.commands import Parser
from rules.texts import LANGUAGES, Texts
from tests.support.command import Heelstone


def texts(lang: str) -> dict[str, str]:
    """The texts of help in a language; in capitals: what stands for a value."""
    return Texts("help", lang).all()


def helped(parser: Parser) -> Iterator[tuple[str, str]]:
    """Every command, option and value with its help, as people would type them."""
    yield parser.prog, parser.description or ""
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            name = action.option_strings[-1] if action.option_strings else action.dest
            yield f"{parser.prog} {name}", action.help or ""
            continue
        assert [choice.dest for choice in action._choices_actions] == list(action.choices)
        for choice in action._choices_actions:
            yield f"{parser.prog} {choice.dest} in the list", choice.help or ""
        for sub in action.choices.values():
            yield from helped(sub)


def test_every_command_and_option_has_its_help_in_both_languages() -> None:
    german, english = (dict(helped(_parser(lang))) for lang in ("de", "en"))
    assert german.keys() == english.keys() and len(german) > 250
    assert [name for name in german if not german[name] or german[name] == english[name]] == []


def test_no_help_is_kept_for_what_is_gone() -> None:
    shown = {text for lang in LANGUAGES for _, text in helped(_parser(lang))}
    for lang in LANGUAGES:
        kept = {name: text for name, text in texts(lang).items() if not name.isupper()}
        assert [name for name, text in kept.items() if text not in shown] == []
        assert kept.keys() == {name for name in texts("en") if not name.isupper()}


def test_every_placeholder_that_is_translated_is_shown() -> None:
    words = {name: text for name, text in texts("de").items() if name.isupper()}
    parsers: list[Parser] = [_parser("de")]
    usages = ""
    for parser in parsers:
        usages += parser.format_usage()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
    assert [name for name, text in words.items() if text not in usages] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--lang", "de", "check", "--help"),
        ("check", "--lang", "de", "--help"),
        ("check", "--help", "--lang=de"),
    ],
)
def test_the_language_may_be_named_before_and_after_the_command(
    program: Heelstone, arguments: tuple[str, ...]
) -> None:
    told = program(*arguments)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("Aufruf: heelstone check [-h]")
    assert "Optionen:" in told.out and "[SPIEL|ORDNER]" in told.out
    assert "prüft, ob ein Spiel alles erfüllt" in told.out
    assert "usage" not in told.out and "options" not in told.out
