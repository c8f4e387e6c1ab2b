#!/usr/bin/env bash
# The installer and the units, in a fresh Debian that is booted for it.
#
#   sudo tests/endurance/installation.sh [bookworm|trixie]
#
# Needs debootstrap and systemd-nspawn; takes about five minutes and 1.5 GB below /var/tmp.
set -euo pipefail

RELEASE=${1:-bookworm}
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ROOT=$(mktemp -d /var/tmp/heelstone-XXXXXX)
# Heelstone's own user must be able to enter what is a root folder from inside.
chmod 755 "$ROOT"
STATE=/var/lib/heelstone

say() { printf '== %s\n' "$*"; }
fail() {
	printf 'FAILED: %s\n' "$*" >&2
	exit 1
}
clean() {
	umount -q "$ROOT/proc" "$ROOT/dev" 2>/dev/null || true
	rm -rf --one-file-system "$ROOT"
}
trap clean EXIT

inside() { chroot "$ROOT" "$@"; }
heelstone() { inside runuser -u heelstone -- env STATE_DIRECTORY=$STATE heelstone "$@"; }
quietly() {
	"$@" >"$ROOT/root/told.log" 2>&1 || {
		cat "$ROOT/root/told.log"
		fail "$*"
	}
}
# shellcheck disable=SC2120
install_it() {
	inside env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "PIP_CERT=$CERTIFICATES" \
		bash /root/src/install.sh "$@"
}
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt

say "a fresh Debian $RELEASE"
debootstrap --variant=minbase \
	--include=ca-certificates,systemd,systemd-sysv,dbus,python3,udev,util-linux \
	"$RELEASE" "$ROOT" >/dev/null
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
# A network with certificates of its own must be reachable from inside too.
cp "$CERTIFICATES" "$ROOT$CERTIFICATES"
mount --bind /proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
mkdir -p "$ROOT/root/src"
tar -C "$SOURCE" --exclude='./.*' --exclude=./out --exclude='__pycache__' -c . |
	tar -C "$ROOT/root/src" -x

say "install"
quietly install_it --table "--game knizia_stonehenge"
[ "$(inside heelstone games --json | wc -l)" -ge 8 ] || fail "the games are not listed"
inside systemd-analyze verify \
	/etc/systemd/system/heelstone-table.service /etc/systemd/system/heelstone-backup.timer ||
	fail "systemd finds fault with a unit"

say "repair"
rm "$ROOT/etc/udev/rules.d/60-heelstone.rules"
quietly install_it --table "--game knizia_stonehenge"
[ -e "$ROOT/etc/udev/rules.d/60-heelstone.rules" ] || fail "the rules were not put back"

say "an upgrade that cannot read the journal"
heelstone backup >/dev/null 2>&1 || heelstone matches >/dev/null
before=$(readlink "$ROOT/opt/heelstone/current")
cp "$ROOT/root/src/companion/journal.py" "$ROOT/root/journal.py"
sed -i 's/^SCHEMA = .*/SCHEMA = 0/' "$ROOT/root/src/companion/journal.py"
# shellcheck disable=SC2119
if install_it >/dev/null 2>&1; then fail "it was installed"; fi
[ "$before" = "$(readlink "$ROOT/opt/heelstone/current")" ] || fail "another version is in use"
heelstone matches >/dev/null || fail "the journal cannot be read any more"
cp "$ROOT/root/journal.py" "$ROOT/root/src/companion/journal.py"

say "back to the version before"
quietly install_it --rollback
[ "$before" != "$(readlink "$ROOT/opt/heelstone/current")" ] || fail "nothing was rolled back"

say "boot it, hang it, copy the journal, remove it"
inside systemctl enable --quiet heelstone-table.service
cat >"$ROOT/root/probe.sh" <<'PROBE'
#!/usr/bin/env bash
sleep 12
told() { systemctl show "$1" -p "$2" --value; }
echo "active $(told heelstone-table ActiveState)"
echo "user $(told heelstone-table User)"
kill -STOP "$(told heelstone-table MainPID)"
sleep 80
echo "restarts $(told heelstone-table NRestarts)"
echo "again $(told heelstone-table ActiveState)"
systemctl start heelstone-backup.service
echo "backups $(find /var/lib/heelstone/backups -name 'journal-*.db' | wc -l)"
bash /root/src/install.sh --uninstall >/dev/null
echo "left $(find /etc/systemd/system -name 'heelstone*' | wc -l)"
[ -f /var/lib/heelstone/journal.db ] && echo "journal kept"
poweroff 2>/dev/null
PROBE
cat >"$ROOT/etc/systemd/system/probe.service" <<'UNIT'
[Service]
Type=exec
ExecStart=/bin/bash /root/probe.sh
StandardOutput=file:/root/probe.log
UNIT
ln -s ../probe.service "$ROOT/etc/systemd/system/multi-user.target.wants/probe.service"
umount "$ROOT/proc" "$ROOT/dev"
timeout 300 systemd-nspawn --register=no --keep-unit -q --private-network --console=pipe \
	-b -D "$ROOT" >/dev/null 2>&1 || true
expected="active active
user heelstone
restarts 1
again active
backups 2
left 0
journal kept"
found=$(cat "$ROOT/root/probe.log")
[ "$found" = "$expected" ] || fail "in the booted system: $found"
say "all of it works in Debian $RELEASE"
