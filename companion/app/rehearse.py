"""``heelstone rehearse``: what came of a written scene, as records for programs and for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.match.events import (
    Asked,
    BoardOutOfSync,
    MatchOver,
    MovesCommitted,
    MovesUndone,
    Penalised,
    Refused,
    StateEntered,
    Trouble,
)
from companion.match.rehearsing.expecting import Unmet
from companion.match.rehearsing.rehearsal import Rehearsal, Told, Warned
from rules.core import Call, Move, Objection
from rules.telling import Teller
from rules.texts import Texts

Record = dict[str, Any]


def records(rehearsal: Rehearsal, teller: Teller) -> Iterator[Record]:
    """One record for everything that happened, then what the match has come to."""
    for told in rehearsal.told:
        yield _event(told, teller)
    match = rehearsal.match
    yield {
        "moves": [entry.move.text for entry in match.log],
        "scores": list(match.scores),
        "state": match.state.to_json(),
        "asked": rehearsal.asked,
        "accused": len(rehearsal.refusals),
    }


def in_words(record: Record, say: Texts, teller: Teller) -> str:
    """A record as one line for people."""
    if "event" not in record:
        counts = {key: record[key] for key in ("asked", "accused")}
        scores = " : ".join(map(str, record["scores"]))
        points = say("points", scores=scores) if teller.game.counts_points else ""
        return say("end", moves=len(record["moves"]), points=points, **counts)
    event = record["event"]
    # A call is told as on screens.
    called = say(event) if say.knows(event) else teller.call(Call(event, ())).do
    told = f"{record['t']:7.1f} s  {called:<12}  {_what(record, say, teller)}"
    return told.rstrip()


def unmet_record(unmet: Unmet) -> Record:
    """A record of something that came out differently."""
    where = {} if unmet.line is None else {"line": unmet.line}
    told = {"key": unmet.key, "expected": unmet.expected, "found": unmet.found}
    return {"event": "unmet", **where, **told}


def unmet_in_words(unmet: Unmet, say: Texts) -> str:
    """The same as one line for people."""
    if unmet.line is None:
        expected, found = str(unmet.expected), str(unmet.found)
        return say("unmet", about=unmet.key, expected=expected, found=found)
    expected, found = " | ".join(unmet.expected), ", ".join(unmet.found)
    return say("unmet_line", line=unmet.line, expected=expected, found=found)


def _event(told: Told, teller: Teller) -> Record:
    name, facts = _facts(told, teller)
    return {"t": round(told.at_s, 3), "event": name, **facts}


def _facts(told: Told, teller: Teller) -> tuple[str, Record]:
    """Name and details of an event."""
    match told.event:
        case MovesCommitted(moves, src, sites, forced):
            return "agreed", {
                "moves": _texts(moves), "src": src.value, "sites": _once(sites), "forced": forced,
            }  # fmt: skip
        case MovesUndone(moves, sites):
            return "taken_back", {"moves": _texts(moves), "sites": _once(sites)}
        case Asked(candidates):
            return "asked", {
                "answers": [_texts(candidate.moves) for candidate in candidates],
                "takebacks": [candidate.takeback for candidate in candidates],
            }
        case Refused(objections, sites):
            return "refused", {
                "objections": [_objection(each, teller) for each in objections],
                "who": told.who,
                "sites": _once(sites),
            }
        case BoardOutOfSync(sites):
            return "differs", {"sites": _once(sites)}
        case Penalised(player, objection):
            return "penalised", {"player": player, "objections": [_objection(objection, teller)]}
        case StateEntered(state):
            return "state", {"state": state.value}
        case MatchOver(outcome):
            return "over", {"outcome": outcome.to_json(), "text": str(teller.outcome(outcome))}
        case Trouble(what):
            return "trouble", {"text": "" if what is None else what.told(teller.lang)}
        case Warned(line, what):
            return "warning", {"line": line.number, "text": what.told(teller.lang)}
        case Call(code, seats, sites):
            return code, {"seats": list(seats), "sites": list(sites)}


def _objection(objection: Objection, teller: Teller) -> Record:
    text = str(teller.objection(objection))
    return {"rule": objection.rule, "code": objection.code, "text": text}


def _texts(moves: Sequence[Move]) -> list[str]:
    return [move.text for move in moves]


def _once(sites: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(sites))


def _what(record: Record, say: Texts, teller: Teller) -> str:
    """The part of a record that people want to read."""
    if "answers" in record:
        answers = zip(record["answers"], record["takebacks"], strict=True)
        return " | ".join(_answer(moves, back, say) for moves, back in answers)
    if "objections" in record:
        return " ".join(each["text"] for each in record["objections"])
    if record["event"] == "differs":
        return ", ".join(map(teller.site, record["sites"]))
    if "moves" in record:
        return "; ".join(f"{text} ({teller.move(Move.parse(text))})" for text in record["moves"])
    return str(record.get("text") or say(record.get("state", "nothing")))


def _answer(moves: Sequence[str], takeback: int, say: Texts) -> str:
    back = [say("back", count=takeback)] if takeback else []
    return ", ".join([*back, *moves])
