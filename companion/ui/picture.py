"""Pictures of the screens: opaque PNG files of exactly the size asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Fbo, PopMatrix, PushMatrix, Translate

from companion.ui import later
from companion.ui.theme.style import style

__all__ = ["snapshot"]


def snapshot(target: Any, path: Path | str) -> Path:
    """Write what ``target`` (a widget, or the window) shows now; returns the path.

    The picture is as large as the target in px and has the theme's ground where nothing is drawn.
    """
    later.finish()
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
    texture = fbo.texture
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    texture.save(str(path), flipped=True)
    fbo.remove(target.canvas)
    if parent is not None and index > -1:
        parent.canvas.insert(index, target.canvas)
    return path
