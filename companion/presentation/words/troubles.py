"""Words for troubles at the table: devices, the camera's sight, room to write, power.

Codes of devices are those of ``hardware.status``. Free of Kivy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.match.view import (
    AboutStickers,
    DismissNote,
    Intent,
    MachineNote,
    SightNote,
    TableState,
    TableView,
    WentWrong,
)
from companion.presentation.announcement import at_head
from companion.presentation.words.company import helpless_line, helpless_text
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.together import away_line, away_text
from companion.presentation.words.translate import _, language
from rules.errors import Sentence
from rules.texts import Texts

# -- advice -----------------------------------------------------------------------------------


def what_to_do(code: str) -> str:
    """Advice on a device whose state has this code."""
    words, known = Texts("device_troubles", language()), _ALIKE.get(code, code)
    return words[known if words.knows(known) else "ask_the_doctor"]


_ALIKE = {
    "lost": "unplugged",
    "port_failed": "no_port",
    "lcdd_size": "wrong_size",
    "too_many_lamps": "no_such_lamp",
    "pin_failed": "no_pins",
    "no_display_lamps": "no_display_keys",
    "spi_missing": "program_missing",
    "pins_missing": "program_missing",
    "folder_failed": "program_failed",
}
"""Codes that call for the same as another."""


ELSEWHERE = (
    "decided_elsewhere", "taken_back_elsewhere", "misfit_elsewhere", "forced_elsewhere",
    "forced_here", "forced_there", "decided_by_computer",
)  # fmt: skip
"""Codes of what was not done because the other table of the match decides it, or a computer player.
"""
MOST_SITES = 3
"""Maximum number of places that are named."""
NOTHING_KEPT = ("storage_full", "storage_read_only")
"""Codes of ``MachineNote`` that matter more than a camera that sees nothing."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is missing, and what to do about it."""

    title: str
    text: str
    answers: tuple[tuple[str, Intent], ...] = ()
    """Possible answers: words, and the intent of each."""
    page: str = ""
    """The page of the workshop that helps, empty if none does."""
    stops: bool = False
    """True if nothing new is recorded, or play stands still, until somebody does something."""


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
            return _("troubles.board_not_in_view_please_tap")
        if view.blind_reason == "adjusting":
            return _("workshop.the_camera_is_adjusting")
        if view.blind_reason == "frozen":
            return _("troubles.camera_picture_stands_still_please_tap")
        return _("troubles.no_camera_please_tap")
    for machine in view.machine:
        return machine_trouble(machine).title
    if told := away_line(view):
        return told
    if len(view.devices) > 1:
        return _("troubles.count_devices_are_missing_the_match").format(count=len(view.devices))
    for name in view.devices:
        return _("troubles.without_device_the_match_goes_on").format(device=_device(name))
    for sight in view.notes:
        return _sight_line(sight, view)
    return ""


def chip_text(view: TableView, told: str) -> str:
    """The word for the state; ``told`` is the game texts' own."""
    if (call := at_head(view)) is not None:
        return teller_of(view, language()).call(call).do
    if view.state is TableState.BLIND and not view.physical:
        return _("troubles.on_the_screen")
    if view.state is TableState.BLIND and view.blind_reason == "board_lost":
        return _("troubles.board_not_in_view")
    return told


def troubles(view: TableView) -> tuple[Trouble, ...]:
    """All troubles, those that matter most first."""
    found = [] if view.wrong is None else [_wrong(view.wrong)]
    found += [machine_trouble(machine) for machine in view.machine]
    if view.helpless:
        title = helpless_line(view, teller_of(view, language()))
        asked = view.prompt is not None and view.prompt.player in view.helpless
        found.append(Trouble(title, helpless_text(), stops=asked))
    if view.state is TableState.BLIND and view.physical:
        found.append(_camera(view.blind_reason))
    if view.other is not None and (told := away_line(view)):
        found.append(Trouble(told, away_text(view.other)))
    found += [_sight(sight, view) for sight in view.notes]
    for name, code in sorted(view.devices.items()):
        title = _device(name)
        found.append(Trouble(title[:1].upper() + title[1:], what_to_do(code), page="devices"))
    return tuple(found)


