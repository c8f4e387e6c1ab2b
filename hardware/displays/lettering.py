"""Text for small character displays: which letters they have, and how a line is made to fit.

A number is never cut: a score of 127 must not be read as 12. Words are shortened instead, and
what had to be left out leaves a mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LEFT_OUT = ">"
"""Ends a line in which words had to be left out."""
UNKNOWN = "?"
"""Stands for a letter that cannot be written at all."""
TOO_WIDE = "#"
"""Fills the space of a number that does not fit, as in a spreadsheet."""

SPELLED: Mapping[str, str] = {
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS",
    "æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O", "–": "-", "—": "-", "−": "-", "„": '"', "“": '"',
    "”": '"', "‚": "'", "‘": "'", "’": "'", "«": '"', "»": '"', "…": "...", "·": ".", "•": "*",
    "×": "x", "→": ">", "←": "<", "↑": "^", "↓": "v", "●": "*", "○": "o", "▲": "^", "■": "#",
    "✓": "+", "✗": "x", "€": "EUR", "½": " 1/2", "°": "deg", "\u00a0": " ", "\u202f": " ",
    "[": "(", "]": ")", "{": "(", "}": ")", "\\": "/", "|": "/", "~": "-", "^": "'", "`": "'",
    "_": "-", "@": "(a)", "$": "USD",
    "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "œ": "oe",
    "Œ": "Oe", "ı": "i", "ŋ": "n", "Ŋ": "N", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T", "ə": "e",
    "ʼ": "'", "ʻ": "'",
}  # fmt: skip
"""Substitute spellings for characters that a display has no letter for."""

_SOUNDS: Mapping[str, str] = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i",
    "й": "j", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s",
    "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch",
    "ы": "y", "э": "e", "ю": "yu", "я": "ya", "і": "i", "ї": "ji", "є": "ye", "ґ": "g", "ў": "u",
    "ђ": "dj", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz", "ѓ": "g", "ќ": "k", "ѕ": "dz",
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i",
    "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s",
    "ς": "s", "τ": "t", "υ": "y", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
}  # fmt: skip
SPOKEN: Mapping[str, str] = {
    form(letter): form(sound)
    for letter, sound in _SOUNDS.items()
    for form in (str.lower, str.title)
} | {"ъ": "", "ь": "", "Ъ": "", "Ь": ""}
"""Cyrillic and Greek letters by their sound, so that names stay names."""

_SAME = {chr(code): code for code in range(0x20, 0x7F)}


@dataclass(frozen=True)
class CharacterRom:
    """The letters a display has: character to the byte that shows it."""

    letters: dict[str, int]
    _spoken: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def spell(self, text: str) -> str:
        """`text` written with letters of this display only; may be longer than `text`."""
        return "".join(self._spell_one(letter) for letter in text)

    def encode(self, text: str) -> bytes:
        """The bytes that show `text`, spelled first where it has to be."""
        return bytes(self.letters[letter] for letter in self.spell(text))

    def decode(self, data: bytes) -> str:
        """The text that a display shows when sent `data`; "?" for bytes without a letter."""
        shown = {code: letter for letter, code in reversed(self.letters.items())}
        return "".join(shown.get(code, "?") for code in data)

    def _spell_one(self, letter: str) -> str:
        if letter in self.letters:
            return letter
        known = self._spoken.get(letter)
        if known is None:
            known = self._spoken[letter] = self._look_up(letter)
        return known

    def _look_up(self, letter: str) -> str:
        if letter.isspace():
            return " "
        bare = "".join(
            part
            for part in unicodedata.normalize("NFKD", letter)
            if not unicodedata.combining(part)
        )
        if not letter.isdecimal() and any(part.isdigit() for part in bare):
            # A superscript 2 turned into a plain one would make 12² a score of 122.
            bare = ""
        if letter in SPOKEN:
            return SPOKEN[letter]
        sounds = "".join(SPOKEN.get(part, part) for part in bare)
        for spelling in (SPELLED.get(letter), bare, sounds):
            if spelling and all(part in self.letters for part in spelling):
                return spelling
        nothing = unicodedata.combining(letter) or unicodedata.category(letter) == "Cf"
        return "" if nothing else UNKNOWN


def rom_of(special: Mapping[str, int], lost: str) -> CharacterRom:
    """The letters of a display: ASCII without those in `lost`, and the special ones."""
    plain = {letter: code for letter, code in _SAME.items() if letter not in lost}
    return CharacterRom({**plain, **special})


HD44780_A00_ROM = rom_of(
    {
        "ä": 0xE1, "ö": 0xEF, "ü": 0xF5, "ß": 0xE2, "ñ": 0xEE, "µ": 0xE4, "°": 0xDF, "→": 0x7E,
        "←": 0x7F, "■": 0xFF, "÷": 0xFD, "·": 0xA5,
        # The ROM has no capital umlauts; the small ones read better than two letters would.
        "Ä": 0xE1, "Ö": 0xEF, "Ü": 0xF5,
    },
    lost="\\~",
)  # fmt: skip
"""HD44780U data sheet, table 4, ROM code A00: Matrix Orbital LK and most backpacks."""

ASCII_ROM = CharacterRom(_SAME)
"""For displays about which nothing is known: umlauts are spelled out."""


def fit(lines: Sequence[str], columns: int, rows: int, rom: CharacterRom) -> tuple[str, ...]:
    """Exactly `rows` lines of `columns` letters of `rom`.

    A tab splits a line into a left and a right end ("Anna\\t12"); the left end gives way. When
    there are more lines than rows, the last row ends with " .." to say so.
    """
    fitted = [_fit_line(line, columns, rom) for line in lines[:rows]]
    fitted += [" " * columns] * (rows - len(fitted))
    if len(lines) > rows and rows and columns > 3:
        shortened = _fit_line(lines[rows - 1], columns - 3, rom)
        fitted[-1] = shortened + " .."
    return tuple(fitted)


def _fit_line(line: str, columns: int, rom: CharacterRom) -> str:
    left, tab, right = line.partition("\t")
    left, right = rom.spell(left), rom.spell(right).strip()
    room = columns - len(right) - 1
    if not tab or (left and room < 2):
        return _shorten(f"{left} {right}" if tab else left, columns).ljust(columns)
    if not left:
        return _shorten(right, columns).rjust(columns)
    return f"{_shorten(left, room).ljust(room)} {right}"


def _shorten(text: str, room: int) -> str:
    text = text.rstrip()
    if len(text) <= room:
        return text
    words = text.split()
    while len(" ".join(words)) > room:
        # Words with a digit stay whole.
        place = max(
            (place for place, word in enumerate(words) if _can_shorten(word)),
            key=lambda place: len(words[place]),
            default=None,
        )
        if place is None:
            break
        words[place] = words[place].rstrip(".")[:-1].rstrip(".") + "."
    if len(" ".join(words)) <= room:
        return " ".join(words)
    while words and len(" ".join(words)) + 1 + len(LEFT_OUT) > room:
        words.pop()
    if words:
        return f"{' '.join(words)} {LEFT_OUT}"
    return TOO_WIDE * room


def _can_shorten(word: str) -> bool:
    return len(word) > 2 and not any(letter.isdigit() for letter in word)
