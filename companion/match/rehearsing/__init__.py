"""What happens at a table as a written scene: read, played through a table, taken from one."""
