"""Stickers anywhere in a picture: read, or reported as hidden, and never made up."""

from __future__ import annotations

from collections import Counter

from companion.simulator.objects import Light
from tests.support.fans import BOX, FanTable
from vision.stickers.strewn import Strewn, StrewnReader


def kinds(seen: Strewn) -> list[str]:
    return sorted(BOX.kind_of_sticker[sticker.id].id for sticker in seen.read)


def test_two_turned_fans_under_a_dim_warm_lamp_are_read_card_by_card() -> None:
    first = ["estate", "copper", "copper", "province", "village", "curse", "gardens"]
    second = ["smithy", "copper", "throne-room"]
    table = FanTable(3, Light(0.6, 2900.0, (0.2, -0.1)), noise=4.0)
    table.fan(first, (-20.0, 110.0), 12.0)
    table.fan(second, (40.0, -150.0), 171.0)
    seen = StrewnReader(BOX).look(table.picture())
    assert Counter(kinds(seen)) == Counter(first + second)
    assert seen.unread == ()


def test_what_is_printed_on_the_mat_is_no_card_and_a_half_covered_sticker_is_reported() -> None:
    table, reader = FanTable(), StrewnReader(BOX)
    table.lay("province", -60.0, 0.0)
    table.lay("gold", -24.0, 0.0)
    seen = reader.look(table.picture())
    assert kinds(seen) == ["gold"]
    assert len(seen.unread) == 1
    table.clear()
    assert reader.look(table.picture()).read == ()
