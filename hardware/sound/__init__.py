"""Voice and buzzer."""