def stopped(view: TableView) -> bool:
    """True if what ``note`` tells must not be overlooked."""
    return any(trouble.stops for trouble in troubles(view))


def notices_of(machine: Sequence[MachineNote], notices: Sequence[Sentence]) -> tuple[Trouble, ...]:
    """Notices for players before they play: the computer, then saved files."""
    found = [machine_trouble(one) for one in machine]
    title = _("troubles.something_happened_to_the_saved_files")
    told = (notice.told(language(), brief=True) for notice in notices)
    return (*found, *(Trouble(title, text) for text in told))


def machine_trouble(note: MachineNote) -> Trouble:
    """Trouble of the table's computer."""
    seen = ((_("screens.i_see"), DismissNote(note)),)
    match note.code:
        case "storage_low":
            text = _("troubles.matches_are_still_being_saved")
            return Trouble(_("troubles.the_disk_is_nearly_full"), text, seen)
        case "storage_reserve":
            text = _("troubles.what_is_agreed_still_fits")
            return Trouble(_("troubles.the_disk_is_full"), text, seen)
        case "storage_full":
            text = _("troubles.nothing_new_can_be_saved_until")
            return Trouble(_("troubles.the_disk_is_full"), text, stops=True)
        case "storage_read_only":
            text = _("troubles.nothing_new_can_be_saved")
            return Trouble(_("troubles.the_disk_is_read_only"), text, stops=True)
        case "heat_high":
            text = _("troubles.it_runs_more_slowly_until")
            return Trouble(_("troubles.the_computer_is_too_hot"), text, seen)
        case "mistake":
            text = _("troubles.a_part_of_it_was_started")
            return Trouble(_("troubles.a_mistake_in_the_program"), text, seen, page="report")
    text = _("troubles.the_voltage_dropped_for_a_moment")
    return Trouble(_("troubles.the_power_supply_is_too_weak"), text, seen)


def exactly(what: Sentence) -> str:
    """Sentence on a failure, for people at the table: in their language, files without folders."""
    told = what.told(language(), brief=True)
    return f"{told[:1].upper()}{told[1:]}{'' if told.endswith('.') else '.'}"


def _wrong(wrong: WentWrong) -> Trouble:
    if wrong.what is not None and wrong.what.code in ELSEWHERE:
        return Trouble(_("screens.the_other_table_decides"), exactly(wrong.what), stops=True)
    if wrong.what is not None:
        text = _("troubles.the_last_thing_you_did")
        return Trouble(
            _("troubles.that_was_not_recorded"), f"{text} {exactly(wrong.what)}", stops=True
        )
    text = _("troubles.the_last_thing_you_did_may")
    return Trouble(
        _("troubles.something_went_wrong_in_the_program"), text, page="report", stops=True
    )


def _camera(reason: str) -> Trouble:
    if reason == "board_lost":
        return Trouble(
            _("troubles.the_camera_cannot_find_the_board"),
            _("setup.advice.board_lost"),
            page="camera",
        )
    if reason == "adjusting":
        return Trouble(
            _("workshop.the_camera_is_adjusting"), _("troubles.it_reads_soon"), page="camera"
        )
    if reason == "frozen":
        return Trouble(
            _("troubles.the_cameras_picture_stands_still"),
            _("troubles.it_sends_the_same_picture_again"),
            page="camera",
        )
    return Trouble(
        _("troubles.no_pictures_from_the_camera"),
        _("setup.advice.no_pictures"),
        page="camera",
    )


def _sight_line(sight: SightNote, view: TableView) -> str:
    """One line about how well the camera sees."""
    match sight.code:
        case "bare_unknown":
            return _("troubles.the_settings_name_unknown_pieces")
        case "rolls_slow":
            return _("troubles.camera_too_slow_to_follow_discs")
        case "hidden":
            return _("troubles.part_of_the_board_cannot")
        case "unshown":
            return _("troubles.never_seen_empty")
        case "trembles":
            return _("troubles.the_camera_trembles")
        case "at_edge":
            return _("troubles.the_table_ends_here")
        case "between":
            return _("troubles.a_piece_lies_between")
        case "unadjusted":
            return _("troubles.the_camera_cannot_adjust")
        case "glare":
            return _("troubles.a_lamp_is_mirrored").format(sites=_sites(sight, view))
    if sight.code == "bare":
        if len(sight.groups) > 1:
            return _("troubles.pieces_without_stickers")
        return _("troubles.pieces_without_stickers_recognised_by_colour").format(
            pieces=_pieces(sight.groups[0])
        )
    return _("troubles.stickers_are_too_small")


