"""What is missing at the table, in words: devices, the camera's sight, room to write, power.

Codes of devices are those of ``hardware.status``. Free of Kivy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.match.view import (
    AboutStickers,
    Intent,
    MachineNote,
    Noticed,
    SightNote,
    TableState,
    TableView,
    WentWrong,
)
from companion.presentation.words.company import helpless_line, helpless_text
from companion.presentation.words.devices import what_to_do
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.together import away_line, away_text
from companion.presentation.words.translate import _, language
from rules.errors import Sentence

__all__ = [
    "Trouble",
    "chip_text",
    "exactly",
    "machine_trouble",
    "note",
    "notices_of",
    "time_is_up",
    "troubles",
]

ELSEWHERE = ("decided_elsewhere", "taken_back_elsewhere", "misfit_elsewhere", "decided_by_computer")
"""Codes of what was not done because the other table of the match decides it, or a computer player.
"""
NOTHING_KEPT = ("storage_full", "storage_read_only")
"""Codes of ``MachineNote`` that matter more than a camera that sees nothing."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is missing, and what to do about it."""

    title: str
    text: str
    answers: tuple[tuple[str, Intent], ...] = ()
    """What people may answer: words and what they ask for."""
    page: str = ""
    """The page of the workshop that helps, empty if none does."""
    stops: bool = False
    """Nothing new is recorded until it is put right."""


def note(view: TableView) -> str:
    """One calm line about what matters most; empty if all is well."""
    if view.wrong is not None:
        return _wrong(view.wrong).title
    for machine in view.machine:
        if machine.code in NOTHING_KEPT:
            return machine_trouble(machine).title
    if view.helpless:
        return helpless_line(view, teller_of(view, language()))
    if view.state is TableState.BLIND and view.physical:
        if view.blind_reason == "board_lost":
            return _("Board not in view – please tap")
        if view.blind_reason == "frozen":
            return _("Camera picture stands still – please tap")
        return _("No camera – please tap")
    for machine in view.machine:
        return machine_trouble(machine).title
    if told := away_line(view):
        return told
    if len(view.devices) > 1:
        return _("{count} devices are missing – the match goes on").format(count=len(view.devices))
    for name in view.devices:
        return _("Without {device} – the match goes on").format(device=_device(name))
    for sight in view.notes:
        return _sight_line(sight)
    return ""


def chip_text(view: TableView, told: str) -> str:
    """The word for the state; ``told`` is the game texts' own."""
    if time_is_up(view):
        return _("Time is up")
    if view.state is TableState.BLIND and not view.physical:
        return _("On the screen")
    if view.state is TableState.BLIND and view.blind_reason == "board_lost":
        return _("Board not in view")
    return told


def time_is_up(view: TableView) -> bool:
    """Whether somebody's time ran out a moment ago, and nothing else matters more."""
    calm = not view.objections and not view.candidates and view.outcome is None
    return calm and view.clock is not None and view.clock.telling


def troubles(view: TableView) -> tuple[Trouble, ...]:
    """Everything that is missing, what matters most first."""
    found = [] if view.wrong is None else [_wrong(view.wrong)]
    found += [machine_trouble(machine) for machine in view.machine]
    if view.helpless:
        title = helpless_line(view, teller_of(view, language()))
        found.append(Trouble(title, helpless_text()))
    if view.state is TableState.BLIND and view.physical:
        found.append(_camera(view.blind_reason))
    if view.other is not None and (told := away_line(view)):
        found.append(Trouble(told, away_text(view.other)))
    found += [_sight(sight) for sight in view.notes]
    for name, code in sorted(view.devices.items()):
        title = _device(name)
        found.append(Trouble(title[:1].upper() + title[1:], what_to_do(code), page="devices"))
    return tuple(found)


def notices_of(machine: Sequence[MachineNote], notices: Sequence[Sentence]) -> tuple[Trouble, ...]:
    """What players should know before they play: the computer, then saved files."""
    found = [machine_trouble(one) for one in machine]
    title = _("Something happened to the saved files")
    told = (notice.told(language(), brief=True) for notice in notices)
    return (*found, *(Trouble(title, text) for text in told))


def machine_trouble(note: MachineNote) -> Trouble:
    """What is wrong with the table's computer."""
    seen = ((_("I see"), Noticed(note)),)
    match note.code:
        case "storage_low":
            text = _(
                "Matches are still being saved. Copy problem reports and exports to another "
                "computer and delete them here, or use a larger card."
            )
            return Trouble(_("The disk is nearly full"), text, seen)
        case "storage_full":
            text = _(
                "Nothing new can be saved until there is room. Copy problem reports and "
                "exports to another computer and delete them here, or use a larger card."
            )
            return Trouble(_("The disk is full"), text, stops=True)
        case "storage_read_only":
            text = _(
                "Nothing new can be saved. An SD card does this when it is worn out: copy what "
                "matters and use a new card."
            )
            return Trouble(_("The disk is read-only"), text, stops=True)
        case "heat_high":
            text = _("It runs more slowly until it has cooled down. Give it more air, or a fan.")
            return Trouble(_("The computer is too hot"), text, seen)
        case "mistake":
            text = _(
                "A part of it was started anew, and the match goes on. If anything no longer "
                "works, restart Heelstone. The workshop can write a problem report for those who "
                "can fix it."
            )
            return Trouble(_("A mistake in the program"), text, seen, page="report")
    text = _(
        "The voltage dropped for a moment. That can end the match and damage the card. Use the "
        "power supply made for this computer and a short cable; many lamps need a supply of "
        "their own."
    )
    return Trouble(_("The power supply is too weak"), text, seen)


