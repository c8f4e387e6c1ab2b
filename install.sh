#!/usr/bin/env bash
# Installs, repairs, upgrades and removes Heelstone on Raspberry Pi OS (64 bit) and Debian.
#
#   sudo ./install.sh               install or upgrade; safe to run again at any time
#   sudo ./install.sh --table "--game dolmengoetter --players 4"
#                                   a table without a touchscreen
#   sudo ./install.sh --rollback    back to the version before
#   sudo ./install.sh --uninstall   remove the program, keep journal and settings
#   sudo ./install.sh --uninstall --purge    remove those too
#
# Every version gets a folder of its own below /opt/heelstone/releases; /opt/heelstone/current
# points to the one in use. An upgrade that fails leaves everything as it was.
set -euo pipefail

HOME_DIR=/opt/heelstone
STATE=/var/lib/heelstone
CONFIG=/etc/heelstone
UNITS=/etc/systemd/system
KEEP=3
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

NEEDED=(python3-venv python3-numpy python3-pip libgl1 libgl1-mesa-dri libegl1 libgles2 libgbm1
	libmtdev1 udev)
# Comfort: each is left out where the system does not have it.
WANTED=(python3-lgpio python3-picamera2 python3-spidev espeak-ng alsa-utils)
KIOSK=(cage xwayland)

mode=install unit=heelstone.service table_arguments="" purge="" start=yes

say() { printf '%s\n' "$*"; }
fail() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--table)
		unit=heelstone-table.service
		[ $# -gt 1 ] || fail "--table needs the game, such as --table \"--game dominion\""
		table_arguments=$2
		shift
		;;
	--rollback) mode=rollback ;;
	--uninstall) mode=uninstall ;;
	--purge) purge=yes ;;
	--no-start) start="" ;;
	-h | --help)
		sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
		exit 0
		;;
	*) fail "unknown option '$1'; --help lists them all" ;;
	esac
	shift
done

[ "$(id -u)" = 0 ] || fail "this must be run as root: sudo ./install.sh"

# systemd runs on a table; in a container or an image being built it does not.
running() { [ -d /run/systemd/system ]; }
systemctl_if_running() { if running; then systemctl "$@"; fi; }

# -- removing ------------------------------------------------------------------------------

stop_units() {
	for name in heelstone.service heelstone-table.service heelstone-backup.timer; do
		systemctl_if_running disable --now "$name" 2>/dev/null || true
	done
}

