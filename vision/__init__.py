"""Seeing the table: frames in, sightings out.

Vision knows boxes (what can lie where) and never a game. ``tracker.Tracker`` is the door in;
the other modules are its parts and can be used alone.
"""
