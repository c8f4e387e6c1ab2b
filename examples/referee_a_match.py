"""Referee a match in Python: play moves, see the score, take one back, keep it for later."""

from rules.match import Match
from rules.telling import Teller

MOVES = """
p0 place 3 L
p0 done
p1 place 1 B
p1 done
p0 place 6 A
p0 claim H1
""".strip().splitlines()

match = Match("knizia_stonehenge", players=2)
teller = Teller(match.game, "en", match.colours)

for text in MOVES:
    match.push(text)
    print(f"{text:<16}{teller.move(match.log[-1].move)}")

print("scores", match.scores)
print("taken back:", match.pop())
print("played again:", match.redo())

# The dump is plain data (JSON); loading it replays every move and so proves that it is legal.
stored = match.dump()
again = Match.load(stored)
assert again.state.to_json() == match.state.to_json()
prompt = again.prompt
assert prompt is not None
print("next:", teller.prompt(prompt))
