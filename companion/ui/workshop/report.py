"""The problem report: what goes in, moments to remember, and the file itself."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.journal.entries import JournalError
from companion.presentation.words.translate import _
from companion.presentation.words.workshop import size_text
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, told
from hardware.supervised_thread import SupervisedThread, tell_failure
from rules.bounded import is_there
from rules.errors import sentence_of

if TYPE_CHECKING:
    from companion.workshop.camera import CameraBench
    from companion.workshop.report import ReportBench

log = logging.getLogger(__name__)


class ReportPage(BenchPage):
    """Writing takes a second or two, so a separate thread does it."""

    def __init__(self, host: PageScreen, report: ReportBench, camera: CameraBench) -> None:
        super().__init__(host)
        self.bench, self._camera = report, camera
        self._writer: SupervisedThread | None = None
        self._path: Path | None = None
        self._trouble = ""
        self._note = ""

    @property
    def title(self) -> str:
        return _("screens.report_a_problem")

    @property
    def text(self) -> str:
        return _("workshop.one_file_for_whoever_tracks_down")

    def enter(self) -> None:
        # What the camera sees now belongs in the report, with or without a match.
        self._camera.watch()

    def leave(self) -> None:
        self._camera.unwatch()

    def fill(self, frame: Frame, width: float) -> None:
        inner = width - style.gap
        rows: list[Any] = []
        if self._writer is not None:
            rows.append(told(_("workshop.writing_the_report"), "", inner, "…"))
        elif self._trouble:
            text = _("workshop.is_the_disk_full")
            rows.append(told(self._trouble, text, inner, "!", "dawn"))
        elif self._path is not None:
            text = _("workshop.size_in_the_folder").format(
                size=size_text(self._path.stat().st_size if is_there(self._path) else 0),
                folder=_short(self._path.parent),
            )
            rows.append(told(self._path.name, text, inner, "✓", "ok"))
        if self._note:
            rows.append(told(self._note, "", inner, "◉", "ok"))
        text = _("workshop.it_contains_the_cameras_pictures")
        rows.append(Words(text, width=inner))
        text = _("workshop.names_become_seat_numbers")
        rows.append(Words(text, color=style.ash, width=inner))
        moments = self.bench.moments()
        count = _("workshop.no_moments_have_been_saved_yet")
        if moments:
            count = _("workshop.moments_remembered").format(count=len(moments))
        rows.append(Words(count, color=style.ash, width=inner))
        frame.add_widget(self.host.listing(rows, style.gap))
        write = Key(_("workshop.write_the_report"), self._write, symbol="✓", primary=True)
        write.disabled = self._writer is not None
        frame.add_widget(
            beside(Key(_("workshop.remember_this_moment"), self._remember, symbol="◉"), write)
        )

    def tick(self) -> None:
        if self._writer is not None and not self._writer.is_alive():
            self._writer = None
            self.host.renew()

    def _remember(self) -> None:
        trouble = self.bench.remember_moment()
        self._note = "" if trouble else _("screens.it_is_remembered")
        self._trouble = trouble
        self.host.renew()

    def _write(self) -> None:
        self._path, self._trouble, self._note = None, "", ""
        self._writer = SupervisedThread("report", self._run, once=True)
        self._writer.start()
        self.host.renew()

    def _run(self) -> None:
        try:
            self._path = self.bench.write()
        except (OSError, JournalError) as error:
            log.warning("the report could not be written: %s", error)
            self._trouble = sentence_of(error).told(style.lang)
        except Exception as error:
            # Else the page would fall silent as if nothing had been asked for.
            tell_failure(error)
            self._trouble = sentence_of(error).told(style.lang)


def _short(folder: Path) -> str:
    """A folder as people say it: relative to their own."""
    try:
        return f"~/{folder.relative_to(Path.home())}"
    except ValueError:
        return str(folder)
