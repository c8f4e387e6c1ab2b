"""Serial ports, and the link that keeps a device at one connected."""
