"""Sentences of the screens that are made of several texts. Free of Kivy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from companion.match.corrections.correction_path import arrows_of
from companion.match.layout_diff import told_moves
from companion.match.view import MatchView, TableView
from companion.presentation.boxes import game_box
from companion.presentation.cards import CardPlan, Suit
from companion.presentation.words.translate import _, language
from rules.box import Box
from rules.core import Move, Options
from rules.games import find_game
from rules.reading.reading import Candidate, Fix
from rules.reading.sighting import Look
from rules.telling import RulePage, Teller, TextError
from rules.texts import decimals, minus

# -- chosen cards -----------------------------------------------------------------------------


def suit_name(suit: Suit, teller: Teller) -> str:
    """Name of a suit's cards without their numbers."""
    return teller.kind(suit.cards[0]).rstrip(" 0123456789")


def told_cards(cards: Sequence[str], plan: CardPlan, teller: Teller) -> str:
    """Cards in the order of the plan: „Tag 8, 20 · Nacht 14“."""
    parts = []
    for suit in plan.suits:
        numbers = [plan.kinds[card].mark for card in suit.cards if card in cards]
        if numbers:
            parts.append(f"{suit_name(suit, teller)} {', '.join(numbers)}")
    parts += [teller.kind(card) for card in plan.others if card in cards]
    return " · ".join(parts)


# -- numbers ----------------------------------------------------------------------------------


def figure(value: float, places: int = 1) -> str:
    """``value`` with a number of decimal places."""
    return minus(decimals(f"{value:.{places}f}", language()))


def percent(part: float) -> str:
    """A share of one, in percent."""
    return f"{round(part * 100)} %"


def teller_of(view: MatchView, lang: str) -> Teller:
    """The teller for a match in a language, with the players' names."""
    return _teller(view.game, lang, view.colours, view.names)


def player_names(
    game: str, lang: str, colours: tuple[str, ...], names: tuple[str, ...]
) -> tuple[str, ...]:
    """Names by seat; players without one are called by their colour."""
    return _teller(game, lang, colours, names).names


@lru_cache(maxsize=32)
def _teller(game: str, lang: str, colours: tuple[str, ...], names: tuple[str, ...]) -> Teller:
    by_colour = Teller(find_game(game), lang, colours)
    full = [
        names[seat] if seat < len(names) and names[seat] else name
        for seat, name in enumerate(by_colour.colours)
    ]
    return Teller(by_colour.game, lang, colours, full)


def card_names(view: MatchView, lang: str) -> Mapping[str, str]:
    """Names of the cards that bear one, by kind."""
    return card_names_in(view.game, lang)


@lru_cache(maxsize=16)
def card_names_in(game: str, lang: str) -> Mapping[str, str]:
    """Names of a game's cards that bear one, by kind."""
    rules, named = find_game(game), {}
    options = rules.complete_options(rules.players[0], {})
    teller = Teller(rules, lang, rules.colours(rules.players[0], options))
    for kind in game_box(game).kinds.values():
        if kind.shape == "card" and len(kind.mark) > 2:
            named[kind.id] = teller.kind(kind.id)
    return named


def turn_lines(view: MatchView, teller: Teller) -> tuple[str, ...]:
    """The last turn in one line, and again in ever fewer words; none before anybody has decided
    anything."""
    turn, last = view.last_turn, view.last
    if turn is None:
        return () if last is None or last.player is None else (teller.move(last),)
    done, brought = teller.turn(turn.moves, turn.seat)
    name = teller.seat(turn.seat)
    if turn.over and not brought:
        nothing = "nothing" if done else "idle"
        brought = (teller.text("turn", nothing),) if teller.has("turn", nothing) else ()
    if not (done or brought):
        own = [move for move in turn.moves if move.player is not None]
        telling = [move for move in own if move.verb != "done"] or own
        return (teller.move(telling[-1]),)
    told = [(done[n:], brought) for n in range(len(done) + 1)]
    told += [((), brought[:n]) for n in range(len(brought) - 1, 0, -1)]
    lines = []
    for first, then in told:
        before = ["…"] * (first != () and first != done)
        after = ["…"] * (then != brought)
        parts = (", ".join([*before, *first]), ", ".join([*then, *after]))
        if any(parts):
            lines.append(f"{name}: {' → '.join(filter(None, parts))}")
    return tuple(lines)


LONGEST_MIN = 600


def clock_text(view: MatchView, now_s: float) -> str:
    """Turn number, and minutes since the match began while they can be believed."""
    minutes = int((now_s - view.started_s) // 60)
    turn = _("screens.turn").format(turn=view.turn)
    # A match resumed another day, or a clock that was set meanwhile: the number would mean nothing.
    return f"{turn} · {minutes} min" if 0 <= minutes <= LONGEST_MIN else turn


def rule_page(teller: Teller, rule: str, options: Options | None = None) -> RulePage | None:
    """The page of a rule, None if the game's texts have none."""
    try:
        return teller.rule(rule, options)
    except TextError:
        return None


def candidate_text(candidate: Candidate, view: TableView, teller: Teller) -> str:
    """An explanation of what the camera saw, as a sentence."""
    parts = []
    if candidate.takeback:
        back = _("play.last_move_taken_back")
        if candidate.takeback > 1:
            back = _("play.count_moves_taken_back").format(count=candidate.takeback)
        parts.append(back)
    parts += moves_in_words(in_a_row(told_moves(candidate)), teller)
    return ", ".join(parts) or _("play.nothing_happened")


def in_a_row(moves: Sequence[Move]) -> list[tuple[Move, int]]:
    """``moves``, each with how many times it was made in a row."""
    return [(move, len([*same])) for move, same in groupby(moves)]


def moves_in_words(moves: Sequence[tuple[Move, int]], teller: Teller) -> list[str]:
    """A sentence for each of ``moves``, with its number if that is not one."""
    told = ((teller.move(move), number) for move, number in moves)
    return [said if number == 1 else f"{number} × {said}" for said, number in told]


def fix_lines(view: TableView, box: Box, teller: Teller) -> tuple[str, ...]:
    """Instructions for hands, one line per piece, shifted pieces first."""
    ways = arrows_of(view.fixes)
    by_site = {fix.site: fix for fix in view.fixes}
    lines = []
    done: set[str] = set()
    for start, end in ways:
        piece = _names(by_site[start].seen, teller)
        lines.append(
            _("play.piece_from_start").format(
                piece=piece, start=_site(start, teller), end=_site(end, teller)
            )
        )
        done |= {start, end}
    for fix in view.fixes:
        if fix.site not in done:
            lines += _fix(fix, teller)
    return tuple(lines)


def _fix(fix: Fix, teller: Teller) -> list[str]:
    site = _site(fix.site, teller)
    lines = []
    if fix.seen and not fix.wanted:
        lines.append(_("play.site_remove").format(site=site))
    elif fix.wanted:
        lines.append(f"{site}: {_names(fix.wanted, teller)}")
    return lines


def _names(look: Look, teller: Teller) -> str:
    return teller.list([teller.kind(glimpse.kind) for glimpse in look])


def _site(site: str, teller: Teller) -> str:
    name = teller.site(site)
    return name[:1].upper() + name[1:]
