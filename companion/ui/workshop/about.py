"""This Heelstone: version, disk, licences, and how it is updated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.presentation.words.translate import _
from companion.presentation.words.workshop import size_text
from companion.support.machine import LEAST_FREE_MB
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.ui.widgets.page import PageScreen
from companion.ui.workshop.page import BenchPage, Frame, told
from companion.workshop.about import About


class AboutPage(BenchPage):
    """A page without anything to touch."""

    def __init__(self, host: PageScreen, about: Callable[[], About]) -> None:
        super().__init__(host)
        self._about = about

    @property
    def title(self) -> str:
        return _("workshop.about_heelstone")

    @property
    def text(self) -> str:
        return _("workshop.version").format(version=self._about().version)

    def fill(self, frame: Frame, width: float) -> None:
        about, inner = self._about(), width - style.gap
        rows: list[Any] = [told(note, "", inner, "!", "dawn") for note in about.notes]
        if about.free_bytes >> 20 < LEAST_FREE_MB:
            text = _("workshop.delete_something")
            rows.append(told(_("workshop.the_disk_is_almost_full"), text, inner, "!", "dawn"))
        rows += [
            *_part(_("workshop.disk"), (
                _("workshop.free_size").format(size=size_text(about.free_bytes)),
                _("workshop.journal_size_matches_count").format(
                    size=size_text(about.journal_bytes), count=about.matches
                ),
                _("workshop.voice_recordings").format(size=size_text(about.voice_bytes)),
                _("workshop.problem_reports").format(count=about.reports),
            ), inner),
            *_part(_("workshop.licences"), (
                _("workshop.heelstone_is_free_software_under"),
                _("workshop.the_typeface_heelstone_sans_is_based"),
                _("workshop.it_is_built_on_kivy"),
                _("workshop.the_games_belong_to_their_authors"),
            ), inner),
            *_part(_("workshop.parts"), tuple(
                f"{name} {number}" for name, number in about.packages.items()
            ), inner),
        ]  # fmt: skip
        frame.add_widget(self.host.listing(rows, style.grid))


def _part(title: str, lines: tuple[str, ...], width: float) -> list[Any]:
    words = [Words(title, bold=True, width=width)]
    return words + [Words(line, color=style.ash, width=width) for line in lines]
