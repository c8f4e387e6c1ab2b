"""Matrix Orbital displays and Adafruit's backpacks."""
