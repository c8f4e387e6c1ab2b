"""Lamps by index: colour and rhythm in, frames for strips and pins out."""
