"""For authors of games: the conformance suite, random matches, and sightings drawn from layouts."""
