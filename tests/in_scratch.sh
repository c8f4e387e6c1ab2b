#!/bin/sh
# Runs a command with a folder for everything that it writes outside of the checkout; then that
# folder is gone. It lies in memory where there is plenty and programs may run, because hundreds of
# journals and databases would wait for the disk; else wherever there is room. Whoever uses such a
# folder holds a lock in it; those of runs that were killed are removed by the next one.
#
#   tests/in_scratch.sh COMMAND …
ROOM_KB=2000000

holds() {
	free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
	[ "${free:-0}" -gt $ROOM_KB ] || return 1
	probe=$(mktemp -p "$1" heelstone-XXXXXX 2>/dev/null) || return 1
	cp /bin/true "$probe" && chmod +x "$probe" && "$probe" 2>/dev/null
	runs=$?
	rm -f "$probe"
	return $runs
}

remove() {
	chmod -R u+rwx "$1"
	rm -rf "$1"
}

for place in /dev/shm "${TMPDIR:-/tmp}" /tmp /var/tmp; do
	for left in "$place"/heelstone-tests-*; do
		[ -O "$left/used" ] && flock -n "$left/used" true && remove "$left"
	done
done
for place in /dev/shm "${TMPDIR:-/tmp}" /tmp /var/tmp; do
	holds "$place" && break
done
scratch=$(mktemp -d -p "$place" heelstone-tests-XXXXXX) || exit 1
trap 'remove "$scratch"' EXIT
# Every program that is started here keeps the lock.
exec 9>"$scratch/used"
flock 9
trap 'exit 130' INT TERM HUP
# Tests of permissions enter it as another user.
chmod 755 "$scratch"
mkdir "$scratch/home"
# Mesa would keep its shaders in the home that the system's list of users names.
TMPDIR=$scratch HOME=$scratch/home MESA_SHADER_CACHE_DIR=$scratch/home "$@"
