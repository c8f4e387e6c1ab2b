"""How Heelstone and its computer are doing, and what explains that to others."""
