"""Tries once, for the doctor, whether the house's broker takes this table."""

from __future__ import annotations

import ssl
import time
from typing import Any, Final

from paho.mqtt.client import Client, ConnectFlags, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.mqtt.line import KEEPALIVE_S, NOT_FOR_US
from companion.settings.services import MqttSettings

LONGEST_S: Final = 10.0


def broker_trouble(settings: MqttSettings) -> str:
    """Trouble with the broker, in the codes of ``BrokerLink``; empty: it takes us. Nothing is
    published."""
    answers: list[ReasonCode] = []

    def came(
        _: Client, __: Any, ___: ConnectFlags, code: ReasonCode, ____: Properties | None
    ) -> None:
        answers.append(code)

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5, reconnect_on_failure=False)
    if settings.user or settings.password:
        client.username_pw_set(settings.user, settings.password or None)
    client.on_connect = came
    try:
        if settings.tls:
            client.tls_set(ca_certs=settings.ca_file or None)
        client.connect(settings.host, settings.at, KEEPALIVE_S)
    except (ssl.SSLError, FileNotFoundError):
        return "broker_certificate"
    except OSError:
        return "no_broker"
    ends_s = time.monotonic() + LONGEST_S
    while not answers and time.monotonic() < ends_s and client.loop(0.1) == 0:
        pass
    client.disconnect()
    if not answers:
        return "broker_silent"
    if answers[0].is_failure:
        return "broker_refuses" if answers[0].value in NOT_FOR_US else "broker_busy"
    return ""
