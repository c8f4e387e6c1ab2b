"""The strict, bounded decoder of everything that others send: clubs, other tables, phones.

    class Asked(msgspec.Struct, forbid_unknown_fields=True):
        match: Annotated[str, msgspec.Meta(max_length=40)]
        ply: Annotated[int, msgspec.Meta(ge=0, le=20_000)]

    asked = decoded(await request.body(), Asked, most_bytes=4_096)

Fields say what must be true of a value. What holds for any is checked for all, those of ``Any``
included: a size, a depth, numbers that every program reads alike, moments of a calendar, and texts
whose letters do nothing but appear. Whatever does not fit is ``Unfit``, and nothing else is raised.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, TypeVar

import msgspec

from rules.printable import unprintable_path

T = TypeVar("T")

MOST_BYTES: Final = 65_536
DEEPEST: Final = 16
"""Most lists and tables within each other."""
LARGEST: Final = 2**53
"""Whole numbers up to this are the same in every program."""

Name = Annotated[str, msgspec.Meta(max_length=80)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=15)]
Players = Annotated[int, msgspec.Meta(ge=1, le=16)]
Moment = Annotated[float, msgspec.Meta(ge=0, lt=253_402_300_800)]
"""Seconds since 1970, before the year 10000."""


class Unfit(msgspec.ValidationError):
    """Data from elsewhere that are not what they must be; its text says what and where."""


def decoded(data: bytes, kind: type[T], *, most_bytes: int = MOST_BYTES) -> T:
    """JSON as an object of ``kind``, mostly a Struct. Raises Unfit."""
    if len(data) > most_bytes:
        raise Unfit(f"{len(data)} bytes, {most_bytes} at most")
    try:
        plain = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit(str(error)) from error
    return fitted(plain, kind)


def fitted(plain: Any, kind: type[T]) -> T:
    """The same of plain data that were read already, as from a database. Raises Unfit."""
    _check(plain, DEEPEST)
    if path := unprintable_path(plain):
        raise Unfit(f"a text that cannot be shown, at {path!r}")
    try:
        return msgspec.convert(plain, kind)
    except msgspec.MsgspecError as error:
        raise Unfit(str(error)) from error


def _check(value: Any, deep: int) -> None:
    if isinstance(value, dict | list | tuple):
        if not deep:
            raise Unfit(f"more than {DEEPEST} lists in each other")
        for inner in value.values() if isinstance(value, dict) else value:
            _check(inner, deep - 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise Unfit("a number without an end")
    elif isinstance(value, int) and abs(value) > LARGEST:
        raise Unfit("too large a number")
