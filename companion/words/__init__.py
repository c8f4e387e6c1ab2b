"""Words of commands, reports and errors in both languages."""
