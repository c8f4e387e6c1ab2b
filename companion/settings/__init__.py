"""Settings, what people chose on the screen, and small files that are written safely."""
