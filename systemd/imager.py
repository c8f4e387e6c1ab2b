"""An image as Raspberry Pi Imager lists it: ``python systemd/imager.py heelstone.img.xz``.

Imager offers name, password and Wi-Fi only for images that it knows how to tell. The file written
here says so; opened with Imager 2, or handed to ``rpi-imager --repo``, it shows Heelstone among the
systems. Its fields are those of ``doc/json-schema/os-list-schema.json`` in Imager's own source.
"""

from __future__ import annotations

import argparse
import base64
import datetime as dt
import hashlib
import json
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

CHUNK = 1 << 20
DEVICES = ("pi4-64bit", "pi3-64bit")
"""Imager's words for the computers; all of them take the same 64-bit system."""
PI_5 = "pi5-64bit"
ICON = Path(__file__).resolve().parents[1] / "companion/web/pages/heelstone.svg"


def main(arguments: list[str] | None = None) -> int:
    """Write the entry beside the image; 2 if the image cannot be read."""
    parser = argparse.ArgumentParser(prog="imager.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("image", type=Path, help="what image.py wrote, .img or .img.xz")
    parser.add_argument("--url", default="", help="where it is offered; else the file itself")
    parser.add_argument("--website", default="", help="a page about it")
    parser.add_argument("--pi5", action="store_true", help="it has the kernel of a Raspberry Pi 5")
    asked = parser.parse_args(arguments)
    try:
        told = entry(asked.image, asked.url, asked.website, pi5=asked.pi5)
    except (OSError, EOFError, lzma.LZMAError) as error:
        print(f"imager.py: {asked.image} is no whole image: {error}", file=sys.stderr)
        return 2
    path = asked.image.with_name(f"{name_of(asked.image)}.rpi-imager-manifest")
    path.write_text(json.dumps({"os_list": [told]}, indent=2) + "\n", encoding="utf-8")
    print(path)
    return 0


def entry(image: Path, url: str = "", website: str = "", *, pi5: bool = False) -> dict[str, object]:
    """The entry of one image. Imager checks what it wrote by ``extract_sha256``."""
    with image.open("rb") as packed:
        size, digest = measured(packed)
    whole, whole_digest = size, digest
    if image.suffix == ".xz":
        with lzma.open(image) as unpacked:
            whole, whole_digest = measured(unpacked)
    day = dt.datetime.fromtimestamp(image.stat().st_mtime, dt.UTC).date()
    drawn = base64.b64encode(ICON.read_bytes()).decode()
    told: dict[str, object] = {
        "name": "Heelstone",
        "description": "The referee at your game table: a camera, the rules and the score",
        "icon": f"data:image/svg+xml;base64,{drawn}",
        "url": url or image.resolve().as_uri(),
        "extract_size": whole,
        "extract_sha256": whole_digest,
        "image_download_size": size,
        "image_download_sha256": digest,
        "release_date": day.isoformat(),
        "devices": [PI_5] * pi5 + list(DEVICES),
        "init_format": "cloudinit",
        "architecture": "armv8",
    }
    if website:
        told["website"] = website
    return told


def measured(file: IO[bytes]) -> tuple[int, str]:
    """Length in bytes, and SHA-256."""
    length, digest = 0, hashlib.sha256()
    for chunk in chunks(file):
        length += len(chunk)
        digest.update(chunk)
    return length, digest.hexdigest()


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """A file in pieces; an image does not fit into memory."""
    while chunk := file.read(CHUNK):
        yield chunk


def name_of(image: Path) -> str:
    """Its name without the endings."""
    return image.name.removesuffix(".xz").removesuffix(".img")


if __name__ == "__main__":
    sys.exit(main())
