"""Computer players while a match is set up: who may sit down, and how it is played then. Free of
Kivy."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from companion.players.suiting import knows_game, lies_open, sits_at_table
from companion.presentation.words.translate import _
from companion.settings.people import MatchSetup
from companion.words.player_names import named
from rules.games import find_game
from rules.players import player_names
from rules.telling import Teller

# -- ways of playing --------------------------------------------------------------------------


class Playing(StrEnum):
    """With what people play, and what is entered."""

    LEDGER = "ledger"
    """With cards of any printing; only what changes hands is entered."""
    CAMERA = "camera"
    """With pieces that the camera reads."""
    TOUCH = "touch"
    """On the screen alone."""
    COUNT = "count"
    """With cards of any printing; only the cards that players own at the end are counted."""


def playings(game: str) -> tuple[Playing, ...]:
    """The ways in which a game can be played."""
    if not find_game(game).watched:
        return (Playing.LEDGER,)
    entered = find_game(game).ledger_option
    always = (Playing.CAMERA, Playing.TOUCH)
    return tuple(way for way in Playing if way in always or (entered and way in entered[1]))


def playing_of(plan: MatchSetup) -> Playing:
    """The way that a plan says."""
    game = find_game(plan.game)
    if game.keeps_ledger(plan.options):
        way = game.ledger_option
        return Playing.LEDGER if way is None else Playing(plan.options[way[0]])
    return Playing.CAMERA if plan.physical else Playing.TOUCH


def with_playing(plan: MatchSetup, playing: Playing) -> MatchSetup:
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


def offered(plan: MatchSetup) -> tuple[str, ...]:
    """The computer players that may sit down, from weak to strong; none if they do not know the
    game."""
    on_screen = with_playing(plan, Playing.TOUCH)
    known = knows_game(plan.game, plan.players, on_screen.options)
    return player_names() if known else ()


def sit(plan: MatchSetup, seat: int, player: str) -> MatchSetup:
    """A computer player takes a seat; an empty text: a person does."""
    sitting = list(plan.sitting)
    sitting[seat] = player
    names = list(plan.seats)
    names[seat] = "" if player else names[seat]
    return replace(plan, computers=tuple(sitting), names=tuple(names))


def swap_seats(plan: MatchSetup, one: int, other: int) -> MatchSetup:
    """Two of them change places."""
    names, sitting = list(plan.seats), list(plan.sitting)
    names[one], names[other] = names[other], names[one]
    sitting[one], sitting[other] = sitting[other], sitting[one]
    return replace(plan, names=tuple(names), computers=tuple(sitting))


def fitting_company(plan: MatchSetup) -> MatchSetup:
    """The plan as it can be played with its computer players: on the screen, where a table cannot
    tell them what they must know; without those that do not know the game."""
    if plan.people == plan.players:
        return plan
    known = offered(plan)
    sitting = tuple(player if player in known else "" for player in plan.sitting)
    plan = replace(plan, computers=sitting)
    if plan.people == plan.players:
        return plan
    by_camera = playing_of(plan) is Playing.CAMERA
    if by_camera and _sits_at_table(plan):
        return plan
    return with_playing(plan, Playing.TOUCH)


def company_told(plan: MatchSetup, lang: str) -> str:
    """Text on how it is played with computer players, and why not otherwise; empty if there are
    none."""
    if plan.people == plan.players:
        return ""
    game = find_game(plan.game)
    teller = Teller(game, lang, game.colours(plan.players, plan.options))
    if plan.physical:
        if teller.has("company", "dealt"):
            return teller.text("company", "dealt")
        set_it = _("seats.what_the_computer_player_decides")
        more = teller.text("company", "at_table") if teller.has("company", "at_table") else ""
        return f"{set_it} {more}".strip()
    if _sits_at_table(with_playing(plan, Playing.CAMERA)):
        return ""
    if teller.has("company", "on_screen"):
        return teller.text("company", "on_screen")
    return _("seats.the_computer_players_cards_would_lie")


def _sits_at_table(plan: MatchSetup) -> bool:
    return sits_at_table(plan.game, plan.players, plan.options, plan.computer_seats)


def tips_possible(plan: MatchSetup) -> bool:
    """True if players can ask for tips: not where they hold real cards, which only they see."""
    on_screen = playing_of(plan) is Playing.TOUCH
    return plan.people > 0 and (
        on_screen or lies_open(plan.game, plan.players, plan.options)
    )  # fmt: skip


def shown_names(plan: MatchSetup, lang: str) -> tuple[str, ...]:
    """Names by seat; empty for people who are called by their colour."""
    return named(plan.seats, plan.sitting, lang)
