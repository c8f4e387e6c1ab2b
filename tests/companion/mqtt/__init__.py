"""Tests of what an MQTT broker is sent."""
