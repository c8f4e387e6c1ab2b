"""The camera's owner, and what a sighting notes about pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.camera.observer import Observer, sight_notes
from companion.camera.owner import TableCamera
from companion.journal.events import Source, StickersSaid
from companion.journal.store import Journal
from companion.match.looking_back.history import Recording
from companion.match.messages import Seen
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import AboutStickers, DismissNote, SightNote, TableState, TableView
from companion.presentation.words.translate import set_language
from companion.presentation.words.troubles import note, troubles
from companion.settings.manners import Manners
from companion.settings.settings import CameraSettings
from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import Item
from rules.reading.sighting import EMPTY, SiteBelief
from tests.support.scenery import picture
from tests.support.scenes.bare_pieces import Table as Tables
from tests.support.scenes.bare_pieces import laid
from tests.support.table_setup import header, tap_move
from tests.support.waiting import PATIENCE_S, until
from vision.board.pose import NoBoard
from vision.camera.sources import Frame, MemorySource
from vision.pieces.known_places import too_small
from vision.pieces.sighting import Sighting, lost

KNIZIA, DOLMEN = "knizia_stonehenge", "dolmengoetter"


class Cable:
    """Counts how often the camera is open."""

    def __init__(self) -> None:
        self.opened: list[MemorySource] = []

    def open(self, *_: object) -> MemorySource:
        """As ``open_source``; a camera that is open already cannot be opened."""
        assert all(source.ended for source in self.opened), "the camera is opened twice"
        self.opened.append(MemorySource())
        return self.opened[-1]

    @property
    def free(self) -> bool:
        """True if no owner has it."""
        return all(source.ended for source in self.opened)


@pytest.fixture
def cable(monkeypatch: pytest.MonkeyPatch) -> Cable:
    """The cable that the owner opens."""
    made = Cable()
    monkeypatch.setattr("companion.camera.owner.open_source", made.open)
    return made


@pytest.fixture
def camera(cable: Cable, tmp_path: Path) -> Iterator[TableCamera]:
    """The owner."""
    made = TableCamera(CameraSettings(source="0"), tmp_path, load_box)
    yield made
    made.close()
    assert cable.free


@pytest.fixture
def session() -> Iterator[Session]:
    """A running session with a new match."""
    with Journal(":memory:") as journal:
        journal.create(header())
        running = Session(Table(journal, journal.header("m1"), Manners())).start()
        yield running
        running.close()


def test_to_look_for_the_same_board_again_opens_nothing_anew(
    camera: TableCamera, cable: Cable
) -> None:
    camera.look_around(KNIZIA)
    assert until(lambda: len(cable.opened) == 1)
    camera.look_around(KNIZIA)
    camera.look_around(DOLMEN)
    assert until(lambda: len(cable.opened) == 2)
    assert cable.opened[0].ended and not cable.opened[1].ended
    camera.stop_looking_around()
    assert cable.free and not camera.looks and camera.snapshot() is None


def test_whoever_comes_next_takes_the_camera_from_whoever_had_it(
    camera: TableCamera, cable: Cable, session: Session
) -> None:
    camera.look_around(KNIZIA)
    assert until(lambda: len(cable.opened) == 1)
    walks: list[MemorySource] = []

    def recall() -> None:
        walks.pop().close()

    opened = camera.lend_pictures(recall)
    assert cable.free and not camera.looks
    walks.append(opened())  # type: ignore[arg-type]
    eyes, give_back = camera.lend(KNIZIA)
    assert eyes is not None and not walks
    assert until(lambda: len(cable.opened) == 3)
    camera.watch(session, ready=True)
    assert until(lambda: len(cable.opened) == 4)
    give_back()
    assert not cable.opened[3].ended, "a check that is over takes nothing from the match"


def test_a_match_keeps_its_eyes_and_others_look_through_them(
    camera: TableCamera, cable: Cable, session: Session
) -> None:
    camera.watch(session, ready=True)
    camera.look_around(DOLMEN)
    camera.stop_looking_around()
    pictures = camera.lend_pictures(lambda: None)()
    eyes, give_back = camera.lend(DOLMEN)
    assert eyes is camera.eyes
    give_back()
    assert until(lambda: len(cable.opened) == 1)

    def shown() -> bool:
        cable.opened[0].push(picture({}))
        return session.view.state is TableState.SETTLED

    assert until(shown)
    frame = pictures.read(timeout=PATIENCE_S)
    assert frame is not None and frame.taken
    pictures.close()
    assert not cable.opened[0].ended


def test_without_a_camera_in_the_settings_nobody_gets_eyes(cable: Cable, tmp_path: Path) -> None:
    camera = TableCamera(CameraSettings(), tmp_path, load_box)
    camera.look_around(KNIZIA)
    eyes, give_back = camera.lend(KNIZIA)
    give_back()
    assert eyes is None and not camera.is_set_up and not cable.opened


BARE = SightNote("bare", ("stone",))


def table() -> Table:
    """A new match of Stonehenge."""
    journal = Journal(":memory:")
    journal.create(header())
    return Table(journal, header(), Manners())


def sighting(**more: object) -> Sighting:
    """A look at an empty board."""
    sites = {site: SiteBelief({EMPTY: 0.0}) for site in load_box("knizia_stonehenge").sites}
    return replace(Sighting(sites=sites, hand=False), **more)  # type: ignore[arg-type]


def test_where_a_lamp_is_mirrored_is_told_by_name() -> None:
    at, glares = table(), sighting(glaring=frozenset({"D", "H1"}))
    assert sight_notes(replace(glares, hand=True)) == ()
    at.handle(Seen(glares, notes=sight_notes(glares)), 0.0, Source.CAMERA)
    assert all(name in note(at.view()) for name in ("D", "H1"))


def test_stickers_too_small_are_told_of_while_the_board_is_seen() -> None:
    small = sighting(reason=too_small(1.4))
    assert [one.code for one in sight_notes(small)] == ["stickers_small"]
    assert sight_notes(sighting()) == ()
    assert sight_notes(lost(NoBoard("board_too_small").sentence, {})) == ()


def test_the_screen_says_it_in_one_line_and_what_to_do_in_the_sheet() -> None:
    set_language("en")
    at = table()
    at.handle(Seen(sighting(), notes=(BARE,)), 0.0, Source.CAMERA)
    view = at.view()
    assert view.state is TableState.SETTLED
    assert note(view).startswith("Stones without stickers")
    (told,) = troubles(view)
    assert "colour" in told.text
    assert [intent for _, intent in told.answers] == [
        AboutStickers(("stone",), True), AboutStickers(("stone",), False),
    ]  # fmt: skip


def test_what_was_said_about_stickers_is_known_again_after_a_power_cut(tmp_path: Path) -> None:
    for have in (True, False):
        path = tmp_path / f"{have}.db"
        with Journal(path) as journal:
            journal.create(header())
            at = Table(journal, header(), Manners())
            at.handle(tap_move("p0 place 1 A"), 0.0)
            at.handle(Seen(sighting(), notes=(BARE,)), 0.0, Source.CAMERA)
            at.handle(AboutStickers(("stone",), have), 1.0)
        with Journal(path) as journal:
            again = Table(journal, header(), Manners())
            assert again.view().stickered == ({"stone"} if have else set())
            again.handle(Seen(sighting(), notes=(BARE,)), 0.0, Source.CAMERA)
            assert again.view().notes == ()
            assert [entry.move.text for entry in again.match.log] == ["p0 place 1 A"]
            more = SightNote("bare", ("megalith", "stone"))
            again.handle(Seen(sighting(), notes=(more,)), 1.0, Source.CAMERA)
            assert again.view().notes == (more,), "of megaliths nothing was said yet"


def test_a_match_with_answers_about_stickers_is_exported_and_looked_back_at() -> None:
    at = table()
    at.handle(tap_move("p0 place 1 A"), 0.0)
    at.handle(AboutStickers(("stone",), True), 1.0)
    at.handle(tap_move("p0 done"), 2.0)
    with Journal(":memory:") as other:
        name = other.import_match("\n".join(at.record.journal.export("m1")), "the export").header.id
        events = other.events(name)
        assert [e.what for e in events[1:2]] == [StickersSaid(("stone",), True)]
        assert len(Recording(header(), events)) == 2
        assert Table(other, other.header(name), Manners()).view().stickered == {"stone"}


def test_to_take_note_of_slow_pictures_says_nothing_about_the_stickers_of_discs() -> None:
    slow, bare = SightNote("rolls_slow", ("disc",)), SightNote("bare", ("disc",))
    at = table()
    at.handle(Seen(sighting(), notes=(slow, bare)), 0.0, Source.CAMERA)
    at.handle(DismissNote(slow), 1.0)
    assert at.view().notes == (bare,)


def test_every_note_has_words_and_an_answer() -> None:
    for code in (
        "bare",
        "bare_unknown",
        "stickers_small",
        "rolls_slow",
        "glare",
        "unshown",
        "trembles",
    ):
        at = table()
        at.handle(
            Seen(sighting(), notes=(SightNote(code, ("stone", "druid")),)), 0.0, Source.CAMERA
        )
        (told,) = troubles(at.view())
        assert note(at.view()) and told.title and told.text and told.answers
        at.handle(told.answers[-1][1], 1.0)
        assert note(at.view()) == ""


def test_a_note_that_was_answered_is_said_no_more() -> None:
    for have in (True, False):
        at = table()
        at.handle(Seen(sighting(), notes=(BARE,)), 0.0, Source.CAMERA)
        assert at.view().notes == (BARE,)
        at.handle(AboutStickers(("stone",), have), 1.0)
        at.handle(Seen(sighting(), notes=(BARE,)), 2.0, Source.CAMERA)
        assert at.view().notes == ()
        assert at.view().stickered == ({"stone"} if have else set())


def test_what_is_bare_is_found_out_and_players_are_obeyed() -> None:
    scene = laid(Tables.KNIZIA, 913)
    stones = [s for s, (kind, _) in scene.truth.items() if kind.startswith("stone")][:3]
    items = [Item(site, scene.truth[site][0]) for site in stones]
    observer = Observer(scene.box, bare=("auto",))
    observer.expect(items)
    observer.look(Frame(scene.camera.render(scene.empty), 0, "", 0.0), True)
    seen = observer.look(Frame(scene.camera.render(scene.table), 1, "", 1.0), True).seen
    assert seen is not None and seen.notes == (BARE,)
    observer.expect(items, ("stone",))
    seen = observer.look(Frame(scene.camera.render(scene.table), 2, "", 2.0), True).seen
    # What they say is taken at its word; that much of the board now cannot be read is told.
    assert seen is not None and BARE not in seen.notes


def test_bare_pieces_of_a_box_that_is_on_no_shelf_are_known() -> None:
    own = load_box("knizia_stonehenge")
    kinds = {
        name: replace(kind, group="pebble" if kind.group == "stone" else kind.group)
        for name, kind in own.kinds.items()
    }
    board = VirtualTable(own, seed=4)
    observer = Observer(replace(own, kinds=kinds), bare=("pebble", "pebbel"))
    picture = Camera.over(own, 1600, 1200, seed=4).render(board)
    seen = observer.look(Frame(picture, 0, "", 0.0), True).seen
    assert seen is not None
    assert [note.groups for note in seen.notes if note.code == "bare_unknown"] == [("pebbel",)]


def test_two_tapped_pieces_are_enough_and_the_third_is_seen() -> None:
    """Bare pieces lie about untold at first: nobody nags, nothing is learnt from them as board."""
    box = load_box("knizia_stonehenge")
    shop = box.without_stickers(("stone", "megalith"))
    pieces, camera = VirtualTable(shop, seed=4), Camera.over(shop, 1600, 1200, seed=4)
    at, observer, number = table(), Observer(box, bare=("auto",)), 0

    def watch(seconds: int = 6) -> TableView:
        nonlocal number
        for _ in range(seconds):
            number += 1
            observer.expect(at.view().items)
            observed = observer.look(Frame(camera.render(pieces), number, "", float(number)))
            if observed.seen is not None:
                at.handle(observed.seen, float(number), Source.CAMERA)
        return at.view()

    watch()
    for site, kind, move, done in (
        ("A", "stone black 1", "p0 place 1 A", "p0 done"),
        ("G", "stone brown 5", "p1 place 5 G", "p1 done"),
    ):
        pieces.put(kind, site)
        assert watch().state is TableState.SETTLED
        at.handle(tap_move(move), float(number))
        at.handle(tap_move(done), float(number))
        view = watch()
        assert view.state is TableState.SETTLED and not view.fixes
    assert view.notes == (BARE,)
    pieces.put("stone black 2", "N")
    offered = [move.text for candidate in watch().candidates for move in candidate.moves]
    assert "p0 place 2 N" in offered and {move[-1] for move in offered} == {"N"}
