"""The design tokens: every colour and every size of the screens.

Sizes are px on a screen whose short side is 480 px, and are scaled with the short side
(``scale``). Colours are ``#rrggbb``. Two palettes: *night*, standing stones at dusk, and
*limestone* for daylight.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final, NamedTuple

from companion.match.state import TableState
from hardware.rhythm import Rhythm, level
from rules.box import PLAYER_COLOURS

Rgba = tuple[float, float, float, float]
"""Red, green, blue, alpha, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme."""

    name: str
    night: str
    """Ground."""
    dusk: str
    """Ground, where it is lightest: a soft glow in the middle."""
    slate: str
    """Cards."""
    stone: str
    """Raised: buttons, the active card."""
    edge: str
    """Hairlines."""
    bone: str
    """Text."""
    ash: str
    """Secondary text, at least 4.5 : 1 on ground, card and button."""
    dawn: str
    """Lines and rings around what matters now."""
    dawn_fill: str
    """The same as a surface: the one primary action."""
    ink: str
    """Text on ``dawn_fill``."""
    ok: str
    ask: str
    stop: str
    rim_dark: str
    """Rim of light pieces."""
    rim_light: str
    """Rim of dark pieces."""
    daylight: float
    """Lightening of boards over their colours, as a share of the way to white; below 0 they are
    darker."""


COLOURS: Final = tuple(f.name for f in fields(Palette) if f.name not in ("name", "daylight"))
"""The names of a palette's colours."""

NIGHT: Final = Palette(
    name="night",
    night="#10151B",
    dusk="#1C2731",
    slate="#19212A",
    stone="#253039",
    edge="#33414D",
    bone="#EFE9DB",
    ash="#9DA8B2",
    dawn="#F0C24B",
    dawn_fill="#F0C24B",
    ink="#161A1E",
    ok="#2BB58A",
    ask="#5CB6EC",
    stop="#E8672A",
    rim_dark="#10151B",
    rim_light="#EFE9DB",
    daylight=-0.4,
)
LIMESTONE: Final = Palette(
    name="limestone",
    night="#E9E3D5",
    dusk="#F1ECE1",
    slate="#F6F2E8",
    stone="#DDD5C4",
    edge="#BDB29C",
    bone="#1B2127",
    ash="#4D5760",
    dawn="#7D5500",
    dawn_fill="#F0C24B",
    ink="#161A1E",
    ok="#0B6B4F",
    ask="#17619B",
    stop="#A93A08",
    rim_dark="#2A2F34",
    rim_light="#FBF8F0",
    daylight=0.2,
)
SAFE: Final = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "red": "#D55E00",
    "purple": "#CC79A7",
    "white": "#F7F7F7",
}
"""Colours of pieces that every kind of colour vision tells apart (Okabe and Ito, 2008); ``sky``
and ``red`` are the sky blue and the vermilion of the original."""
SURFACE: Final = {"wood": "#6E4C31", "stone": "#8D887C", "felt": "#4F6138", "hollow": "#4A4640"}
"""Colours of the surfaces of boards, in both palettes."""
PLAIN: Final = {
    **PLAYER_COLOURS,
    "orange": "#DE7C24",
    "gray": PLAYER_COLOURS["grey"],
    "sky": "#63B1DE",
    "purple": "#8C5AA6",
    "violet": "#8C5AA6",
}
"""Colours by name, like printed pieces."""
NO_COLOUR: Final = "#8E8E8E"
"""Colour of a player who is called by an unknown one, and has no piece."""
CARD_PAPER: Final = {
    "treasure": "#F3E2A6",
    "victory": "#B4DAA9",
    "curse": "#D3BDE2",
    "reaction": "#C9DDF2",
    "attack": "#F2CFC2",
    "action": "#EFE9DB",
}
"""Colours of the cards' paper, by group, in both palettes."""
CARD_INK: Final = "#161A1E"
CARD_SEAL: Final = {"victory": "#1F5A3C", "curse": "#4A2D60"}
"""Ground of a white figure on a card's picture."""
COIN: Final = ("#8A6116", "#E9B93F")
"""Rim and face of the coin with a card's cost."""
PAPER, PAPER_INK = "#F4EFE3", "#2A2F34"
"""Colours of a print, and of words on it."""
PALETTES: Final = {palette.name: palette for palette in (NIGHT, LIMESTONE)}


class Daylight(NamedTuple):
    """Colours of the great trilithon in one theme, from the top of the sky to the ground."""

    high: str
    low: str
    sun: str
    stone: str
    far: str
    ground: str
    gold: str
    rays: float
    """Strength of the rays, of 1."""


SUNRISE: Final = {
    "night": Daylight(
        "#171D33", "#B4743F", "#FFDF9A", "#39424F", "#2A2730", "#14161B", "#E0AC3C", 0.13
    ),
    "limestone": Daylight(
        "#A9C3DC", "#FBE3B4", "#FFF6DA", "#8B8F90", "#B9AE97", "#D3C9B4", "#B98212", 0.3
    ),
}  # fmt: skip
DUSK: Final = {
    "night": Daylight(
        "#12161F", "#2A3440", "#46525E", "#2C343D", "#1D232B", "#14161B", "#E0AC3C", 0.0
    ),
    "limestone": Daylight(
        "#C3C8CB", "#DDDBD3", "#E9E6DC", "#8F9291", "#B9B4A8", "#D3C9B4", "#B98212", 0.0
    ),
}  # fmt: skip
"""The same when the sun has set, for a match that all have lost."""


