"""The colours and shapes of all painters, by their role and as numbers."""
