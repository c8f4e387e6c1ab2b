"""Wheel and sdist say which commit they were made from; everything else is in pyproject.toml."""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
VERSION = runpy.run_path(str(HERE / "companion" / "support" / "version.py"))
COMMIT = VERSION["commit_of"](HERE)


def record(tree: str) -> None:
    """Fill the commit in, in what is about to be packed."""
    path = Path(tree) / VERSION["RECORD"]
    # It may be a second name of the checkout's own file.
    path.unlink()
    path.write_text(f"{COMMIT}\n", encoding="ascii")


class Build(build_py):
    """What a wheel is packed from."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            record(self.build_lib)


class Source(sdist):
    """What an sdist is packed from."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        record(base_dir)


setup(cmdclass={"build_py": Build, "sdist": Source})
