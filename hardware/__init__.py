"""Lamps, score display, buttons and sound of the game table.

The package knows neither games nor boxes: lamps by index, lines of text, buttons by name.
`hardware.rig.Rig` builds everything from settings; the other modules can be used alone.
"""
