"""The ways of playing a game at a table: entered in a ledger, by camera, by touch. Free of Kivy."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from companion.presentation.words.translate import _
from companion.settings.people import Plan
from rules.games import find_game

__all__ = ["Playing", "playing_of", "playings", "with_playing", "words_of"]


class Playing(StrEnum):
    """With what people play, and what is entered."""

    LEDGER = "ledger"
    """With cards of any printing; only what changes hands is entered."""
    CAMERA = "camera"
    """With pieces that the camera reads."""
    TOUCH = "touch"
    """On the screen alone."""
    COUNT = "count"
    """With cards of any printing; only what everybody owns at the end is counted."""


def playings(game: str) -> tuple[Playing, ...]:
    """The ways in which a game can be played."""
    entered = find_game(game).ledger_option
    always = (Playing.CAMERA, Playing.TOUCH)
    return tuple(way for way in Playing if way in always or (entered and way in entered[1]))


def playing_of(plan: Plan) -> Playing:
    """The way that a plan says."""
    game = find_game(plan.game)
    if game.ledger_option is not None and game.keeps_ledger(plan.options):
        return Playing(plan.options[game.ledger_option[0]])
    return Playing.CAMERA if plan.physical else Playing.TOUCH


def with_playing(plan: Plan, playing: Playing) -> Plan:
    """``plan``, played so."""
    options, ledger = dict(plan.options), find_game(plan.game).ledger_option
    if ledger is not None:
        name, values = ledger
        options.pop(name, None)
        if playing in values:
            options[name] = playing.value
    return replace(plan, options=options, physical=playing is Playing.CAMERA)


def words_of(playing: Playing) -> tuple[str, str]:
    """A name of a way and one sentence about it."""
    return {
        Playing.LEDGER: (_("seats.ledger"), _("seats.any_cards")),
        Playing.COUNT: (_("screens.final_count"), _("seats.any_cards_count_points_at_the_end")),
        Playing.CAMERA: (_("screens.camera"), _("seats.cards_with_stickers")),
        Playing.TOUCH: (_("seats.touch"), _("seats.no_cards")),
    }[playing]
