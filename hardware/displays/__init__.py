"""Score displays: lines of text, whatever device shows them."""