def exactly(what: Sentence) -> str:
    """What went wrong, for people at the table: in their language, files without folders."""
    told = what.told(language(), brief=True)
    return f"{told[:1].upper()}{told[1:]}{'' if told.endswith('.') else '.'}"


def _wrong(wrong: WentWrong) -> Trouble:
    if wrong.what is not None and wrong.what.code in ELSEWHERE:
        return Trouble(_("The other table decides"), exactly(wrong.what), stops=True)
    if wrong.what is not None:
        text = _(
            "The last thing you did was not recorded; everything before it is safe. Do it "
            "again once this is put right:"
        )
        return Trouble(_("That was not recorded"), f"{text} {exactly(wrong.what)}", stops=True)
    text = _(
        "The last thing you did may not have been recorded; everything before it is safe. Try "
        "it again. The workshop can write a problem report for those who can fix it."
    )
    return Trouble(_("Something went wrong in the program"), text, page="report", stops=True)


def _camera(reason: str) -> Trouble:
    if reason == "board_lost":
        return Trouble(
            _("The camera cannot find the board"),
            _(
                "Heelstone looks for the stickers in the four corners. Clear away whatever "
                "covers them, get the whole board into the picture, and add light if it is "
                "dark."
            ),
            page="camera",
        )
    if reason == "frozen":
        return Trouble(
            _("The camera’s picture stands still"),
            _("It sends the same picture again and again. Unplug it and plug it in again."),
            page="camera",
        )
    return Trouble(
        _("No pictures from the camera"),
        _(
            "Check its cable and plug. The settings say which camera is used; the command "
            "‘heelstone doctor’ lists those that are connected."
        ),
        page="camera",
    )


def _sight_line(sight: SightNote) -> str:
    """One line about how well the camera sees."""
    match sight.code:
        case "bare_unknown":
            return _("The settings name unknown pieces")
        case "rolls_slow":
            return _("Camera too slow to follow discs – please tap")
        case "hidden":
            return _("Part of the board cannot be seen – please tap")
    if sight.code == "bare":
        if len(sight.groups) > 1:
            return _("Pieces without stickers: recognised by colour")
        return _("{pieces} without stickers: recognised by colour").format(
            pieces=_pieces(sight.groups[0])
        )
    return _("Stickers are too small in the picture")


def _sight(sight: SightNote) -> Trouble:
    if sight.code == "rolls_slow":
        text = _(
            "Following a disc takes twenty pictures a second. Add light, or choose smaller "
            "pictures in the settings. Until then, tap what the disc did."
        )
        title = _("The camera is too slow to follow discs")
        return Trouble(title, text, ((_("I see"), Noticed(sight)),))
    if sight.code == "hidden":
        text = _(
            "Clear away what lies on the board, or add light if it is dark. What happens there "
            "meanwhile must be tapped."
        )
        return Trouble(_("The camera does not see the whole board"), text, page="camera")
    if sight.code == "bare_unknown":
        # Vision is loaded by then; the screens themselves begin without it.
        from companion.words.bare_names import groups

        text = _(
            "In settings.toml, [camera] bare names {names}. No box has such pieces, so this is "
            "ignored. Possible names: {known}."
        )
        return Trouble(
            _("The settings name unknown pieces"),
            text.format(names=", ".join(sight.groups), known=", ".join(groups())),
            ((_("I see"), Noticed(sight)),),
        )
    if sight.code != "bare":
        return Trouble(
            _("The stickers are too small in the picture"),
            _(
                "Where they cannot be read, please tap. Move the camera closer, or choose "
                "larger pictures."
            ),
            ((_("I see"), Noticed(sight)),),
        )
    names = [_pieces(group) for group in sight.groups]
    text = _(
        "I recognise them by colour and outline, and ask when pieces look alike but differ in "
        "value. Light pieces on light fields are hard to see: a sticker helps there."
    )
    return Trouble(
        _("Without stickers: {pieces}").format(pieces=", ".join(names)),
        text,
        (
            (_("They do have stickers"), AboutStickers(sight.groups, True)),
            (_("That’s right"), AboutStickers(sight.groups, False)),
        ),
    )


def _pieces(group: str) -> str:
    """What a group of pieces is called, as the beginning of a line."""
    names: Mapping[str, str] = {
        "stone": _("Stones"),
        "megalith": _("Megaliths"),
        "druid": _("Druids"),
        "dolmen": _("Dolmens"),
        "disc": _("Discs"),
        "bar": _("Bars"),
        "figure": _("Figures"),
    }
    return names.get(group, _("Pieces"))


def _device(name: str) -> str:
    """A part of the rig, as it appears in a sentence after "without"."""
    return {
        "lamps": _("lamps"),
        "score": _("display"),
        "sound": _("sound"),
        "buttons": _("buttons"),
        "house": _("smart home"),
        "club": _("club"),
    }.get(name, name)
