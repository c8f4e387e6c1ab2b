"""A club's settings: one plain TOML file, its secrets in a folder beside it."""

from __future__ import annotations

import os
import re
import secrets
from hashlib import scrypt
from hmac import compare_digest
from pathlib import Path
from typing import Annotated

import msgspec
import nkeys

from companion.club.membership import Membership, write_secret
from companion.club.naming import ClubError, checked_name
from companion.settings.checking import SettingsError, fault
from rules.bounded import read_text
from rules.toml_lines import parsed

# -- keys at the broker: nkeys (Ed25519) ------------------------------------------------------


def new_seed() -> str:
    """A new secret key."""
    return str(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER).decode())


def public_key(seed: str) -> str:
    """Public key of a secret key, as the broker knows it. Raises ClubError."""
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


_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?")
"""Origin as browsers write it: without a path, in small letters."""

Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]


class BrokerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The broker to which tables send their matches."""

    address: str = "127.0.0.1"
    """Under which name or number tables find this computer."""
    listen: str = "0.0.0.0"
    port: Port = 4222
    run: bool = True
    """False: it is run separately, with the file ``broker.conf`` from here."""
    certificate: str = ""
    certificate_key: str = ""
    """Files, for encrypted connections."""
    authority: str = ""
    """File of the certificate that tables are to trust, if no public authority signed ours."""


class DatabaseSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The database in which matches are stored."""

    dsn: str = ""
    """Connection string of PostgreSQL; empty: Debian's is started here, with its data in our
    folder."""


class PagesSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hall's pages."""

    listen: str = "0.0.0.0"
    port: Port = 8090
    names: tuple[str, ...] = ()
    """Names under which browsers find the hall, besides this computer's addresses."""
    origin: str = ""
    """Address of the hall behind a proxy that speaks TLS: ``https://hall.example.org``; empty:
    there is none."""
    proxy: str = "127.0.0.1"
    """With ``origin``: the address from which that proxy comes; it says who asks
    (``X-Forwarded-For``)."""
    lang: str = "de"
    password: str = ""
    """The organiser's, scrambled; ``heelstone club password`` makes it."""


class TableSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that may speak."""

    name: str
    key: str
    """Its public key."""


class ClubSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a club."""

    club: str
    folder: str = "."
    """Folder of keys and data, relative to the file."""
    broker: BrokerSettings = BrokerSettings()
    database: DatabaseSettings = DatabaseSettings()
    pages: PagesSettings = PagesSettings()
    tables: tuple[TableSettings, ...] = ()


class Club:
    """A club as its settings file says. Raises SettingsError, ClubError."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.settings = _read(file)
        self.name = self.settings.club
        self.folder = (file.parent / self.settings.folder).resolve()

    @property
    def server(self) -> str:
        """Address of the broker for tables."""
        return self._server(self.settings.broker.address)

    @property
    def tables(self) -> dict[str, str]:
        """The public keys of its tables, by name."""
        return {table.name: table.key for table in self.settings.tables}

    def own(self) -> Membership:
        """Membership with which the club's own programs reach the broker. Raises ClubError,
        OSError."""
        seed = kept_seed(self.folder / "keys" / "club.seed")
        here = "127.0.0.1" if self.settings.broker.run else self.settings.broker.address
        if self.settings.broker.certificate:
            # A certificate is for a name.
            here = self.settings.broker.address
        return Membership(
            club=self.name, table="club", servers=(self._server(here),), seed=seed,
            authority=self._authority(),
        )  # fmt: skip

    def new_table(self, name: str) -> Membership:
        """A new table, or a new key for one: its public key goes into the settings.

        Raises ClubError, OSError.
        """
        seed = new_seed()
        tables = {**self.tables, checked_name(name): public_key(seed)}
        text = read_text(self.file)
        # All that people wrote stays as it is, up to the first table.
        before = text.partition("[[tables]]")[0].rstrip()
        entries = "".join(
            f"\n[[tables]]\nname = {_quoted(each)}\nkey = {_quoted(key)}\n"
            for each, key in tables.items()
        )
        write_secret(self.file, f"{before}\n{entries}")
        self.settings = _read(self.file)
        return Membership(
            club=self.name, table=name, servers=(self.server,), seed=seed,
            authority=self._authority(),
        )  # fmt: skip

    def is_organiser(self, password: str) -> bool:
        """True if this is the organiser's password. It takes a moment, on purpose."""
        kept = self.settings.pages.password
        return "$" in kept and compare_digest(scrambled(password, kept.partition("$")[0]), kept)

    def _server(self, address: str) -> str:
        scheme = "tls" if self.settings.broker.certificate else "nats"
        host = f"[{address}]" if ":" in address else address
        return f"{scheme}://{host}:{self.settings.broker.port}"

    def _authority(self) -> str:
        file = self.settings.broker.authority
        return read_text(self.file.parent / file) if file else ""


def found_club(file: Path, name: str, address: str) -> str:
    """Write the settings of a new club; gives the organiser's password.

    Raises ClubError if there are settings already, OSError.
    """
    checked_name(name)
    if file.exists():
        raise ClubError("club_there", file=file)
    password = "-".join(secrets.token_hex(2) for _ in range(4))
    write_secret(
        file,
        f"""# The settings of a club; docs/club.md explains them.
club = {_quoted(name)}

[broker]
address = {_quoted(address)}

[pages]
password = {_quoted(scrambled(password))}
""",
    )
    return password


def scrambled(password: str, salt: str | None = None) -> str:
    """A password as it may stand in a file: its salt, and what scrypt (RFC 7914) makes of both."""
    salt = secrets.token_hex(8) if salt is None else salt
    made = scrypt(password.encode("utf-8", "replace"), salt=salt.encode(), n=2**14, r=8, p=1)
    return f"{salt}${made.hex()}"


def _read(file: Path) -> ClubSettings:
    try:
        data = parsed(read_text(file))
    except FileNotFoundError:
        raise SettingsError("no_settings", file=file) from None
    except OSError as error:
        raise SettingsError("settings_unreadable", file=file, reason=error) from error
    except UnicodeDecodeError as error:
        raise SettingsError("settings_not_text", file=file, reason=error) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError("settings_not_toml", file=file, reason=error) from error
    if "club" not in data:
        raise ClubError("club_unnamed", file=file)
    try:
        settings = msgspec.convert(data, ClubSettings)
    except msgspec.ValidationError as error:
        raise fault(file, data, ClubSettings) from error
    checked_name(settings.club)
    if settings.pages.origin and not _ORIGIN.fullmatch(settings.pages.origin):
        raise ClubError("club_origin", file=file, origin=settings.pages.origin)
    for table in settings.tables:
        checked_name(table.name)
    return settings


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
