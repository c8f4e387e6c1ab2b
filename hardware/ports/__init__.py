"""Serial ports, and the link that keeps a device on one connected."""
