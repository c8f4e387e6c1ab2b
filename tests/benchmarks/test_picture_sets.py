"""The benchmark ``photographs``: what it counts as right, and the pictures that are kept for it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.path_traced.optics import View
from benchmarks.photographs import OWN, folders, judged
from benchmarks.picture_sets import Shot, picture_set
from rules.box import load_box
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief
from vision.camera.lens import Lens
from vision.pieces.sighting import Sighting

STONE, OTHER = (Glimpse("stone black 2"),), (Glimpse("stone black 3"),)


@pytest.mark.parametrize(
    ("belief", "bare", "how"),
    [
        (SiteBelief({STONE: 0.0, EMPTY: -9.0}), (), "right"),
        (SiteBelief({OTHER: 0.0}), (), "wrong"),
        (SiteBelief({OTHER: 0.0}), ("stone",), "right"),
        (SiteBelief({STONE: 0.0, EMPTY: -1.0}), (), "undecided"),
        (SiteBelief({EMPTY: 0.0}), (), "wrong"),
        (SiteBelief({EMPTY: 0.0}, occluded=True), (), "undecided"),
    ],
)
def test_a_site_is_judged_by_what_is_nearly_as_likely(
    belief: SiteBelief, bare: tuple[str, ...], how: str
) -> None:
    box = load_box("knizia_stonehenge")
    shot = Shot(Path("nowhere.jpg"), False, table={"A": "stone black 2"})
    told = {site: how for site, _, how in judged(box, bare, shot, Sighting({"A": belief}, False))}
    assert told["A"] == how


def test_what_is_covered_counts_only_if_it_is_told_wrong() -> None:
    box = load_box("knizia_stonehenge")
    shot = Shot(Path("nowhere.jpg"), True, table={"A": "stone black 2"}, covered=frozenset("AB"))
    sites = {"A": SiteBelief({EMPTY: 0.0}), "B": SiteBelief({EMPTY: 0.0}, occluded=True)}
    told = {site: how for site, _, how in judged(box, (), shot, Sighting(sites, True))}
    assert told["A"] == "wrong"
    assert "B" not in told


def test_a_match_as_the_layout_program_names_it_is_a_set(tmp_path: Path) -> None:
    table = {"black-2-12": "C", "mega-brown-40": "end-d1", "mega-black-30": "end-u2"}
    frames = [{"frame": "000.jpg", "kind": "turn", "table": table}]
    (tmp_path / "match.json").write_text(json.dumps({"frames": frames}))
    (tmp_path / "000.jpg").touch()
    wanted = {"C": "stone black 2", "R5": "megalith brown", "L2": "megalith black"}
    assert picture_set(tmp_path).shots[0].table == wanted


def test_every_kept_set_names_its_pictures_and_sites_of_its_box() -> None:
    sets = [picture_set(folder) for folder in folders(OWN)]
    assert sum(len(one.shots) for one in sets) > 12
    for one in sets:
        assert not one.missing, one.name
        for shot in one.shots:
            assert set(shot.table) | shot.covered | set(shot.sites_px) <= set(one.box.sites)


def test_the_scenes_lens_bends_as_that_of_the_eye_does() -> None:
    view = View((100.0, -300.0, 600.0), (5.0, -4.0, 0.0), (1152, 864), 979.0, (-0.2, 0.05), 2.0)
    lens = Lens(view.size, view.focal, -0.2, higher=(0.05, 0.0))
    rays = np.array([[0.0, 0.0], [0.4, -0.3], [-0.55, 0.35]])
    assert np.allclose(lens.pixels(rays), view.bent(rays) * view.focal + view.middle)
    assert np.allclose(view.straight(view.bent(rays)), rays, atol=1e-6)
    assert np.allclose(view.project(np.array([view.target]))[0], view.middle)
