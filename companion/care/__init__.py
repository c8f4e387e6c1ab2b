"""How Heelstone and the computer below it are doing, and what explains it to others."""
