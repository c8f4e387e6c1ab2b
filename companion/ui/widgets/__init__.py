"""The parts of screens: words, cards, buttons, the board and its pieces."""
