"""The program with its screens, from the first frame to the last."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.application import Application
from companion.app.preload import Warming, settle_memory
from companion.settings.settings import Settings
from companion.workshop.fieldtest import MARK
from rules.bounded import is_there

if TYPE_CHECKING:
    from companion.presentation.virtual_table import TableSide, TableWindow


def run_app(
    settings: Settings,
    state: Path,
    lang: str,
    settings_file: Path | None = None,
    page: str = "",
) -> int:
    """Shows the screens until the window is closed. Raises NoScreenError.

    ``page``: the page of the workshop that is shown first. A field test that was interrupted goes
    on by itself.
    """
    from companion.ui import kivy_env

    kivy_env.prepare(state)
    window = kivy_env.window()
    from companion.ui import first_picture

    house = Application(settings, state, lang, settings_file)
    first_picture.show(window, house.preferences.now.theme)

    def check_fronts() -> None:
        if house.fronts.check():
            app.fronts_changed()

    def drawn() -> None:
        # What the first frame needed stays; searching it for garbage would make the next ones late.
        gc.freeze()
        gc.enable()
        warming.start()

    warming = Warming([check_fronts, *house.steps_ahead(), settle_memory])
    try:
        from companion.app.service import signs_of_life
        from companion.support.heartbeat import Heartbeat
        from companion.support.log import RunLog, runtime_folder
        from companion.ui.app import HeelstoneApp

        app = HeelstoneApp(
            house,
            house.preferences.now,
            page=page or ("fieldtest" if is_there(state / MARK) else ""),
            fronts=house.fronts,
            on_style=house.preferences.choose,
            on_drawn=drawn,
            virtual=_open_table,
        )
        keep_log = RunLog(house.recent_log.lines, runtime_folder())
        heartbeat = Heartbeat({**signs_of_life(house), "screen": app.alive}, each=keep_log)

        def ready(*_: object) -> None:
            # Kivy asks no further once a listener returns something, not even the app itself.
            heartbeat.start()

        # Ready means that the screen responds to touch.
        app.bind(on_start=ready)
        try:
            app.run()
        finally:
            warming.close()
            heartbeat.close()
    finally:
        house.close()
    return 0


def _open_table(game: str, lang: str, window: TableWindow) -> TableSide:
    # OpenCV and the drawing of pieces: only who plays without a board waits for them.
    from companion.app.demo.window import open_table

    return open_table(game, lang, window)
