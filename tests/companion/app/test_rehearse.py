"""The command rehearse: a written scene goes in, what the table made of it comes out."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from companion.app.rehearse import in_words
from rules.games import find_game
from rules.telling import Teller
from rules.texts import Texts
from tests.support.command import ROOT, Heelstone

CLAIM = """
{"scene": "a line nobody controls", "game": "knizia_stonehenge"}
{"look": {"G": ["stone black 1"]}}
{"look": {"A": [{"kind": "stone brown 5", "owner": 1, "count": 1}]}, "hand": true, "for": 1.5}

{"wait": 4, "note": "the hand is gone"}
{"look": {"H1": ["megalith brown"]}}
{"press": "anyway"}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "scene.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_scene_tells_what_was_agreed_and_refused_and_when(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    done = heelstone("rehearse", "knizia_stonehenge", written(tmp_path, CLAIM), "--json")
    assert done.code == 0
    *events, last = done.records
    told = [(e["event"], e["t"]) for e in events if e["event"] != "state"]
    assert told == [("agreed", 0.8), ("agreed", 7.3), ("refused", 13.5), ("agreed", 15.5)]
    agreed = [e for e in events if e["event"] == "agreed"]
    assert agreed[1]["moves"] == ["p0 done", "p1 place 5 A"]
    assert (agreed[1]["src"], agreed[2]["forced"]) == ("camera", True)
    (refused,) = [e for e in events if e["event"] == "refused"]
    (objection,) = refused["objections"]
    assert (objection["code"], refused["sites"]) == ("still_open", ["H1"])
    assert last["moves"][-1] == "p1 claim H1"
    assert (last["asked"], last["accused"], last["scores"]) == (0, 1, [0, 1])
    assert last["state"]["lines"] == {"H1": 1}


