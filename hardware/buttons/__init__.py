"""Named buttons: what presses mean, wherever they come from."""
