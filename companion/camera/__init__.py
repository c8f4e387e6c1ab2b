"""The one camera of a table: who owns it, who looks, and what is reported about it."""
