"""The house around the table: score, turn and events for an MQTT broker, and for Home Assistant."""
