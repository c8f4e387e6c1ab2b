"""The program: command line, service, kiosk, and the shell around the screens."""