uninstall() {
	stop_units
	rm -f "$UNITS"/heelstone.service "$UNITS"/heelstone-table.service \
		"$UNITS"/heelstone-backup.service "$UNITS"/heelstone-backup.timer \
		"$UNITS"/*.wants/heelstone*.service "$UNITS"/*.wants/heelstone-backup.timer \
		/etc/sysusers.d/heelstone.conf /etc/udev/rules.d/60-heelstone.rules \
		/etc/systemd/journald@heelstone.conf /usr/local/bin/heelstone
	rm -rf "$UNITS"/heelstone.service.d "$UNITS"/heelstone-table.service.d "$HOME_DIR"
	systemctl_if_running daemon-reload
	if [ -n "$purge" ]; then
		rm -rf "$STATE" "$CONFIG" /var/cache/heelstone
		if getent passwd heelstone >/dev/null; then userdel heelstone; fi
		say "Heelstone, its journal and its settings are removed."
	else
		say "Heelstone is removed. Journal and settings are still in $STATE and $CONFIG."
	fi
}

# -- the system ----------------------------------------------------------------------------

check_system() {
	[ -r /etc/os-release ] || fail "this is no Debian: there is no /etc/os-release"
	# shellcheck source=/dev/null
	codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
	lock=$SOURCE/systemd/requirements-$codename.txt
	[ -r "$lock" ] || fail "Debian 12 (bookworm) or 13 (trixie) is needed, not '$codename'"
	case $(uname -m) in
	aarch64 | x86_64) ;;
	*) fail "a 64-bit system is needed, not $(uname -m); Raspberry Pi Imager offers one" ;;
	esac
	free=$(df --output=avail -m / | tail -n 1)
	[ "$free" -ge 1500 ] || fail "1500 MB of free space are needed, there are $free"
}

known() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }
here() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

install_packages() {
	local glib=libglib2.0-0 wanted=("${NEEDED[@]}") missing=() name
	if ! command -v dpkg-query >/dev/null; then fail "this is no Debian: dpkg is missing"; fi
	apt-get update -q >/dev/null
	if known libglib2.0-0t64; then glib=libglib2.0-0t64; fi
	wanted+=("$glib")
	if [ "$unit" = heelstone.service ]; then wanted+=("${KIOSK[@]}"); fi
	for name in "${WANTED[@]}"; do
		if here "$name"; then continue; fi
		if known "$name"; then wanted+=("$name"); else say "left out: this system has no $name"; fi
	done
	for name in "${wanted[@]}"; do here "$name" || missing+=("$name"); done
	if [ ${#missing[@]} -gt 0 ]; then
		say "Installing ${missing[*]} …"
		DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
			"${missing[@]}" >/dev/null
	fi
}

install_users() {
	install -D -m 644 "$SOURCE/systemd/heelstone.sysusers" /etc/sysusers.d/heelstone.conf
	if command -v systemd-sysusers >/dev/null; then
		systemd-sysusers /etc/sysusers.d/heelstone.conf
	else
		local group
		for group in gpio spi i2c render video input dialout audio; do
			getent group "$group" >/dev/null || groupadd --system "$group"
		done
		getent passwd heelstone >/dev/null ||
			useradd --system --home-dir "$STATE" --shell /usr/sbin/nologin heelstone
		usermod -aG gpio,spi,i2c,render,video,input,dialout,audio heelstone
	fi
	install -d -m 700 -o heelstone -g heelstone "$STATE"
	install -d -m 755 "$CONFIG"
}

install_files() {
	install -m 644 "$SOURCE"/systemd/heelstone.service "$SOURCE"/systemd/heelstone-table.service \
		"$SOURCE"/systemd/heelstone-backup.service "$SOURCE"/systemd/heelstone-backup.timer \
		"$UNITS"/
	# The first systemd that can wait longer after each failure is 254.
	local version name
	version=$(systemctl --version 2>/dev/null | awk 'NR == 1 {print $2}')
	for name in heelstone heelstone-table; do
		if [ "${version%%[!0-9]*}" -ge 254 ] 2>/dev/null; then
			install -D -m 644 "$SOURCE/systemd/back-off.conf" \
				"$UNITS/$name.service.d/back-off.conf"
		fi
	done
	install -D -m 644 "$SOURCE/systemd/60-heelstone.rules" /etc/udev/rules.d/60-heelstone.rules
	install -D -m 644 "$SOURCE/systemd/journald@heelstone.conf" \
		/etc/systemd/journald@heelstone.conf
	if [ -n "$table_arguments" ]; then
		printf 'HEELSTONE_TABLE="%s"\n' "$table_arguments" >"$CONFIG/table.env"
	fi
	if running; then
		udevadm control --reload-rules || true
		udevadm trigger --subsystem-match=tty --subsystem-match=gpio || true
	fi
}

# -- a version -----------------------------------------------------------------------------

as_heelstone() {
	runuser -u heelstone -- env STATE_DIRECTORY="$STATE" CONFIGURATION_DIRECTORY="$CONFIG" \
		HOME="$STATE" "$@"
}

build_release() {
	local name
	name=$(sed -n 's/^version = "\(.*\)"/\1/p' "$SOURCE/pyproject.toml" | head -n 1)
	release=$HOME_DIR/releases/$(date -u +%Y%m%d%H%M%S)-$name
	say "Building version $name …"
	mkdir -p "$HOME_DIR/releases"
	# The system's own camera, pin and number libraries must be used, so they are let through.
	python3 -m venv --system-site-packages "$release"
	"$release/bin/python" -m pip install -q --disable-pip-version-check --no-deps \
		--require-hashes --ignore-installed -r "$lock"
	# pip would build in the source folder; a copy keeps root's files out of it.
	local copy
	copy=$(mktemp -d)
	cp -R "$SOURCE/pyproject.toml" "$SOURCE/README.md" "$SOURCE/rules" "$SOURCE/vision" \
		"$SOURCE/hardware" "$SOURCE/companion" "$copy/"
	"$release/bin/python" -m pip install -q --disable-pip-version-check --no-deps \
		--no-build-isolation "$copy"
	rm -rf "$copy"
	# A version that cannot list its games or play a match is never put in place.
	as_heelstone "$release/bin/heelstone" games >/dev/null
	as_heelstone "$release/bin/heelstone" simulate knizia_stonehenge --seed 1 --json >/dev/null
}

point_to() {
	ln -sfn "$1" "$HOME_DIR/current.new"
	mv -T "$HOME_DIR/current.new" "$HOME_DIR/current"
	ln -sfn "$HOME_DIR/current/bin/heelstone" /usr/local/bin/heelstone
}

active_unit() {
	local name
	for name in heelstone.service heelstone-table.service; do
		if running && systemctl is-enabled --quiet "$name" 2>/dev/null; then printf '%s' "$name"; fi
	done
}

switch_to() {
	# $1: the new version. The journal is copied first: a newer one may not be read by the old.
	local before copy=""
	before=$(readlink -f "$HOME_DIR/current" || true)
	systemctl_if_running stop heelstone.service heelstone-table.service 2>/dev/null || true
	if [ -f "$STATE/journal.db" ] && [ -n "$before" ] && [ -x "$before/bin/heelstone" ]; then
		copy=$(as_heelstone "$1/bin/heelstone" backup --out "$STATE/before-upgrade" --keep 5) ||
			{
				start_active
				fail "the journal could not be copied; nothing was changed"
			}
	fi
	if as_heelstone "$1/bin/heelstone" matches >/dev/null; then
		point_to "$1"
		return
	fi
	if [ -n "$copy" ]; then
		as_heelstone "$before/bin/heelstone" restore "$copy" >/dev/null
	fi
	start_active
	fail "the new version cannot read the journal; everything is put back as it was"
}

start_active() {
	local name
	name=$(active_unit)
	if [ -n "$name" ]; then systemctl start "$name" || true; fi
}

drop_old() {
	local current old
	current=$(readlink -f "$HOME_DIR/current")
	# By name, which begins with the date of the installation.
	find "$HOME_DIR/releases" -mindepth 1 -maxdepth 1 -type d | sort -r | tail -n +$((KEEP + 1)) |
		while read -r old; do
			if [ "$old" != "$current" ]; then rm -rf "$old"; fi
		done
}

start_units() {
	if ! running || [ -z "$start" ]; then
		say "systemd is not running here; after the next start: systemctl enable --now $unit"
		return
	fi
	systemctl daemon-reload
	systemctl enable --quiet heelstone-backup.timer "$unit"
	systemctl start heelstone-backup.timer
	systemctl restart "$unit" || fail "$unit does not start; 'heelstone doctor' says why"
}

release=""
interrupted() {
	# Whatever went wrong, a half-built version must not lie about.
	if [ -n "$release" ] && [ "$(readlink -f "$HOME_DIR/current" 2>/dev/null)" != "$release" ]; then
		rm -rf "$release"
	fi
}

rollback() {
	local current before copy
	current=$(readlink -f "$HOME_DIR/current") || fail "Heelstone is not installed"
	before=$(find "$HOME_DIR/releases" -mindepth 1 -maxdepth 1 -type d | sort |
		awk -v now="$current" '$0 < now' | tail -n 1)
	[ -n "$before" ] || fail "there is no version before this one"
	systemctl_if_running stop heelstone.service heelstone-table.service 2>/dev/null || true
	if ! as_heelstone "$before/bin/heelstone" matches >/dev/null 2>&1; then
		copy=$(find "$STATE/before-upgrade" -name 'journal-*.db' | sort | tail -n 1)
		[ -n "$copy" ] || fail "the version before cannot read the journal, and there is no copy"
		as_heelstone "$before/bin/heelstone" restore "$copy"
	fi
	point_to "$before"
	start_active
	say "Back to $(basename "$before")."
}

case $mode in
uninstall) uninstall ;;
rollback) rollback ;;
install)
	check_system
	trap interrupted EXIT
	install_packages
	install_users
	build_release
	switch_to "$release"
	install_files
	drop_old
	start_units
	say "Heelstone is installed. 'heelstone doctor' says whether everything is there."
	;;
esac
