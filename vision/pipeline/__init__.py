"""One look at a table, in stages: board, comparison, pieces, what covers them, the sighting.

Each stage hands a frozen result to the next; ``looker`` reads like their order.
"""
