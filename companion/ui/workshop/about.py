"""This Heelstone: version, disk, licences, and how it is updated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.care.machine import LEAST_FREE_MB
from companion.presentation.words.translate import _
from companion.presentation.words.workshop import size_text
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.ui.widgets.page import PageScreen
from companion.ui.workshop.page import BenchPage, Frame, told
from companion.workshop.about import About

__all__ = ["AboutPage"]


class AboutPage(BenchPage):
    """Nothing here can be touched."""

    def __init__(self, host: PageScreen, about: Callable[[], About]) -> None:
        super().__init__(host)
        self._about = about

    @property
    def title(self) -> str:
        return _("About Heelstone")

    @property
    def text(self) -> str:
        return _("Version {version}").format(version=self._about().version)

    def fill(self, frame: Frame, width: float) -> None:
        about, inner = self._about(), width - style.gap
        rows: list[Any] = [told(note, "", inner, "!", "dawn") for note in about.notes]
        if about.free_bytes >> 20 < LEAST_FREE_MB:
            text = _("Delete something, or matches can no longer be saved.")
            rows.append(told(_("The disk is almost full."), text, inner, "!", "dawn"))
        rows += [
            *_part(_("Disk"), (
                _("Free: {size}").format(size=size_text(about.free_bytes)),
                _("Journal: {size}, matches: {count}").format(
                    size=size_text(about.journal_bytes), count=about.matches
                ),
                _("Voice recordings: {size}").format(size=size_text(about.voice_bytes)),
                _("Problem reports: {count}").format(count=about.reports),
            ), inner),
            *_part(_("Licences"), (
                _("Heelstone is free software under the MIT licence."),
                _("The typeface Heelstone Sans is based on Inter and free under the SIL Open "
                  "Font License; symbols are from DejaVu Sans."),
                _("It is built on Kivy, OpenCV, NumPy, gpiozero, pyserial, msgspec and "
                  "platformdirs; each has its own free licence."),
                _("The games belong to their authors and publishers. Heelstone only knows their "
                  "rules, in its own words."),
            ), inner),
            *_part(_("Parts"), tuple(
                f"{name} {number}" for name, number in about.packages.items()
            ), inner),
        ]  # fmt: skip
        frame.add_widget(self.host.listing(rows, style.grid))


def _part(title: str, lines: tuple[str, ...], width: float) -> list[Any]:
    words = [Words(title, bold=True, width=width)]
    return words + [Words(line, color=style.ash, width=width) for line in lines]
