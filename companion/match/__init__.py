"""A match at a table: what is seen, proposed and agreed, and what became of it."""
