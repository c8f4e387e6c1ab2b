"""The doctor's checks of a table's connections: phones, MQTT broker, club.

Phones are asked for as a phone would ask; broker and club are called once with the table's own name
and password, from this command and not from the table's unit. What the unit may reach is looked up.
"""

from __future__ import annotations

import asyncio
import http.client
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from companion.settings.preferences import PreferencesFile
from companion.settings.settings import Settings
from companion.support.doctor.finding import Place
from companion.support.finding import Finding, Verdict
from companion.support.network import Network
from companion.words.errors import HeelstoneError, notice
from rules.errors import Sentence

CLUB_FILE = "club.toml"
ANSWER_S = 5.0
ANNOUNCER = "/run/avahi-daemon/socket"
"""Socket that exists while avahi runs, which announces names with .local."""


def reaching(place: Place, settings: Settings, state: Path) -> Iterator[Finding]:
    """Run every check; each says ``ok`` and no more where its subject is not turned on."""
    network = Network(state, place.root)
    yield from _phones(place, settings, state)
    yield from _house(place, settings, network)
    yield from _club(place, state, network)


def phones_trouble(
    place: Place, settings: Settings, state: Path
) -> tuple[Verdict, Sentence] | None:
    """Verdict of the finding and the reason if phones get no pages; None if they do."""
    if not PreferencesFile(state, settings, place.lang).now.phones:
        return Verdict.GOOD, notice("phones_off")
    if any(find_spec(name) is None for name in ("starlette", "uvicorn")):
        return Verdict.BAD, notice("phones_web_missing")
    from companion.web import network

    if code := network.network_trouble():
        return Verdict.BAD, notice(code)
    address, port = network.own_addresses()[0], settings.web.port
    code = _asked(address, port)
    if code == "phones_silent":
        try:
            network.listening(port).close()
        except OSError as error:
            code = network.port_trouble(error)
        else:
            code = code if place.tables() else "phones_asleep"
    if not code:
        return None
    told = notice(code, url=f"http://{address}:{port}/", port=port)
    return Verdict.DOUBTFUL if code == "phones_asleep" else Verdict.BAD, told


def _phones(place: Place, settings: Settings, state: Path) -> Iterator[Finding]:
    if found := phones_trouble(place, settings, state):
        yield place.told_of("phones", *found)
        return
    from companion.web.network import Names, own_addresses

    port = settings.web.port
    yield place.ok("phones", "phones_ok", url=f"http://{own_addresses()[0]}:{port}/")
    local = Names(port, settings.web.name).local
    if not place.exists(ANNOUNCER):
        yield place.hint("phones", "phones_unnamed", name=local)


def _asked(address: str, port: int) -> str:
    """Error code if a phone gets no page from an address; empty if it gets one."""
    line = http.client.HTTPConnection(address, port, timeout=ANSWER_S)
    try:
        line.request("GET", "/api/words")
        answer = line.getresponse()
        ours = answer.getheader("content-security-policy") is not None
        return "" if answer.status == 200 and ours else "phones_port_taken"
    except TimeoutError:
        return "phones_shut"
    except http.client.HTTPException:
        return "phones_port_taken"
    except OSError:
        return "phones_silent"
    finally:
        line.close()


def _house(place: Place, settings: Settings, network: Network) -> Iterator[Finding]:
    broker = settings.mqtt
    if not broker.host:
        yield place.ok("house", "house_off")
        return
    if find_spec("paho") is None:
        yield place.trouble("house", "mqtt_missing")
        return
    from companion.mqtt.trying import broker_trouble

    found = broker_trouble(broker)
    where = f"{broker.host}:{broker.at}"
    if found:
        yield place.trouble("house", found, where=where)
    else:
        yield place.ok("house", "house_ok", where=where)
    yield from _shut(place, "house", broker.host, network)


def _club(place: Place, state: Path, network: Network) -> Iterator[Finding]:
    from companion.club.membership import read_membership

    try:
        member = read_membership(state / CLUB_FILE)
    except HeelstoneError as error:
        yield place.told_of("club", Verdict.BAD, error.sentence)
        return
    if member is None:
        yield place.ok("club", "club_none")
        return
    if find_spec("nats") is None or find_spec("nkeys") is None:
        yield place.trouble("club", "club_missing")
        return
    from companion.club.connection import broker_trouble

    found, where = asyncio.run(broker_trouble(member)), ", ".join(member.servers)
    if found:
        yield place.trouble("club", found, where=where, club=member.club, table=member.table)
    else:
        yield place.ok("club", "club_ok", club=member.club, table=member.table)
    for server in member.servers:
        yield from _shut(place, "club", urlsplit(server).hostname or "", network)


def _shut(place: Place, check: str, host: str, network: Network) -> Iterator[Finding]:
    """The table's own unit may not go where this command may."""
    try:
        known = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except OSError:
        return
    if any(network.admits(address) for address in known):
        return
    if network.is_open:
        yield place.trouble(check, "network_outside", host=host)
    else:
        yield place.trouble(check, "network_shut", host=host)
