"""Ways in which a match leaves this computer: a link for BG Stats, a code, a USB stick."""
