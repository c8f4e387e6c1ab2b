"""Public match ids.

The id in the journal is a secret: old journals use it as the seed that deals the cards.
"""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_bytes

__all__ = ["Aliases"]


class Aliases:
    """Other names for matches, the same as long as this object or its ``key`` lives."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = token_bytes(16) if key is None else key

    def of(self, match_id: str) -> str:
        """The name that stands for ``match_id``: 12 letters and digits."""
        return blake2b(match_id.encode(), key=self._key, digest_size=6).hexdigest()