def _sites(sight: SightNote, view: TableView) -> str:
    """Names of the sites, as few as can be read in a glance."""
    teller = teller_of(view, language())
    few = [teller.site(site) for site in sight.groups[:MOST_SITES]]
    return teller.list(few + ["…"] * (len(sight.groups) > MOST_SITES))


def _sight(sight: SightNote, view: TableView) -> Trouble:
    if sight.code == "rolls_slow":
        text = _("troubles.following_a_disc_takes_twenty_pictures")
        title = _("troubles.the_camera_is_too_slow")
        return Trouble(title, text, ((_("screens.i_see"), DismissNote(sight)),))
    if sight.code == "glare":
        title = _("troubles.a_lamp_is_mirrored").format(sites=_sites(sight, view))
        text = _("troubles.turn_the_lamp")
        return Trouble(title, text, ((_("screens.i_see"), DismissNote(sight)),), page="camera")
    if sight.code == "at_edge":
        text, title = _("troubles.push_all_to_the_middle"), _("troubles.the_table_ends_here")
        return Trouble(title, text, ((_("screens.i_see"), DismissNote(sight)),))
    if sight.code == "between":
        return Trouble(_("troubles.a_piece_lies_between"), _("troubles.push_it_against_the_others"))
    if sight.code == "trembles":
        text = _("troubles.fix_the_arm")
        title = _("troubles.the_camera_trembles")
        return Trouble(title, text, ((_("screens.i_see"), DismissNote(sight)),), page="camera")
    if sight.code == "hidden":
        text = _("troubles.clear_away_what_lies")
        return Trouble(_("troubles.the_camera_does_not_see"), text, page="camera")
    if sight.code == "unshown":
        title = _("troubles.i_have_never_seen_this_board")
        text = _("troubles.clear_the_board_once")
        return Trouble(title, text, ((_("screens.i_see"), DismissNote(sight)),), page="camera")
    if sight.code == "unadjusted":
        advice = Texts("camera.advice", language())
        return Trouble(
            _("troubles.the_camera_cannot_adjust"),
            " ".join(advice[f"no_{quantity}"] for quantity in sight.groups),
            ((_("screens.i_see"), DismissNote(sight)),),
            page="camera",
        )
    if sight.code == "bare_unknown":
        # Vision is loaded by then; the screens themselves begin without it.
        from companion.words.bare_names import groups

        text = _("troubles.in_settings_toml")
        return Trouble(
            _("troubles.the_settings_name_unknown_pieces"),
            text.format(names=", ".join(sight.groups), known=", ".join(groups())),
            ((_("screens.i_see"), DismissNote(sight)),),
        )
    if sight.code != "bare":
        return Trouble(
            _("troubles.the_stickers_are_too_small"),
            _("troubles.where_they_cannot_be_read"),
            ((_("screens.i_see"), DismissNote(sight)),),
        )
    names = [_pieces(group) for group in sight.groups]
    text = _("troubles.i_recognise_them_by_colour")
    return Trouble(
        _("troubles.without_stickers").format(pieces=", ".join(names)),
        text,
        (
            (_("troubles.they_do_have_stickers"), AboutStickers(sight.groups, True)),
            (_("screens.thats_right"), AboutStickers(sight.groups, False)),
        ),
    )


def _pieces(group: str) -> str:
    """Name of a group of pieces, as the beginning of a line."""
    names = Texts("troubles.pieces", language())
    return names[group if names.knows(group) else "others"]


def _device(name: str) -> str:
    """A part of the rig, as it appears in a sentence after "without"."""
    names = Texts("troubles.devices", language())
    return names[name] if names.knows(name) else name
