"""The doctor on phones and the house, with a real table and a real broker."""

from __future__ import annotations

import errno
import http.server
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.checkup import reaching
from companion.settings.services import MqttSettings, WebSettings
from companion.settings.settings import Settings
from companion.support.doctor.finding import Place
from companion.support.finding import Finding
from tests.support.broker import broker
from tests.support.served import served

HERE = "127.0.0.1"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A computer on which a table runs, and avahi."""
    table = tmp_path / "proc" / "123"
    table.mkdir(parents=True)
    (table / "comm").write_text("heelstone\n")
    (table / "cmdline").write_text("python\0/opt/heelstone/current/bin/heelstone\0")
    (tmp_path / "run/avahi-daemon").mkdir(parents=True)
    (tmp_path / "run/avahi-daemon/socket").touch()
    (tmp_path / "var/lib/heelstone").mkdir(parents=True)
    return Place("en", tmp_path)


def found(place: Place, settings: Settings, check: str, state: Path | None = None) -> Finding:
    """The worst that the doctor says about this."""
    all_found = reaching(place, settings, state or place.root)
    order = ("trouble", "hint", "ok")
    return min(
        (one for one in all_found if one.check == check), key=lambda one: order.index(one.level)
    )


def with_phones(port: int) -> Settings:
    return Settings(web=WebSettings(enabled=True, port=port))


def test_what_is_turned_off_is_well(place: Place) -> None:
    for check in ("phones", "house", "club"):
        assert found(place, Settings(), check).level == "ok"
    assert list(place.root.glob("*.json")) == []


def test_phones_that_reach_the_table_are_told_where(place: Place) -> None:
    with served("knizia_stonehenge", moves=0) as table:
        told = found(place, with_phones(table.server.port), "phones")
    assert (told.level, told.text) == (
        "ok", f"Phones reach the table at http://{HERE}:{table.server.port}/."
    )  # fmt: skip


def test_a_name_that_nobody_announces_is_a_hint(place: Place) -> None:
    (place.root / "run/avahi-daemon/socket").unlink()
    with served("knizia_stonehenge", moves=0) as table:
        settings = Settings(web=WebSettings(enabled=True, port=table.server.port, name="kitchen"))
        told = found(place, settings, "phones")
    assert told.level == "hint" and "kitchen.local" in told.text and "avahi-daemon" in told.text


def test_a_table_that_does_not_run_lets_nobody_in_yet(place: Place) -> None:
    (place.root / "proc/123/comm").write_text("bash\n")
    with socket.socket() as free:
        free.bind((HERE, 0))
        port = int(free.getsockname()[1])
    told = found(place, with_phones(port), "phones")
    assert told.level == "hint" and "once a table runs here" in told.text


def test_without_a_network_no_phone_reaches_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.network.addresses", lambda: ())
    assert "in no network" in found(place, with_phones(1), "phones").text
    monkeypatch.setattr("companion.web.network.addresses", lambda: ("203.0.113.5",))
    assert "in a public network only" in found(place, with_phones(1), "phones").text


def test_a_port_that_is_taken_or_reserved_is_told_before_the_table_runs(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.root / "proc/123/comm").write_text("bash\n")
    with socket.socket() as holder:
        # Somebody who will listen there, and does not answer yet.
        holder.bind((HERE, 0))
        told = found(place, with_phones(holder.getsockname()[1]), "phones")
    assert told.level == "trouble" and "Another program uses the port" in told.text

    def forbidden(_port: int) -> socket.socket:
        raise PermissionError(errno.EACCES, "")

    monkeypatch.setattr("companion.web.network.listening", forbidden)
    told = found(place, with_phones(80), "phones")
    assert told.level == "trouble" and "from 1024 on" in told.text


class _SomebodyElse(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Nothing of it is of interest."""


@contextmanager
def listening(*, answers: bool) -> Iterator[int]:
    """A foreign program at a port: a web server, or one that takes calls and says nothing."""
    if not answers:
        with socket.create_server((HERE, 0)) as deaf:
            yield deaf.getsockname()[1]
        return
    with http.server.ThreadingHTTPServer((HERE, 0), _SomebodyElse) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_who_answers_phones_instead_of_the_table_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.checkup.ANSWER_S", 0.2)
    with listening(answers=True) as port:
        assert "Another program" in found(place, with_phones(port), "phones").text
    # The port is free now.
    assert "Nobody answers" in found(place, with_phones(port), "phones").text
    with listening(answers=False) as port:
        assert "swallowed" in found(place, with_phones(port), "phones").text


def test_the_broker_of_the_house_is_called(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(**settings: object) -> Finding:
        mqtt = MqttSettings(host=HERE, port=house.port, **settings)  # type: ignore[arg-type]
        return found(place, Settings(mqtt=mqtt), "house")

    with broker(tmp_path) as house:
        assert told().text == f"The MQTT broker {HERE}:{house.port} takes this table."
        assert "certificate" in told(tls=True, ca_file="/nowhere.pem").text
        with house.ear() as ear:
            told()
        # Looking is not speaking.
        assert ear.heard == []
        house.kill()
        assert "does not answer" in told().text
    with broker(tmp_path, "allow_anonymous false") as house:
        assert "refuses the name or the password" in told(user="anna", password="x").text
    monkeypatch.setattr("companion.mqtt.trying.LONGEST_S", 0.2)
    with listening(answers=False) as port:
        mqtt = MqttSettings(host=HERE, port=port)
        assert "no MQTT broker" in found(place, Settings(mqtt=mqtt), "house").text


def test_a_broker_that_the_tables_unit_may_not_reach_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who waits for an address that nobody has waits for seconds, and what is told comes after that.
    monkeypatch.setattr("companion.mqtt.trying.broker_trouble", lambda _settings: "no_broker")
    state, units = place.root / "var/lib/heelstone", place.root / "etc/systemd/system"
    rules = units / "heelstone.service.d/network.conf"
    rules.parent.mkdir(parents=True)
    (units / "heelstone-network.path").touch()

    def texts(host: str) -> str:
        settings = Settings(mqtt=MqttSettings(host=host, port=1))
        return " ".join(one.text for one in reaching(place, settings, state))

    assert "may not reach 192.0.2.7 yet" in texts("192.0.2.7")
    rules.write_text("[Service]\nIPAddressAllow=192.168.0.0/16\n")
    assert "sudo heelstone network allow 192.0.2.7" in texts("192.0.2.7")
    rules.write_text("[Service]\nIPAddressAllow=192.168.0.0/16\n# x\nIPAddressAllow=192.0.2.7\n")
    assert "network" not in texts("192.0.2.7")
    assert "network" not in texts("127.0.0.1")
