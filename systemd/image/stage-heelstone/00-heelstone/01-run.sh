#!/bin/bash -e
# Installs the package, as on a table. Nothing is started: systemd does not run in here.
if [ ! -r "$HEELSTONE_DEB" ]; then
	echo "heelstone: there is no package; please run: make deb" >&2
	exit 1
fi
# Not in /tmp: pi-gen may lay an empty one over it.
there=/var/cache/apt/archives/heelstone.deb
install -D -m 644 "$HEELSTONE_DEB" "$ROOTFS_DIR$there"
on_chroot <<HERE
apt-get install -y --no-install-recommends $there
HERE
rm "$ROOTFS_DIR$there"
