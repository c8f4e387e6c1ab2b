"""What the doctor says about the club, with a real broker."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.app.checkup import reaching
from companion.club.membership import FILE, Membership, write_secret
from companion.club.settings import new_seed
from companion.settings.settings import Settings
from companion.support.doctor.finding import Place
from tests.support.club import Servers, free_port


def told(member: Membership | str, state: Path) -> str:
    text = member if isinstance(member, str) else member.toml()
    write_secret(state / FILE, text)
    found = [one for one in reaching(Place("en", state), Settings(), state) if one.check == "club"]
    assert len(found) == 1
    return f"{found[0].level}: {found[0].text}"


def test_the_club_is_called_with_the_tables_own_key(club: Servers, tmp_path: Path) -> None:
    member = club.table("examined")
    assert told(member, tmp_path) == f"ok: The club {member.club} knows this table as examined."
    stranger = msgspec.structs.replace(member, seed=new_seed())
    assert "does not know this table" in told(stranger, tmp_path)
    away = msgspec.structs.replace(member, servers=(f"nats://127.0.0.1:{free_port()}",))
    assert "does not answer" in told(away, tmp_path)
    assert told("club = 3", tmp_path).startswith("trouble: ")
