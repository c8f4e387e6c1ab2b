"""Fixtures for the tests of the companion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import OWN_FOLDERS, Heelstone, inside, outside
from tests.support.drawn_once import drawn_once
from tests.support.waiting import patience


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Nothing is taken for hanging because the machine is busy."""
    with patience():
        yield


@pytest.fixture(scope="session", autouse=True)
def boards_are_drawn_once() -> Iterator[None]:
    """Keeps drawings that many eyes would reckon anew."""
    with drawn_once():
        yield


@pytest.fixture
def heelstone(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Heelstone:
    """The command within this process, with its state and settings below ``tmp_path``."""
    for name in OWN_FOLDERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return inside(capfd)


@pytest.fixture
def program(tmp_path: Path) -> Heelstone:
    """The command as a program of its own, with its state and settings below ``tmp_path``."""
    return outside(tmp_path)
