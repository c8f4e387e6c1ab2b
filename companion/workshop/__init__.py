"""The workshop: camera, devices, lamps, boards and reports, one bench each."""
