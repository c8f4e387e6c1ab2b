"""The house: what a broker hears."""
