"""Pictures of the screens: opaque PNG files of exactly the size asked for."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from kivy.core.image import Image
from kivy.graphics import ClearBuffers, ClearColor, Fbo, PopMatrix, PushMatrix, Translate

from companion.settings.writing import hand_out
from companion.ui import frame_queue
from companion.ui.theme.style import style


def snapshot(target: Any, path: Path | str) -> Path:
    """Write ``picture_of`` a widget, or the window; returns the path. Raises WriteError."""
    path = Path(path)
    hand_out(path, picture_of(target))
    return path


def picture_of(target: Any) -> bytes:
    """Picture of ``target`` (a widget, or the window) as it is now, as a PNG file.

    The picture is as large as the target in px and has the theme's ground where nothing is drawn.
    """
    frame_queue.finish()
    size = (max(round(target.width), 1), max(round(target.height), 1))
    x, y = getattr(target, "pos", (0, 0))
    fbo = Fbo(size=size, with_stencilbuffer=True)
    # The window holds its children's canvases itself; a widget is drawn by its own.
    parent: Any = getattr(target, "parent", None)
    index = -1
    if parent is not None and parent is not target:
        index = parent.canvas.indexof(target.canvas)
        if index > -1:
            parent.canvas.remove(target.canvas)
    with fbo:
        ClearColor(*style.night[:3], 1)
        ClearBuffers(clear_stencil=True)
        PushMatrix()
        Translate(-x, -y, 0)
    fbo.add(target.canvas)
    with fbo.after:
        PopMatrix()
    fbo.draw()
    coded = BytesIO()
    Image(fbo.texture).save(coded, flipped=True, fmt="png")
    fbo.remove(target.canvas)
    if parent is not None and index > -1:
        parent.canvas.insert(index, target.canvas)
    return coded.getvalue()
