"""Simulated devices. They read the wire as strictly as the data sheets allow, and hold what a
real device would show; so they serve the tests, the demo and the rig view on the screen alike.

Each serial twin sits behind a pty with a stable path: `url` stays the same when it is unplugged
and plugged in again.
"""
