"""Who sits where: seats, names, faces, colours, house rules."""
