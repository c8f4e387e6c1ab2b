"""How the boards are drawn for printing."""
