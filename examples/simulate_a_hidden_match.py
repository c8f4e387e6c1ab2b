"""Deal a match with hidden hands, and see what the public, and each player, may know of it."""

from rules.games import find_game
from rules.match import Match
from rules.testing.playout import random_match

game = find_game("opferroulette")
players, seed = 3, 7
options = game.complete_options(players, {})

# A referee who sees only the table is told no more than what lies open there.
referee = Match(game, players, options, physical=True)
draws = 0
for match, _, move in random_match(game, players, options, seed):
    if move.verb == "draw" and draws < 3:
        draws += 1
        views = [str(match.state.public(move, seat)) for seat in (None, 0, 1)]
        print(f"{move.text:<22}everybody: {views[0]:<18} p0: {views[1]:<20} p1: {views[2]}")
    for shown in match.state.shown(move):
        referee.push(shown)

outcome = match.outcome
assert outcome is not None
assert referee.outcome == outcome
print(f"{match.ply} moves, {outcome.reason}, scores {outcome.scores}, ranking {outcome.ranking}")
print("a spectator sees hands as numbers of cards:", match.view(None)["state"]["hands"])
