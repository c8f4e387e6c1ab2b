"""Command phones: who has which seat, for tables without a screen."""

from __future__ import annotations

import argparse
import http.client
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from companion.app.commands import OK, Commands, UsageError, lang_of, print_json, settings_of, tell
from companion.app.phones import KEPT
from companion.settings.settings import Settings, state_folder
from companion.words.errors import notice
from rules.texts import Texts

DEEDS = {"yes": "confirm", "no": "refuse", "back": "take_back", "new": "renew", "code": "look"}
"""Actions on a seat, and their names at the table."""
ANSWER_S = 10.0


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    phones = commands.add("phones", _phones)
    phones.add_argument("do", nargs="?", choices=tuple(DEEDS), default=None)
    phones.add_argument("seat", metavar="SEAT", nargs="?", default=None)


def _phones(given: argparse.Namespace) -> int:
    lang = lang_of(given)
    if given.do == "code" and given.seat is None:
        return _show_table_code(given, _asked(given, lang, "host", 0))
    seats = _asked(given, lang, "look", 0)["seats"]
    if not seats:
        raise UsageError("phones_no_match")
    if given.do is None:
        chosen = seats
    else:
        seat = _seat(given.seat, seats)
        answer = _asked(given, lang, DEEDS[given.do], seat)
        one = answer["seats"][seat]
        if not answer["done"]:
            raise UsageError("phones_nobody", seat=one["name"])
        chosen = [one]
        if given.do == "code":
            return _show_code(given, one)
    for one in chosen:
        if given.json:
            print_json(one)
        else:
            state = "renewed" if one["renewed"] else one["state"]
            tell(f"{one['seat'] + 1} {Texts('commands.phones', lang)(state, name=one['name'])}")
    if not given.json and (code := _network_trouble()):
        # No phone comes before that is mended.
        tell(notice(code))
    return OK


def _network_trouble() -> str:
    from companion.web.network import network_trouble

    return network_trouble()


def _show_table_code(given: argparse.Namespace, answer: dict[str, Any]) -> int:
    """The code by which a phone looks after a table without a screen."""
    if not answer["done"]:
        raise UsageError("phones_no_host")
    if not answer["link"]:
        raise UsageError(_network_trouble() or "phones_other_table")
    return _show(given, {"link": answer["link"]}, Texts("commands.phones", lang_of(given))("host"))


def _show(given: argparse.Namespace, told: dict[str, Any], title: str) -> int:
    import segno

    if given.json:
        print_json(told)
        return OK
    tell(title)
    segno.make_qr(told["link"]).terminal(out=sys.stdout, compact=True)
    tell(told["link"])
    return OK


def _show_code(given: argparse.Namespace, one: dict[str, Any]) -> int:
    """The code of a seat, to be scanned from the terminal."""
    if not one["link"]:
        # A seat whose phone is here has no code to show, whatever the network.
        if (one["renewed"] or one["state"] != "open") and (code := _network_trouble()):
            raise UsageError(code)
        raise UsageError("phones_no_code", seat=one["name"], number=one["seat"] + 1)
    return _show(given, one, one["name"])


def _seat(named: str | None, seats: list[dict[str, Any]]) -> int:
    """The seat with this number in the list, or this name. Raises UsageError."""
    for one in seats:
        if named is not None and named in (str(one["seat"] + 1), one["name"]):
            return int(one["seat"])
    raise UsageError("phones_seat", known=[f"{one['seat'] + 1} {one['name']}" for one in seats])


def _asked(given: argparse.Namespace, lang: str, do: str, seat: int) -> dict[str, Any]:
    """The table's answer to an action. Raises UsageError if no table with phones is running
    here."""
    from companion.web.seats import key_in

    settings, state = settings_of(given), state_folder(given.data)
    port = settings.web.port
    try:
        key = key_in(state / KEPT)
    except msgspec.MsgspecError:
        key = ""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    headers = {"Content-Type": "application/json", "X-Heelstone": "1"}
    order = json.dumps({"key": key, "do": do, "seat": seat})
    try:
        line.request("POST", f"/api/seats?lang={lang}", order, headers)
        reply = line.getresponse()
        body = reply.read()
    except (OSError, http.client.HTTPException) as error:
        raise _unreached(settings, state, lang) from error
    finally:
        line.close()
    try:
        told: dict[str, Any] = json.loads(body)
    except ValueError:
        # Somebody else's page.
        raise _unreached(settings, state, lang) from None
    if reply.status != 200 or "seats" not in told:
        raise _unreached(settings, state, lang)
    return told


def _unreached(settings: Settings, state: Path, lang: str) -> UsageError:
    """Error that explains why the table does not answer this command."""
    from companion.app.checkup import phones_trouble
    from companion.support.doctor.finding import Place

    found = phones_trouble(Place(lang, Path("/")), settings, state)
    if found is None:
        return UsageError("phones_other_table")
    told = found[1]
    return UsageError(told.code, **told.params)
