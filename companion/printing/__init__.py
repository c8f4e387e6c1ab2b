"""The printable set of a box: board, stickers, cards and pieces as millimetre-exact PDF.

``printed`` in ``booklet.py`` puts the parts together. Everything is drawn in vectors and in true
size; the camera reads what comes out of the printer, so the tests read it back.
"""
