"""Explain a refused move: an objection is a rule id and a code; words come from the text files."""

from rules.core import IllegalMove
from rules.match import Match
from rules.telling import Teller

match = Match("knizia_stonehenge", players=2)
match.push("p0 place 3 L")

for lang in ("en", "de"):
    teller = Teller(match.game, lang, match.colours, names=("Ada", "Ben"))
    for text in ("p0 claim H4", "p0 place 5 A", "p1 place 6 L"):
        try:
            match.push(text)
        except IllegalMove as refused:
            for objection in refused.objections:
                told = teller.objection(objection)
                print(f"{text}: {objection.code}, rule {objection.rule}")
                print(f"  {told.title}")
                print(f"  {told.text}")
                print(f"  {told.do}")

# The page of the rule that was cited, in our own words.
page = Teller(match.game, "en", match.colours).rule("1.5")
print(f"\n{page.rule} {page.title}\n{page.text}")
