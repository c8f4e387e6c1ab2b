"""Computer players at the table: their thinking in another process, and when they are asked."""