# -- type and space ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sizes:
    """Type and space, px at a short side of 480."""

    type_xs: float = 14.0
    type_s: float = 17.0
    type_m: float = 24.0
    type_l: float = 32.0
    title: float = 32.0
    """The player to move, on the play screen."""
    caption: float = 17.0
    """The smallest words on the play screen: labels, chips."""
    body: float = 20.0
    """Words that are read from the table."""
    figure: float = 44.0
    """Figures that matter."""

    grid: float = 4.0
    gap_s: float = 8.0
    gap: float = 12.0
    gap_l: float = 16.0
    margin: float = 24.0
    radius: float = 14.0
    target: float = 48.0
    """Minimum size of anything to be touched, in either direction."""
    apart: float = 50.0
    """Minimum distance of two places that a touch may mean: 9 mm on a glass of 7 inches."""
    button: float = 54.0
    slot: float = 60.0
    """Height of the keys that matter most on the play screen; they may have two lines."""
    hairline: float = 1.2
    stroke: float = 2.2
    column: float = 300.0
    """Width of the words beside the board."""


SIZES: Final = Sizes()
READ_FROM_AFAR: Final = ("title", "caption", "body", "figure")
"""Sizes that a larger text enlarges: those of the words that are read while a match is played."""
TEXT_SCALES: Final = {"normal": 1.0, "large": 1.15, "largest": 1.3}

MOTION_S: Final = 0.18
"""Seconds that a piece takes to appear or to move."""


def scale(width: float, height: float) -> float:
    """Factor for every size on a screen of ``width`` × ``height`` px."""
    return max(0.75, min(min(width, height) / 480.0, max(width, height) / 800.0, 3.0))


# -- indicators -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Indicator:
    """Look of a state of the table: symbol, colour and rhythm, never colour alone."""

    symbol: str
    colour: str
    """Name of a colour of the palette."""
    rhythm: Rhythm


INDICATORS: Final = {
    TableState.SETTLED: Indicator("●", "ok", Rhythm.STEADY),
    TableState.PENDING: Indicator("↓", "ask", Rhythm.SLOW_PULSE),
    TableState.HAND: Indicator("…", "ash", Rhythm.STEADY),
    TableState.PROPOSED: Indicator("✓", "ask", Rhythm.SLOW_PULSE),
    TableState.AMBIGUOUS: Indicator("?", "ask", Rhythm.SLOW_PULSE),
    TableState.ILLEGAL: Indicator("✕", "stop", Rhythm.DOUBLE_BLINK),
    TableState.DESYNC: Indicator("≠", "ask", Rhythm.SLOW_PULSE),
    TableState.BLIND: Indicator("○", "ash", Rhythm.STEADY),
}


# -- colours ----------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def rgba(colour: str, alpha: float = 1.0) -> Rgba:
    """``#rrggbb`` as numbers from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (red, green, blue, alpha)


def hexed(colour: Rgba) -> str:
    """Numbers from 0 to 1 as ``#rrggbb``."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])


def mix(one: Rgba, other: Rgba, part: float) -> Rgba:
    """``part`` of ``other`` in ``one``."""
    red, green, blue, alpha = one
    to_red, to_green, to_blue, _alpha = other
    return (
        red + (to_red - red) * part,
        green + (to_green - green) * part,
        blue + (to_blue - blue) * part,
        alpha,
    )


def luminance(colour: Rgba) -> float:
    """Relative luminance (WCAG), 0 to 1."""
    red, green, blue = (
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgba, other: Rgba) -> float:
    """Contrast of two colours (WCAG), 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# -- light ------------------------------------------------------------------------------------

LIGHT: Final = "#BFE6FF"
"""Beads of light where a finger may go …"""
HINTED: Final = "#FFD968"
"""… and where the game points out a good place; both the same by day and by night …"""
CASING: Final = ("#0A121A", 0.92)
"""… on a dark ground of their own with this opacity, so that no colour of a field swallows them."""
GLOW: Final = "#F0C24B"
"""A breath of warmth on what is lit."""
COVERS: Final = {"night": ("#0A0E13", 0.58), "limestone": ("#F4F0E6", 0.54)}
"""Per theme the colour and the opacity of what covers the rest of the board meanwhile."""
_PULSE_LEAST: Final = {Rhythm.SLOW_PULSE: 0.72}
"""Least strength of a rhythm on the screen: a place for a finger is plain to see at every
moment."""


def strength(rhythm: Rhythm, seconds: float) -> float:
    """Opacity of a mark this long after its rhythm began, 0 to 1."""
    least = _PULSE_LEAST.get(rhythm, 0.25)
    return least + (1 - least) * level(rhythm, seconds)


def body(colour: str) -> Rgba:
    """The colour of a piece on the screen.

    Print colours are dull on a screen: middle tones get lighter and stronger, while near-black goes
    down to black so that it stays distinct on the dark ground.
    """
    red, green, blue, _ = rgba(colour)
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    if light < 0.18:
        light *= 0.35
    elif light < 0.6:
        light = min(light * 1.08, 0.6)
        strength = min(strength * 1.08, 1.0)
    red, green, blue = colorsys.hls_to_rgb(hue, light, strength)
    return (red, green, blue, 1.0)
