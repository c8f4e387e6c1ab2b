"""The ways of playing a game at a table: entered in a ledger, by camera, by touch. Free of Kivy."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from companion.settings.people import Plan
from companion.ui.words.translate import _
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


def playings(game: str) -> tuple[Playing, ...]:
    """The ways in which a game can be played."""
    if find_game(game).ledger_option is None:
        return (Playing.CAMERA, Playing.TOUCH)
    return tuple(Playing)


def playing_of(plan: Plan) -> Playing:
    """The way that a plan says."""
    if find_game(plan.game).keeps_ledger(plan.options):
        return Playing.LEDGER
    return Playing.CAMERA if plan.physical else Playing.TOUCH


def with_playing(plan: Plan, playing: Playing) -> Plan:
    """``plan``, played so."""
    options, ledger = dict(plan.options), find_game(plan.game).ledger_option
    if ledger is not None:
        name, value = ledger
        options.pop(name, None)
        if playing is Playing.LEDGER:
            options[name] = value
    return replace(plan, options=options, physical=playing is Playing.CAMERA)


def words_of(playing: Playing) -> tuple[str, str]:
    """A name of a way and one sentence about it."""
    return {
        Playing.LEDGER: (_("Ledger"), _("Any cards: only touch what is gained.")),
        Playing.CAMERA: (_("Camera"), _("Cards with stickers, on the mat.")),
        Playing.TOUCH: (_("Touch"), _("No cards: all of it on this screen.")),
    }[playing]
