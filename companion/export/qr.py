"""A text as a code to be photographed with a phone."""

from __future__ import annotations

import segno

QUIET = 4
"""Width of the light margin around the code that the standard asks for, modules."""
LARGEST = 25
"""The largest version that is drawn: 117 modules, three px each on the smallest screen."""
LONGEST_TEXT = 1273
"""Maximum size of a text, bytes: that of this version at the lowest correction, which a screen may
have, as it carries no scratches."""


def code_of(text: str) -> tuple[bytes, ...]:
    """The rows of the code, a byte per module: 1 is dark. Raises ValueError if it is too long."""
    try:
        code = segno.make_qr(text, error="l", boost_error=True, encoding="utf-8")
    except segno.DataOverflowError as error:
        raise ValueError(str(error)) from error
    if int(code.version) > LARGEST:
        raise ValueError(f"{len(text)} letters make a code that no phone could read here")
    return tuple(bytes(row) for row in code.matrix)
