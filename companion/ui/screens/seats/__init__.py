"""The page of seats: names, faces, colours, house rules."""
