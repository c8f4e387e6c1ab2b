"""Pictures and catalogues for these docs; not part of what is installed."""
