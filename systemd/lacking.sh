#!/bin/sh
# Says which libraries of a Raspberry Pi this system lacks, what works without them, and how they are
# added. Nothing is said on other computers, which have neither pins nor a plug for that camera.
# install.sh and make run it; systemd/package.py puts it into the package's preinst.

# Only tests have their files elsewhere.
MODEL=${HEELSTONE_ROOT:-}/proc/device-tree/model

offered() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# $1: a package, $2: what does not work without it, $3: what does.
look_for() {
	if dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; then return; fi
	printf '%s\n' "This system lacks $1: without it $2 do not work, $3."
	if offered "$1"; then
		printf '%s\n' "  If it is not installed along with Heelstone: sudo apt install $1"
	elif offered python3; then
		printf '%s\n' "  Its sources of packages do not offer it, as plain Debian does not; Raspberry Pi OS does."
	else
		# A system that is started for the first time has no lists of packages yet.
		printf '%s\n' "  Raspberry Pi OS offers it, plain Debian may not: sudo apt update && sudo apt install $1"
	fi
}

if grep -aq 'Raspberry Pi' "$MODEL" 2>/dev/null && command -v dpkg-query >/dev/null; then
	look_for python3-lgpio "lamps and buttons at the pins" "everything else does"
	look_for python3-picamera2 "cameras at the board's ribbon cable" "USB cameras and touch do"
fi
