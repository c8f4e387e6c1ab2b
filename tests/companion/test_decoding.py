"""Data of others is read strictly and within bounds, or not at all."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decoding import DEEPEST, LARGEST, Moment, Name, Players, Unfit, decoded, fitted


class Told(msgspec.Struct):
    name: Name = ""
    players: Players = 2
    t: Moment = 0.0
    body: Any = None


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff", b"{", b"[]", b"NaN", b'{"t": 1e999}', b'{"t": -1}', b'{"t": 1e300}',
        b'{"t": NaN}', b'{"t": 1' + b"0" * 400 + b"}", b'{"players": 1000000000}',
        b'{"players": 1.0}', b'{"players": true}', b'{"players": "2"}', b'{"players": 0}',
        b'{"body": 1e999}', b'{"body": 9007199254740993}', b'{"body": -1' + b"0" * 5000 + b"}",
        b'{"body": "\\ud800"}', b'{"body": "\xed\xa0\x80"}', b'{"body": "\\u0000"}',
        b'{"body": "\\u001b[2J"}', b'{"body": "\\u202e"}', b'{"body": {"\\u202e": 1}}',
        b'{"name": "\\u0007"}', b'{"name": "' + b"x" * 81 + b'"}',
        b'{"body": ' + b"[" * DEEPEST + b"]" * DEEPEST + b"}", b"[" * 60_000 + b"]" * 60_000,
        b'{"body": "' + b"x" * 65_536 + b'"}',
    ],
)  # fmt: skip
def test_what_does_not_fit_is_unfit_and_nothing_else(data: bytes) -> None:
    with pytest.raises(Unfit):
        decoded(data, Told)


def test_what_fits_is_read_as_it_was_sent() -> None:
    body = {"text": "Zoë\n\tÅ 👩‍🚀", "largest": LARGEST, "half": 0.5}
    sent = Told("Łucja", 16, 1_790_000_000.5, body)
    assert decoded(msgspec.json.encode(sent), Told) == sent
    assert decoded(b'{"more": 1}', Told) == Told()


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_PLAIN | st.fixed_dictionaries({"name": _PLAIN, "t": _PLAIN, "body": _PLAIN}))
def test_of_any_data_only_those_are_taken_that_can_be_sent_on(plain: Any) -> None:
    try:
        taken = fitted(plain, Told)
    except Unfit:
        return
    assert decoded(msgspec.json.encode(taken), Told) == taken


@given(st.binary())
def test_any_bytes_are_read_or_unfit(data: bytes) -> None:
    with suppress(Unfit):
        decoded(data, Told)
