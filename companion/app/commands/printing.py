"""Command print: boards, stickers, cards and pieces as PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.app.commands import OK, Commands, box_of, lang_of, print_json, progress_of, tell
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    printing = commands.add("print", _print)
    printing.add_argument("box", metavar="BOX")
    printing.add_argument("--what", metavar="PARTS", default=None)
    printing.add_argument("--paper", metavar="SIZES", default="a4")
    printing.add_argument("--kingdom", metavar="NAMES", default=None)
    printing.add_argument("--out", metavar="FILE", required=True)


def _print(given: argparse.Namespace) -> int:
    from companion.printing.booklet import printed
    from companion.printing.dominion_subset import for_kingdom

    lang = lang_of(given)
    box, _ = box_of(given.box)
    parts = None if given.what is None else [part.strip() for part in given.what.split(",")]
    path = Path(given.out)
    if given.kingdom is not None:
        box = for_kingdom(box, given.kingdom)
    say = Texts("print", lang)
    with progress_of(given) as stage:

        def drawing(what: str, paper: str) -> None:
            stage("print", what=say(f"part_{what}"), paper=paper.upper())

        document = printed(box, lang, given.paper, parts, drawing)
        stage("print_save")
        document.save(path)
    if given.json:
        for page in document.pages:
            print_json({"page": page.page, "what": page.what, "paper": page.paper,
                        "stickers": page.stickers})  # fmt: skip
        return OK
    for part in dict.fromkeys((page.paper, page.what) for page in document.pages):
        pages = [page.page for page in document.pages if (page.paper, page.what) == part]
        paper, what = part
        tell(say("listed", what=say(f"part_{what}"), paper=paper.upper(), first=pages[0],
                  last=pages[-1]))  # fmt: skip
    tell(say("written", path=path, count=len(document.pages)))
    return OK
