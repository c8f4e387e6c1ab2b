"""Checks of what is installed."""

from __future__ import annotations

import importlib
import io
import struct
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, suppress
from ctypes.util import find_library
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec

from companion.support.doctor.finding import Place
from companion.support.finding import Finding, Verdict
from companion.support.version import heelstone_version

OLDEST, FIRST_UNKNOWN = (3, 11), (3, 14)
"""Versions of Python: the oldest, and the first that Kivy 2.3.1 has no build for."""

PACKAGES = (
    ("opencv-python", "cv2"), ("numpy", "numpy"), ("kivy", "kivy"), ("gpiozero", "gpiozero"),
    ("pyserial", "serial"), ("msgspec", "msgspec"),
)  # fmt: skip
"""Packages and the modules in them: a system's own OpenCV goes by another name."""

LIBRARIES = (("GL", "libgl1"), ("EGL", "libegl1"), ("GLESv2", "libgles2"), ("mtdev", "libmtdev1"))
"""System libraries of the screens and the Debian packages that contain them."""

FONTS = ("HeelstoneSans-Regular.otf", "HeelstoneSans-SemiBold.otf")


def heelstone() -> Iterator[Finding]:
    """The version of Heelstone."""
    yield Finding("heelstone", Verdict.GOOD, text=f"Heelstone {heelstone_version()}")


def python(place: Place) -> Iterator[Finding]:
    """Python itself."""
    number = sys.version.split()[0]
    if struct.calcsize("P") < 8:
        yield place.trouble("python", "python_32")
    elif not OLDEST <= sys.version_info < FIRST_UNKNOWN:
        yield place.trouble("python", "python_odd", version=number)
    else:
        yield place.ok("python", "python_ok", version=number)


def packages(place: Place) -> Iterator[Finding]:
    """Python packages and the libraries below them."""
    for package, module in PACKAGES:
        if find_spec(module) is None:
            yield place.trouble(package, "package_missing", package=package)
            continue
        yield Finding(package, Verdict.GOOD, text=f"{package} {_version(package)}".strip())
    yield from _opencv(place)
    pi_camera = find_spec("picamera2") is not None and find_spec("simplejpeg") is not None
    numpy_2 = int(_version("numpy").partition(".")[0] or 0) >= 2
    if pi_camera and sys.version_info < (3, 12) and numpy_2:
        yield place.trouble("numpy", "numpy_clash", version=_version("numpy"))
    missing = [package for library, package in LIBRARIES if find_library(library) is None]
    if missing:
        yield place.hint("libraries", "libraries_missing", packages=" ".join(missing))
    else:
        yield place.ok("libraries", "libraries_ok")


def fonts(place: Place) -> Iterator[Finding]:
    """The fonts of the screens."""
    folder = files("companion") / "presentation" / "fonts"
    lacking = [name for name in FONTS if not (folder / name).is_file()]
    if lacking:
        yield place.trouble("fonts", "fonts_missing", fonts=", ".join(lacking))
    else:
        yield place.ok("fonts", "fonts_ok")


def _opencv(place: Place) -> Iterator[Finding]:
    if find_spec("cv2") is None:
        return
    if _version("opencv-python") and _version("opencv-python-headless"):
        # Both own the folder cv2; whichever came last has overwritten parts of the other.
        yield place.trouble("opencv-python", "opencv_twice")
    if find_spec("numpy") is None:
        # That has been reported, and OpenCV cannot start without it.
        return
    try:
        # numpy prints a page of its own when it does not fit.
        with redirect_stderr(io.StringIO()):
            importlib.import_module("cv2")
    except (ImportError, AttributeError, RuntimeError) as error:
        if "numpy" in str(error):
            yield place.trouble(
                "numpy", "numpy_misfit", version=_version("numpy"), opencv=_version("opencv-python")
            )
        else:
            # Most often libGL is missing; its name is in the reason.
            yield place.trouble("opencv-python", "opencv_broken", reason=error)


def _version(package: str) -> str:
    with suppress(PackageNotFoundError):
        return version(package)
    return ""
