"""What screens are made of: words, cards, buttons, the board and its pieces."""
