"""The demo's window: the play screen, and the virtual table beside it."""
