"""The pictures on the fronts of the boxes: drawn once, then saved."""

from __future__ import annotations

from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Fbo
from kivy.graphics.texture import Texture

from companion.setup.shelf import Fronts
from companion.ui.drawing.board import Board
from companion.ui.model.setting_up.covers import cover_scene
from companion.ui.theme.style import style

__all__ = ["FrontPictures"]

Size = tuple[int, int]


class FrontPictures:
    """Textures by game and size (px), in the colours of the theme."""

    def __init__(self, fronts: Fronts) -> None:
        """``fronts``: where pictures are saved."""
        self.fronts = fronts
        self._textures: dict[tuple[str, str], Any] = {}

    def kept(self, game: str, size: Size, ground: str) -> Any:
        """The picture on a ground of the colour with this name; None if it must be drawn first."""
        look = _look(size, ground)
        if (game, look) not in self._textures:
            pixels = self.fronts.picture(game, look, size)
            if pixels is None:
                return None
            texture = Texture.create(size=size, colorfmt="rgba")
            texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
            self._textures[game, look] = texture
        return self._textures[game, look]

    def draw(self, game: str, size: Size, ground: str) -> Any:
        """The picture, drawn now if need be; that takes a tenth of a second or two."""
        kept = self.kept(game, size, ground)
        if kept is not None:
            return kept
        fbo = Fbo(size=size)
        with fbo:
            # Opaque: the soft edges of lines would be blended twice on a transparent ground.
            ClearColor(*style.tone(ground))
            ClearBuffers()
        board = Board(size_hint=(None, None), size=size)
        board.show(cover_scene(game))
        fbo.add(board.canvas)
        fbo.draw()
        look, texture = _look(size, ground), fbo.texture
        self._textures[game, look] = texture
        self.fronts.keep_picture(game, look, texture.pixels)
        return texture


def _look(size: Size, ground: str) -> str:
    return f"{style.name}-{ground}-{style.piece_colours}-{size[0]}x{size[1]}"
