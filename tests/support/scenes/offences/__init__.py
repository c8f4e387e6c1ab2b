"""Offences: illegal steps of hands, made from random matches, one condition at a time.

Each begins at a decision of a random match. One word of a legal move is another one, a player acts
out of turn or once more, the effect of a move lands elsewhere, or play goes on behind an offence.
Kept are those that hands can carry out, that show, and that no legal moves explain. A picture does
not tell everything: every reason counts that forbids an equally simple step of the same player that
leaves the same picture.
"""
