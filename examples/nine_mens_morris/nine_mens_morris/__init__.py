"""Nine Men's Morris (Mühle) for two players, as a game in a package of its own.

Players place nine stones each, then move them along the lines; three in a row are a mill and take
a stone of the opponent's. Section and ruling ids (1.1 … 1.7, NM1 … NM8) are those of the rule pages
in ``text/nine_mens_morris.*.toml``. The rules are those of R. Gasser, *Solving Nine Men's Morris*,
Games of No Chance, MSRI Publications 29, 1996, section 1; the rulings say where books differ.
"""

from nine_mens_morris.game import NineMensMorris

__all__ = ["GAME"]

GAME = NineMensMorris()
