"""The companion joins rules, vision and hardware: session, journal, cues, screens, commands."""
