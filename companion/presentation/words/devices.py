"""What to do about a device, by the code of its state. Free of Kivy."""

from __future__ import annotations

from companion.presentation.words.translate import N_, _

__all__ = ["what_to_do"]


def what_to_do(code: str) -> str:
    """What to do about a device whose state has this code."""
    return _(_TO_DO.get(_ALIKE.get(code, code), _ASK_THE_DOCTOR))


_ASK_THE_DOCTOR = N_("Something is wrong with it. ‘heelstone doctor’ says what.")
_TO_DO = {
    "missing": N_("Nothing is plugged in at its port. Plug it in and it will be found."),
    "unplugged": N_("It was unplugged. Plug it in again and it will be found."),
    "stalled": N_("It accepts no more data. Unplug it and plug it in again."),
    "floods": N_("It never stops sending. Unplug it and plug it in again."),
    "mistake": N_(
        "Heelstone made a mistake with it and keeps trying. The workshop can write a problem "
        "report."
    ),
    "fell_silent": N_("It has stopped answering. Unplug it and plug it in again."),
    "busy": N_("Another program uses it. Close that program."),
    "no_permission": N_(
        "Heelstone may not open its port. Add this user to the group ‘dialout’, then log in again."
    ),
    "no_port": N_("Its port cannot be opened. Check the port in the settings."),
    "no_answer": N_(
        "A different device answers at its port. Check the type of device and the port."
    ),
    "talks_back": N_(
        "Something at its port is sending data, which this display never does. Check "
        "the type of device and the port."
    ),
    "no_firmware": N_(
        "The Pico is not running our program. Copy main.py to it, then unplug it and "
        "plug it in again."
    ),
    "no_server": N_(
        "LCDd is not running there. Start it, or correct the host and port in the settings."
    ),
    "no_host": N_("Its computer cannot be reached. Check its name in the settings."),
    "same_port": N_("Two devices are set to the same port. Give each device its own port."),
    "wrong_size": N_("Its size differs from the settings. Correct the columns and rows there."),
    "key_kept": N_(
        "LCDd reserves one of these keys for its menu. Choose another key in the settings."
    ),
    "refused": N_("It refused a command. Check its columns and rows in the settings."),
    "no_such_lamp": N_(
        "There are fewer lamps than places. Correct their number in the settings,"
        " or show in the workshop which lamp stands where."
    ),
    "no_pins": N_("Its GPIO pins cannot be used. Check the pins in the settings."),
    "pins_failed": N_(
        "Its GPIO pins cannot be used. Add this user to the group ‘gpio’, then log in again."
    ),
    "pin_twice": N_("The same GPIO pin is assigned twice. Give each device its own pin."),
    "button_flutters": N_(
        "A button is pressed more often than a finger can, and is ignored until it rests. Its "
        "contact is loose."
    ),
    "button_stuck": N_("A button stays pressed: it is stuck, or its wires touch."),
    "no_display_keys": N_(
        "The display does not have these keys or lamps. Choose others in the settings."
    ),
    "no_pico_display": N_("The Pico finds no display. Check its wires and the settings."),
    "spi_failed": N_(
        "The SPI bus cannot be used. Switch SPI on with raspi-config, and add this "
        "user to the group ‘spi’."
    ),
    "strip_too_long": N_(
        "The strip is too long for the SPI bus. Add spidev.bufsiz=32768 to "
        "/boot/firmware/cmdline.txt and restart."
    ),
    "no_sound_card": N_("There is no sound card. Plug in a USB sound card or loudspeaker."),
    "program_missing": N_("A program it needs is not installed: ‘heelstone doctor’ says which."),
    "program_failed": N_("It could not speak. ‘heelstone doctor’ says why."),
    "mqtt_missing": N_(
        "The Python package paho-mqtt is not installed. Install Heelstone with its part ‘mqtt’."
    ),
    "no_broker": N_(
        "The MQTT broker does not answer. Check that it is running, and its name in the settings."
    ),
    "broker_gone": N_("The MQTT broker has gone. It will be found when it is back."),
    "broker_silent": N_(
        "Something answers there, but not an MQTT broker of version 5. Check host and port in the "
        "settings."
    ),
    "broker_busy": N_("The MQTT broker takes nobody just now. It is asked again and again."),
    "broker_refuses": N_(
        "The MQTT broker refuses the name or the password. Correct them in the settings."
    ),
    "broker_certificate": N_(
        "The certificate of the MQTT broker cannot be checked. Correct ‘ca_file’ in the settings."
    ),
    "broker_floods": N_(
        "The MQTT broker sends too much and is left alone for a minute. Check who writes there."
    ),
    "club_missing": N_(
        "The Python package nats-py is not installed. Install Heelstone with its part ‘club’."
    ),
    "club_file": N_(
        "The file that makes this table one of a club is damaged. Have the club make a new one."
    ),
    "bad_settings": N_("Its settings contradict themselves. Correct the settings file."),
}
_ALIKE = {
    "lost": "unplugged",
    "port_failed": "no_port",
    "lcdd_size": "wrong_size",
    "too_many_lamps": "no_such_lamp",
    "pin_failed": "no_pins",
    "no_display_lamps": "no_display_keys",
    "spi_missing": "program_missing",
    "pins_missing": "program_missing",
    "folder_failed": "program_failed",
}
"""Codes that call for the same as another."""
