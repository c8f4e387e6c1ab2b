"""Displays at a Raspberry Pi Pico with Heelstone's firmware."""