def test_what_came_out_differently_is_told_and_the_command_fails(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    expects = '"game": "knizia_stonehenge", "expect": {"accused": 1, "scores": [0, 1]}'
    met = written(tmp_path, CLAIM.replace('"game": "knizia_stonehenge"', expects))
    assert heelstone("rehearse", "knizia_stonehenge", met).code == 0
    unmet = written(tmp_path, met.read_text("utf-8").replace('"accused": 1', '"accused": 0'))
    # The scene may stand behind the options, as its synopsis has it.
    done = heelstone("rehearse", "knizia_stonehenge", "--lang", "de", "--players", "2", unmet)
    assert done.code == 1 and done.out.rstrip().endswith("erwartet (accused): 0; gefunden: 1")
    last = heelstone("rehearse", "knizia_stonehenge", unmet, "--json").records[-1]
    assert last == {"event": "unmet", "key": "accused", "expected": 0, "found": 1}


def test_an_answer_chooses_what_holds_it(heelstone: Heelstone, tmp_path: Path) -> None:
    scene = '{"look": {"G": ["stone black 1"]}}\n{"look": {"G": []}}\n{"answer": []}\n'
    done = heelstone("rehearse", "knizia_stonehenge", written(tmp_path, scene), "--json")
    events = [e["event"] for e in done.records[:-1] if e["event"] != "state"]
    assert events == ["agreed", "asked", "taken_back"]
    asked = next(e for e in done.records if e.get("event") == "asked")
    assert (asked["answers"], asked["takebacks"]) == ([[]], [1])
    assert done.records[-1]["moves"] == []


def test_people_read_the_same_in_their_language(heelstone: Heelstone, tmp_path: Path) -> None:
    done = heelstone("rehearse", "knizia_stonehenge", written(tmp_path, CLAIM), "--lang", "de")
    assert "p1 place 5 A (Braun legt die 5 auf A)" in done.out
    assert done.out.splitlines()[-1].startswith("4 Züge, 0 : 1 Punkte; 0-mal gefragt")


def test_a_scene_may_come_by_stdin(heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.TextIOWrapper(io.BytesIO(b'{"tap": "p0 place 3 A"}'))
    monkeypatch.setattr("sys.stdin", text)
    done = heelstone("rehearse", "knizia_stonehenge", "-", "--json")
    assert done.records[-1]["moves"] == ["p0 place 3 A"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"look": {"AA": []}}', "the box has no site 'AA'; did you mean 'A'?"),
        ('{"look": {"A": ["stone blak 1"]}}',
         "the box has no piece 'stone blak 1'; did you mean 'stone black 1'?"),
        ('{"look": {"A": ["megalith black"]}}',
         "'megalith black' cannot lie at 'A'; possible there: stone, stone back"),
        ('{"look": {"A": [{"kind": "stone black 1", "pose": "lying"}]}}',
         "'stone black 1' has no pose 'lying'; there are: none"),
        ('{"look": {"A": "stone black 1"}}', "'A': expected a list, found \"stone black 1\""),
        ('{"look": {"A": []}, "fro": 1}',
         "unknown key 'fro' beside 'look'; did you mean 'for'?"),
        ('{"look": {"A": [], "A": []}}', "the key 'A' is there twice"),
        ('{"look": ', "this is not a JSON object: it goes wrong at column 10"),
        ("[]", "a line is a JSON object with one of the keys moves, look, setup, tap, answer, "
               "press, wait, expect"),
        ('{"look": {}, "wait": 1}', "a line is a JSON object with one of the keys moves, look, "
                                    "setup, tap, answer, press, wait, expect"),
        ('{"wait": NaN}', "'wait': expected a number from 0 to 3600, found NaN"),
        ('{"tap": "p0 jump A"}', "knizia_stonehenge has no move 'p0 jump A'"),
        ('{"answer": "p0 done"}',
         "'p0 done' answers nothing: the table is asking nothing here (settled)"),
        ('{"press": "agre"}', "'press': expected one of undo, redo, agree, board_is_right, "
                              "camera_is_wrong, anyway, found \"agre\""),
        ('{"scene": "late"}', "the heading belongs above everything else"),
        ('{"moves": ["p0 place 1 G", "p0 place 2 H"]}',
         "'p0 place 2 H' is not allowed: 1.4 already_placed; a line that is meant to break the "
         'rules says "forbidden": true'),
        ('{"moves": ["p0 place 1 G"], "forbidden": true}',
         'none of these moves is against the rules, though the line says "forbidden": true'),
        ('{"moves": ["p0 jump"], "forbidden": true}',
         "hands cannot make 'p0 jump' here; what they do instead can be written as a look"),
        ('{"moves": [], "late": ["AA"]}', "the box has no site 'AA'; did you mean 'A'?"),
        ('{"moves": [], "look": "twice"}', "'look': expected one of end, each, found \"twice\""),
        ('{"moves": [], "strays": []}',
         "unknown key 'strays' beside 'moves'; there are: note, look, for, step_s, hand, hidden, "
         "late, touched, forbidden"),
        ('{"expect": "fine"}', "'expect': expected one of agreed, asked, refused, differs, waits, "
                               "nothing, found \"fine\""),
        ('{"expect": []}', "'expect': expected one of agreed, asked, refused, differs, waits, "
                           "nothing, found []"),
        ('{"expect": [{"who": 1}]}', "'expect': expected one of agreed, asked, refused, differs, "
                                     'waits, nothing, found {"who": 1}'),
        ('{"expect": "agreed", "who": 1}',
         "unknown key 'who' beside 'expect'; there are: note, moves"),
    ],
)  # fmt: skip
def test_a_bad_scene_gives_one_line_that_names_file_and_line(
    heelstone: Heelstone, tmp_path: Path, line: str, reason: str
) -> None:
    path = written(tmp_path, f'{{"look": {{}}, "for": 0}}\n{line}\n')
    done = heelstone("rehearse", "knizia_stonehenge", path, "--json")
    assert done.complaint() == f"{path}, line 2: {reason}"


