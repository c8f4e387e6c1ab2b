#!/bin/bash -e
# The stage goes on with what the one before left.
if [ ! -d "$ROOTFS_DIR" ]; then copy_previous; fi
