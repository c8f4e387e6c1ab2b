"""Keys of those who may speak at the club's broker: nkeys (Ed25519), one for each."""

from __future__ import annotations

import os
from pathlib import Path

import nkeys

from companion.club.membership import write_secret
from companion.club.naming import ClubError
from rules.bounded import read_text

__all__ = ["kept_seed", "new_seed", "public_key"]


def new_seed() -> str:
    """A new secret key."""
    return str(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER).decode())


def public_key(seed: str) -> str:
    """What the broker knows a secret key by. Raises ClubError."""
    try:
        pair = nkeys.from_seed(bytearray(seed.strip().encode()))
        return str(pair.public_key.decode())
    except (nkeys.NkeysError, ValueError) as error:
        raise ClubError("club_key", reason=error) from error


def kept_seed(path: Path) -> str:
    """The secret key in a file, made when it is first needed. Raises ClubError, OSError."""
    try:
        seed = read_text(path).strip()
    except FileNotFoundError:
        seed = new_seed()
        write_secret(path, seed + "\n")
    public_key(seed)
    return seed
