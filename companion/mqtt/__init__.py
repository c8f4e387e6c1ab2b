"""Publishes score, turn and events to an MQTT broker, with discovery for Home Assistant."""
