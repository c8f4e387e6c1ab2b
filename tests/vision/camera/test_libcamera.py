"""The stand-in for a Pi camera speaks as the real libraries do.

Compared with picamera2 and libcamera as they are installed, or with their sources, if
``PICAMERA2_SOURCE`` and ``LIBCAMERA_SOURCE`` name the folders; left out where there are neither.
"""

from __future__ import annotations

import ast
import os
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import fake_picamera2
from tests.support.fake_picamera2 import AUTOFOCUS, Bench, Nature
from vision.camera import pi


def folder_of(package: str) -> Path:
    """Where a package's source is; skips the test if it is nowhere."""
    if told := os.environ.get(f"{package.upper()}_SOURCE"):
        return Path(told)
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not here")
    return Path(spec.origin).parent


def methods(package: Path, file: str, owner: str) -> dict[str, ast.arguments]:
    """The methods of a class of picamera2, with their arguments; overloads come before them."""
    tree = ast.parse(next(package.rglob(file)).read_text(encoding="utf-8"))
    (found,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == owner)
    return {n.name: n.args for n in found.body if isinstance(n, ast.FunctionDef)}


def names(arguments: ast.arguments) -> set[str]:
    return {one.arg for one in (*arguments.args, *arguments.kwonlyargs)}


def test_picamera2_has_what_is_called_of_it() -> None:
    package = folder_of("picamera2")
    camera = methods(package, "picamera2.py", "Picamera2")
    asked = {"main", "lores", "raw", "buffer_count", "controls"}
    still = camera["create_still_configuration"]
    assert asked <= names(still)
    usual = dict(
        zip([a.arg for a in still.args[-len(still.defaults) :]], still.defaults, strict=True)
    )
    assert ast.unparse(usual["raw"]) == "{}", "a raw stream is on unless it is switched off"
    for name in ("configure", "camera_configuration", "set_controls", "start", "close"):
        assert name in camera
    assert "wait" in names(camera["capture_request"])
    assert "timeout" in names(methods(package, "job.py", "Job")["get_result"])
    request = methods(package, "request.py", "CompletedRequest")
    assert {"make_buffer", "get_metadata", "release"} <= set(request)


def declared() -> dict[str, dict[str, int]]:
    """libcamera's controls, with the values of those that have names for them."""
    source = folder_of("libcamera")
    found: dict[str, dict[str, int]] = {}
    for file in sorted(source.rglob("control_ids_*.yaml")):
        name, values = "", dict[str, int]()
        for line in file.read_text(encoding="utf-8").splitlines():
            if control := re.match(r"  - (\w+):$", line):
                values = found[control[1]] = {}
            elif named := re.match(r" +- name: (\w+)$", line):
                name = named[1]
            elif value := re.match(r" +value: (\d+)$", line):
                values[name] = int(value[1])
    if not found:
        # Installed without its source, it knows the same.
        known = import_module("libcamera").controls
        for kind in (known, known.draft):
            for one in dir(kind):
                members = getattr(getattr(kind, f"{one}Enum", None), "__members__", {})
                found[one] = {f"{one}{k}": int(v) for k, v in members.items()}
    return found


def test_controls_and_their_values_are_those_of_libcamera() -> None:
    controls = declared()
    bench = Bench(nature=Nature())
    assert set(AUTOFOCUS) | set(bench.eye.metadata()) <= set(controls)
    assert "AeLocked" not in controls, "then releases that have it are no longer old"
    for control, word, value in (
        ("AeState", "Idle", fake_picamera2.AE_IDLE),
        ("AeState", "Searching", fake_picamera2.AE_SEARCHING),
        ("AeState", "Converged", fake_picamera2.AE_CONVERGED),
        ("AfState", "Idle", fake_picamera2.AF_IDLE),
        ("AfState", "Scanning", fake_picamera2.AF_SCANNING),
        ("AfState", "Focused", fake_picamera2.AF_FOCUSED),
        ("AfState", "Failed", fake_picamera2.AF_FAILED),
        ("AfMode", "Manual", pi.AF_MANUAL),
        ("AfMode", "Auto", pi.AF_AUTO),
        ("AfMode", "Continuous", pi.AF_CONTINUOUS),
        ("AfTrigger", "Start", pi.AF_TRIGGER_START),
        ("AeFlickerMode", "Manual", pi.FLICKER_MANUAL),
    ):
        (found,) = (v for k, v in controls[control].items() if k.endswith(word))
        assert found == value, (control, word)
    assert pi.AE_STATES["AeState"] == {controls["AeState"]["AeStateConverged"]: pi.FOUND}
    states = controls["AwbState"]
    assert set(pi.AWB_STATES["AwbState"]) == {states["AwbConverged"], states["AwbLocked"]}
    assert "AwbLocked" in controls
