"""Worked examples of a game: what it does in one position of each kind, for its author to compare
with the rulebook.

No program finds a rule that is wrong throughout; whoever has the rulebook at hand does, if it is
shown what the game makes of it. So random matches of every setting are searched for the earliest
position of every kind: each set-up, each objection with a move of the same sort that is allowed,
each sort of turn with what it changes, scores and leads to, each end, and what another value of an
option changes.
"""
