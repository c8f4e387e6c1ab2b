"""The choices before a match: the box, the way of playing, who plays which colour."""
