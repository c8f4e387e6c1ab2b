"""The state of Heelstone and its computer, and reports of it."""
