"""Text on displays of seven-segment digits: what they can show, and what they should not.

Seven segments show digits well and words badly. The rules here:

- No letter is shown that looks like a digit. S is 5, Z is 2, G is nearly 6; such letters have no
  shape, and O is always the small one.
- A text is shown whole or not at all. Half a word, or a score without its last digit, would be
  another word or another score.
- What does not fit shows dashes if there was a number in it, and nothing if there was none.
- A colon or a dot needs no digit of its own. "07:05" fills four digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SHAPES: Mapping[str, int] = {
    " ": 0x00, "-": 0x40, "_": 0x08, "=": 0x48,
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66,
    "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
    "A": 0x77, "b": 0x7C, "C": 0x39, "c": 0x58, "d": 0x5E, "E": 0x79, "F": 0x71, "H": 0x76,
    "h": 0x74, "I": 0x30, "J": 0x1E, "L": 0x38, "n": 0x54, "o": 0x5C, "P": 0x73, "r": 0x50,
    "t": 0x78, "U": 0x3E, "u": 0x1C, "y": 0x6E,
}  # fmt: skip
"""Character to its segments: bit 0 is a (top), then clockwise to f (bit 5); bit 6 is g (middle)."""

SEATS = "AbCdEFHJ"
"""Names of the players where there is no room for names: one letter per seat, in seat order,
without those that digits look like."""

_OTHER_CASE = {letter.swapcase(): letter for letter in SHAPES if letter.swapcase() not in SHAPES}
_OTHER_CASE |= {"ä": "A", "Ä": "A", "ö": "o", "Ö": "o", "ü": "u", "Ü": "U", "−": "-", "–": "-"}


@dataclass(frozen=True, slots=True)
class Digits:
    """A row of seven-segment digits, as a display that has nothing else."""

    places: int
    colon: bool = False
    """True if there is a colon between the second and the third digit."""
    dots: bool = True
    """True if a dot can shine behind each digit."""


@dataclass(frozen=True, slots=True)
class DigitText:
    """The content of a row of digits."""

    letters: str
    """One letter of `SHAPES` for each digit, from the left."""
    dots: frozenset[int] = frozenset()
    """The digits, counted from 0, whose dot shines."""
    colon: bool = False
    """True if the colon between the second and the third digit shines."""

    @property
    def segments(self) -> tuple[int, ...]:
        """The segments of each digit, without dots; see `SHAPES`."""
        return tuple(SHAPES[letter] for letter in self.letters)

    def __str__(self) -> str:
        """The text as a person reads it."""
        text = ""
        for place, letter in enumerate(self.letters):
            text += letter + ("." if place in self.dots else "")
            text += ":" if self.colon and place == 1 else ""
        return text


def digit_text(line: str, places: int, *, colon: bool = True) -> DigitText:
    """`line` on `places` digits; `colon` tells whether there is one after the second of them.

    "Anna\\t12" shows what comes after the tab. A dot after a score ("07.:05", "07:05.") marks
    whose turn it is. Without a colon the two sides of "07:05" go to the two ends.
    """
    line = line.rpartition("\t")[2].strip()
    sides = line.split(":")
    if len(sides) == 2 and all(sides):
        left, right = (_letters(side) for side in sides)
        room = 2 if colon else (places - 1) // 2
        if left and right and len(left[0]) <= room and len(right[0]) <= room:
            start = room - len(left[0]) if colon else 0
            head = " " * start + left[0]
            tail = right[0].rjust(places - len(head))
            dots = {start + dot for dot in left[1]}
            dots |= {places - len(right[0]) + dot for dot in right[1]}
            return DigitText(head + tail, frozenset(dots), colon)
        return _unsaid(line, places)
    whole = _letters(line)
    if whole is None or len(whole[0]) > places:
        return _unsaid(line, places)
    text, dots_in = whole
    start = places - len(text) if text[-1:].isdigit() else 0
    shown = " " * start + text
    return DigitText(shown.ljust(places), frozenset(start + dot for dot in dots_in))


def _letters(text: str) -> tuple[str, set[int]] | None:
    """The letters of a text and which of them a dot follows; None where one has no shape."""
    letters, dots = "", set[int]()
    for letter in text.strip():
        if letter in ".," and letters and len(letters) - 1 not in dots:
            dots.add(len(letters) - 1)
            continue
        letter = _OTHER_CASE.get(letter, letter)
        if letter not in SHAPES:
            return None
        letters += letter
    return letters, dots


def _unsaid(line: str, places: int) -> DigitText:
    return DigitText(("-" if any(letter.isdigit() for letter in line) else " ") * places)
