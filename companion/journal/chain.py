"""Every event of a match carries a hash over itself and the hash of the one before it.

A changed letter, a missing event, a stale page and two that were swapped all break the chain. Where
it must end stands with the match, so that a missing end is found as well. Damage is meant here, not
forgers: whoever can write to the file can also write a new chain.

Chained hashes: R. C. Merkle, "A Digital Signature Based on a Conventional Encryption Function"
(1987); BLAKE2: RFC 7693.
"""

from __future__ import annotations

import zlib
from hashlib import blake2b

__all__ = ["begun", "checksum", "linked"]


def begun(match_id: str, header: str) -> int:
    """What the chain of a match begins with, before its first event: 64 bits, signed."""
    return _hash(b"", f"{match_id}\0{header}")


def linked(
    before: int, seq: int, t_utc: float, mono: float, type: str, src: str, body: str
) -> int:  # fmt: skip
    """The hash of an event, ``before`` being that of the one before it: 64 bits, signed."""
    link = before.to_bytes(8, "big", signed=True)
    return _hash(link, f"{seq}\0{t_utc!r}\0{mono!r}\0{type}\0{src}\0{body}")


def checksum(*values: object) -> int:
    """CRC-32 of a row's values; found again only if all of them are unchanged."""
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]
    return zlib.crc32("\0".join(texts).encode())


def _hash(link: bytes, text: str) -> int:
    found = blake2b(link + text.encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(found.digest(), "big", signed=True)