def test_a_scene_of_another_game_is_refused_in_german_too(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    path = written(tmp_path, CLAIM)
    told = heelstone("rehearse", "dominion", path, "--lang", "de").complaint()
    assert told == f"{path} ist eine Szene von knizia_stonehenge, nicht von dominion"


def test_a_count_may_be_at_most(heelstone: Heelstone, tmp_path: Path) -> None:
    expects = '"game": "knizia_stonehenge", "expect": {"accused": {"at_most": %s}}'
    scene = CLAIM.replace('"game": "knizia_stonehenge"', expects)
    assert heelstone("rehearse", "knizia_stonehenge", written(tmp_path, scene % 2)).code == 0
    done = heelstone("rehearse", "knizia_stonehenge", written(tmp_path, scene % 0), "--json")
    unmet = {"event": "unmet", "key": "accused", "expected": {"at_most": 0}, "found": 1}
    assert done.code == 1 and done.records[-1] == unmet
    wrong = written(tmp_path, scene % '0, "least": 1')
    assert "unknown key 'least'" in heelstone("rehearse", "knizia_stonehenge", wrong).complaint()
    empty = written(tmp_path, scene.replace('"at_most": %s', ""))
    assert (
        heelstone("rehearse", "knizia_stonehenge", empty)
        .complaint()
        .endswith(
            "'accused': expected a whole number, or an object {\"at_most\": number}, found {}"
        )
    )


def test_what_a_line_expected_is_told_with_its_number(heelstone: Heelstone, tmp_path: Path) -> None:
    lines = ('{"look": {"G": ["stone black 1"]}}', '{"expect": ["nothing", {"expect": "refused", '
             '"who": 1, "rule": "1.4"}]}')  # fmt: skip
    path = written(tmp_path, "\n".join(lines))
    done = heelstone("rehearse", "knizia_stonehenge", path, "--json")
    assert done.code == 1 and done.records[-1] == {
        "event": "unmet", "line": 2, "key": "expect", "expected": ["nothing", "refused p1 1.4"],
        "found": ["agreed p0 place 1 G", "settled"],
    }  # fmt: skip
    told = heelstone("rehearse", "knizia_stonehenge", path, "--lang", "de").out.splitlines()[-1]
    assert told == (
        "erwartet in Zeile 2: nothing | refused p1 1.4; gefunden: agreed p0 place 1 G, settled"
    )


def test_hands_that_are_too_fast_are_warned_about(heelstone: Heelstone, tmp_path: Path) -> None:
    lines = (
        '{"look": {"G": ["stone black 1"]}, "for": 0.5}',
        '{"look": {"A": ["stone brown 5"]}}',
        '{"look": {"B": ["stone black 2"]}, "hand": true, "for": 0.5}',
        '{"wait": 1}',
    )
    path = written(tmp_path, "\n".join(lines))
    done = heelstone("rehearse", "knizia_stonehenge", path, "--json")
    (warning,) = [e for e in done.records if e.get("event") == "warning"]
    assert warning == {
        "t": 0.5, "event": "warning", "line": 2,
        "text": "the table changes without a hand, less than a second after it changed before",
    }  # fmt: skip
    done = heelstone("rehearse", "knizia_stonehenge", path, "--lang", "de")
    assert done.code == 0 and done.err == (
        f"heelstone: {path}, Zeile 2: der Tisch ändert sich ohne Hand, weniger als eine Sekunde "
        "nach der letzten Änderung\n"
    )


PAGE = (ROOT / "docs" / "rehearse.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(
    r"```json\n(\{\"scene\".*?\n)```\n(?:\n```text\n\$ (.*?)\n(.*?)```)?", PAGE, re.S
)


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e[0].count("\n") > 1])
def test_the_examples_of_the_page_about_scenes_come_out_as_it_says(
    heelstone: Heelstone, tmp_path: Path, example: tuple[str, str, str]
) -> None:
    scene, command, printed = example
    path = written(tmp_path, scene)
    done = heelstone("rehearse", "knizia_stonehenge", path, "--lang", "en")
    assert done.code == 0
    if command:
        assert command == "heelstone rehearse knizia_stonehenge scene.jsonl"
        assert done.out == printed


def test_the_page_about_scenes_has_examples() -> None:
    assert len(EXAMPLES) > 3


@pytest.mark.parametrize(("lang", "said"), [("de", "Die Zeit ist um"), ("en", "Time is up")])
def test_an_event_without_words_of_its_own_is_told_as_on_screens(lang: str, said: str) -> None:
    teller = Teller(find_game("knizia_stonehenge"), lang, ["black", "brown"])
    record = {"t": 1.5, "event": "time_up", "seats": [0]}
    assert in_words(record, Texts("commands.rehearse", lang), teller) == f"    1.5 s  {said}"
