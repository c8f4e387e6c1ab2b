"""Pictures for these docs; not part of what is installed."""
