"""Strength of computer players: matches with exchanged seats, against chance, against each other,
and against players of other projects."""
