"""Entry point of the command ``heelstone``: if a package is missing, it says which, and what to do.

Everything else may need the packages; only the standard library is imported here.
"""

from __future__ import annotations

import sys

OURS = ("rules", "vision", "hardware", "companion")
PACKAGES = {"serial": "pyserial", "cv2": "opencv-python"}
"""Modules whose packages have another name."""


def main() -> int:
    """Run the command; returns the exit code."""
    try:
        from companion.app.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if not module or module in OURS:
            raise
        return _told(PACKAGES.get(module, module))


def _told(package: str) -> int:
    from companion.settings.language import find_language
    from rules.texts import Texts

    text = Texts("doctor", find_language(sys.argv[1:]))("package_missing", package=package)
    print(f"heelstone: {text}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
