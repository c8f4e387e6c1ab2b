#!/usr/bin/env bash
# Installs, repairs, upgrades and removes Heelstone on Raspberry Pi OS (64 bit) and Debian.
#
#   sudo ./install.sh               install, repair or upgrade; safe to run again at any time
#   sudo ./install.sh --table "--game dolmengoetter --players 4"
#                                   a table without a touchscreen
#   sudo ./install.sh --screen      a table with one, where there was none before
#   sudo ./install.sh --club NAME   the computer of a club; --address HOST says where tables find it
#   sudo ./install.sh --check       only say whether this system is suitable
#   sudo ./install.sh --no-start    start nothing until the computer is restarted
#   sudo ./install.sh --rollback    back to the previous version
#   sudo ./install.sh --uninstall   remove the program, keep journal and settings
#   sudo ./install.sh --uninstall --purge    remove those too
#
# The Debian package is this folder with all Python packages in wheels/, and calls it with --packaged:
# nothing is fetched then, and what is needed of the system is dpkg's to see to.
#
# Every version gets a folder of its own below /opt/heelstone/releases; /opt/heelstone/current
# points to the one in use. An upgrade that fails or is interrupted leaves everything as it was.
set -euo pipefail
umask 022

# Only tests have their files elsewhere; root's environment is root's.
ROOT=${HEELSTONE_ROOT:-}
HOME_DIR=$ROOT/opt/heelstone
RELEASES=$HOME_DIR/releases
BUILDING=$HOME_DIR/building
STATE=$ROOT/var/lib/heelstone
CONFIG=$ROOT/etc/heelstone
UNITS=$ROOT/etc/systemd/system
COMMAND=$ROOT/usr/local/bin/heelstone
LOG=$ROOT/var/log/heelstone-install.log
# What the screen's button for updates needs: a program of root, and a folder that only root writes.
UPDATER=$ROOT/usr/local/lib/heelstone/update
UPDATES=$ROOT/var/lib/heelstone-update
STICKS=$ROOT/media/heelstone
# The same for the table's network.
NETWORK=$ROOT/usr/local/lib/heelstone/network
NETWORKS=$ROOT/var/lib/heelstone-network
# Settings, keys and data of a club.
HALL=$ROOT/var/lib/heelstone-club
CLUSTERS=$ROOT/etc/postgresql-common/createcluster.d/heelstone.conf
# Where a version is tried with a copy of the journal.
TRIAL=$STATE/trial
# Is in a version's folder once it is complete; the power may go while one is built.
WHOLE=.whole
# A version that crashes within this many seconds is not kept.
SETTLED_S=10
# The table's own user may keep root waiting so long and no longer.
LONGEST_S=900
PYTHON=$ROOT/usr/bin/python3
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# A folder that has them needs no network for them.
WHEELS=$SOURCE/wheels
# Python looks for modules in the folder it is started from, which may be anybody's.
cd /

NEEDED=(systemd python3-venv python3-numpy python3-pip libgl1 libgl1-mesa-dri libegl1 libgles2 libgbm1
	libmtdev1 libglib2.0-0 udev)
# Optional: each is left out if the system does not have it.
WANTED=(python3-lgpio python3-picamera2 python3-spidev espeak-ng alsa-utils git
	openssh-client)
KIOSK=(cage seatd xwayland)
CLUB=(nats-server postgresql)
# What may start with the computer, one at a time.
KINDS=(heelstone.service heelstone-table.service heelstone-club.service)

mode=install packaged="" asked_unit="" unit="" table_arguments="" purge="" start=yes told=""
club_name="" club_address=""

# The listener may be gone: the app takes the console, or the network drops.
say() { printf '%s\n' "$*" || true; }
# How far it is, for whoever shows it: heelstone-update.sh names a file.
step() {
	if [ -z "${HEELSTONE_PROGRESS:-}" ]; then return; fi
	printf '%s\n' "$1" >"$HEELSTONE_PROGRESS.new"
	mv -f "$HEELSTONE_PROGRESS.new" "$HEELSTONE_PROGRESS"
}
fail() {
	told=yes
	printf 'install.sh: %s\n' "$*" >&2 || true
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--table)
		asked_unit=heelstone-table.service
		[ $# -gt 1 ] || fail "--table needs the game, such as --table \"--game dominion\""
		case $2 in *[\"\\\$]*) fail "--table takes no quotation marks, \\ or \$" ;; esac
		table_arguments=$2
		shift
		;;
	--screen) asked_unit=heelstone.service ;;
	--club)
		asked_unit=heelstone-club.service
		[ $# -gt 1 ] || fail "--club needs the club's name, such as --club cornwall"
		club_name=$2
		shift
		;;
	--address)
		[ $# -gt 1 ] || fail "--address needs a name or an address"
		club_address=$2
		shift
		;;
	--check) mode=check ;;
	--rollback) mode=rollback ;;
	--uninstall) mode=uninstall ;;
	--purge) purge=yes ;;
	--no-start) start="" ;;
	--packaged) packaged=yes ;;
	-h | --help)
		sed -n '2,20s/^# \{0,1\}//p' "$SOURCE/${BASH_SOURCE[0]##*/}"
		exit 0
		;;
	*) fail "unknown option '$1'; --help lists them all" ;;
	esac
	shift
done

if [ -n "$purge" ] && [ "$mode" != uninstall ]; then fail "--purge needs --uninstall"; fi
if [ -n "$club_address" ] && [ -z "$club_name" ]; then fail "--address needs --club"; fi
if [ "$mode" = uninstall ] && [ -z "$packaged" ] && [ -d "$WHEELS" ]; then
	fail "Heelstone came as a package here: 'sudo apt remove heelstone' removes it, and" \
		"'sudo apt purge heelstone' its journal and settings, too"
fi
[ "$(id -u)" = 0 ] || fail "this must be run as root: sudo ./install.sh"

# systemd runs on a table; in a container or an image being built it does not.
running() { [ -d "$ROOT/run/systemd/system" ]; }
systemctl_if_running() { if running; then systemctl "$@"; fi; }
# Whatever is started here must not keep the lock.
quietly() { "$@" </dev/null >>"$LOG" 2>&1 9>&-; }

# $1: rights, $2: a file, $3: its place. After a power cut the old one is there, or the new one.
lay() {
	install -D -m "$1" "$2" "$3.new"
	sync "$3.new"
	mv -fT "$3.new" "$3"
}
# $1: a place; what comes in is written there, whole as well.
keep() {
	cat >"$1.new"
	sync "$1.new"
	mv -fT "$1.new" "$1"
}
# What the table's own user wrote, for root's terminal: nothing that could move its cursor.
readable() {
	LC_ALL=C tr -d '\000-\010\013-\037\177' |
		LC_ALL=C sed 's/\xc2[\x80-\x9f]//g; s/\xe2\x80[\xaa-\xae]//g; s/\xe2\x81[\xa6-\xa9]//g'
}

# -- removing ------------------------------------------------------------------------------

stop_units() {
	local name
	for name in "${KINDS[@]}" heelstone-backup.timer heelstone-backup.service \
		heelstone-update.path heelstone-network.path heelstone-network.timer; do
		systemctl_if_running disable --now "$name" >/dev/null 2>&1 || true
	done
}

uninstall() {
	# Half removed is neither; it takes a moment.
	trap '' INT TERM HUP PIPE
	note_kind
	stop_units
	give_back_desktop
	rm -f "$UNITS"/heelstone.service "$UNITS"/heelstone-table.service \
		"$UNITS"/heelstone-backup.service "$UNITS"/heelstone-backup.timer \
		"$UNITS"/heelstone-update.service "$UNITS"/heelstone-update.path \
		"$UNITS"/heelstone-stick@.service "$UNITS"/heelstone-network.* \
		"$UNITS"/heelstone-club.service "$UNITS"/heelstone-club@.service \
		"$UNITS"/*.wants/heelstone*.service "$UNITS"/*.wants/heelstone*.timer \
		"$UNITS"/*.wants/heelstone*.path "$ROOT"/etc/sysusers.d/heelstone.conf \
		"$ROOT"/etc/sysusers.d/heelstone-club.conf "$CLUSTERS" "$ROOT"/etc/udev/rules.d/60-heelstone.rules \
		"$ROOT"/etc/systemd/journald@heelstone.conf "$COMMAND" "$LOG"
	rm -rf "$UNITS"/heelstone.service.d "$UNITS"/heelstone-table.service.d "$HOME_DIR" \
		"$ROOT"/run/systemd/system.control/heelstone*.service.d \
		"$(dirname "$UPDATER")" "$UPDATES" "$NETWORKS"
	rmdir "$STICKS" 2>/dev/null || true
	if running; then
		systemctl daemon-reload
		systemctl stop 'systemd-journald@heelstone.service' 'systemd-journald@heelstone.socket' \
			'systemd-journald-varlink@heelstone.socket' 2>/dev/null || true
		udevadm control --reload-rules 2>/dev/null || true
	fi
	rm -rf "$ROOT"/run/heelstone "$ROOT"/run/log/journal/*.heelstone "$ROOT"/var/log/journal/*.heelstone
	if [ -z "$purge" ]; then
		say "Heelstone is removed. Journal and settings are still in $STATE and $CONFIG."
		if [ -e "$HALL/club.toml" ]; then say "What the club has stored is still in $HALL."; fi
		return
	fi
	purge
	say "Heelstone, its journal and its settings are removed."
}

# What becomes of the next installation, after which nothing is enabled that would say so.
note_kind() {
	local name
	name=$(enabled_unit)
	if [ -n "$name" ] && [ -d "$CONFIG" ]; then printf '%s\n' "$name" | keep "$CONFIG/kind"; fi
}

# Journal, settings and users. The package has none of its files left when it is purged: systemd/package.py
# puts this function into its postrm.
purge() {
	rm -rf "$STATE" "$CONFIG" "$HALL" "$ROOT"/var/cache/heelstone
	local name
	for name in heelstone heelstone-club; do
		if getent passwd "$name" >/dev/null; then
			userdel "$name" 2>/dev/null ||
				fail "the user $name is still in use; restart the computer and run this again"
		fi
		if getent group "$name" >/dev/null; then groupdel "$name"; fi
	done
}

# -- the system ----------------------------------------------------------------------------

check_system() {
	local machine place free least
	[ -r "$ROOT/etc/os-release" ] || fail "this is no Debian: there is no /etc/os-release"
	command -v dpkg >/dev/null || fail "this is no Debian: dpkg is missing"
	# The kernel of a 32-bit Raspberry Pi OS has 64 bits; what counts is what its programs have.
	machine=$(dpkg --print-architecture)
	case $machine in
	arm64 | amd64) ;;
	*) fail "a 64-bit system is needed, and this one is $machine; Raspberry Pi Imager offers" \
		"'Raspberry Pi OS (64-bit)'" ;;
	esac
	# shellcheck source=/dev/null
	codename=$(. "$ROOT/etc/os-release" && printf '%s' "${VERSION_CODENAME:-}")
	lock=$SOURCE/systemd/requirements-$codename.txt
	if [ -z "$codename" ] || [ ! -r "$lock" ]; then
		fail "Debian 12 (bookworm) or 13 (trixie) is needed, not '${codename:-unknown}'"
	fi
	for place in / /opt /var/lib /tmp; do
		case $place in
		/) if here libgl1-mesa-dri; then least=300; else least=1500; fi ;;
		/opt) least=600 ;;
		*) least=100 ;;
		esac
		[ -d "$place" ] || continue
		free=$(df --output=avail -m "$place" | tail -n 1 | tr -d ' ')
		[ "$free" -ge "$least" ] ||
			fail "$least MB of free space are needed in $place, and there are $free; nothing" \
				"was changed"
	done
}

known() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }
# Debian 13 has some libraries under a name that ends with t64.
here() {
	# While dpkg is at work, a package may wait for others to be told of it.
	[[ $(dpkg-query -W -f='${Status}\n' "$1" "$1t64" 2>/dev/null || true) =~ ok\ (installed|triggers-) ]]
}
apt() {
	# Another program may be at it, as after the first start; Debian changes its suites' names.
	DEBIAN_FRONTEND=noninteractive quietly apt-get -q -o DPkg::Lock::Timeout=300 \
		-o Acquire::AllowReleaseInfoChange::Suite=true "$@"
}

no_network() {
	fail "the lists of packages could not be fetched; is there a network? Nothing was changed" \
		"($LOG says more)"
}

install_packages() {
	local missing=() comfort=() torn=() name configured=yes
	# A power cut while packages were installed leaves some of them half done.
	DEBIAN_FRONTEND=noninteractive quietly dpkg --configure -a || configured=
	# Of those whose files were just being unpacked it says nothing, and does not take them up again.
	mapfile -t torn < <(dpkg-query -W -f='${db:Status-Eflag} ${Package}\n' 2>/dev/null |
		sed -n 's/^reinstreq //p')
	if [ -z "$configured" ] || [ ${#torn[@]} -gt 0 ]; then
		say "Finishing what was interrupted …"
		apt update -o APT::Update::Error-Mode=any || no_network
		apt --fix-broken --reinstall -y --no-install-recommends install "${torn[@]}" ||
			fail "packages of this system are broken; 'sudo apt --fix-broken install' may help" \
				"($LOG says more)"
	fi
	for name in "${NEEDED[@]}"; do here "$name" || missing+=("$name"); done
	if [ "$unit" = heelstone.service ]; then
		for name in "${KIOSK[@]}"; do here "$name" || missing+=("$name"); done
	elif [ "$unit" = heelstone-club.service ]; then
		for name in "${CLUB[@]}"; do here "$name" || missing+=("$name"); done
		no_club_of_debian
	fi
	for name in "${WANTED[@]}"; do here "$name" || comfort+=("$name"); done
	if [ $((${#missing[@]} + ${#comfort[@]})) = 0 ]; then return; fi
	if ! apt update -o APT::Update::Error-Mode=any; then
		if [ ${#missing[@]} -gt 0 ]; then no_network; fi
		say "left out without a network: ${comfort[*]}"
		return
	fi
	if [ ${#missing[@]} -gt 0 ]; then
		say "Installing ${missing[*]} …"
		apt install -y --no-install-recommends "${missing[@]}" ||
			fail "the packages could not be installed; is there a network, and room on the disk?" \
				"($LOG says more)"
		if [[ " ${missing[*]} " == *" nats-server "* ]]; then
			quietly systemctl disable --now nats-server.service || true
		fi
	fi
	for name in "${comfort[@]}"; do
		if ! known "$name"; then
			say "left out: this system has no $name"
		elif ! apt install -y --no-install-recommends "$name"; then
			say "left out: $name could not be installed"
		fi
	done
}

# The package depends on what a table needs; dpkg may have been told to look away, and a club needs more.
check_packages() {
	local name missing=() needed=("${NEEDED[@]}")
	if [ "$unit" = heelstone.service ]; then needed+=("${KIOSK[@]}"); fi
	if [ "$unit" = heelstone-club.service ]; then needed+=("${CLUB[@]}"); fi
	for name in "${needed[@]}"; do here "$name" || missing+=("$name"); done
	[ ${#missing[@]} = 0 ] ||
		fail "packages of the system are missing; nothing was changed. Please run:" \
			"sudo apt install ${missing[*]}"
}

# The club starts a broker and a database of its own. Debian's packages start theirs, too, and that
# broker would take the same port.
no_club_of_debian() {
	if here postgresql-common; then return; fi
	install -d -m 755 "$(dirname "$CLUSTERS")"
	printf '# The club of Heelstone has a database of its own.\ncreate_main_cluster = false\n' |
		keep "$CLUSTERS"
}

install_users() {
	lay 644 "$SOURCE/systemd/heelstone.sysusers" "$ROOT/etc/sysusers.d/heelstone.conf"
	if [ "$unit" = heelstone-club.service ]; then
		lay 644 "$SOURCE/systemd/heelstone-club.sysusers" "$ROOT/etc/sysusers.d/heelstone-club.conf"
		quietly systemd-sysusers "$ROOT/etc/sysusers.d/heelstone-club.conf"
		install -d -m 700 -o heelstone-club -g heelstone-club "$HALL"
	fi
	if command -v systemd-sysusers >/dev/null; then
		quietly systemd-sysusers "$ROOT/etc/sysusers.d/heelstone.conf"
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
	give_back
	install -d -m 755 "$CONFIG"
}

# A file that root left in the table's folder could not be written any more. The table's own user may
# have put anything there and change it meanwhile: find goes into each folder without following a
# link, and a second name of a file from elsewhere is left alone.
give_back() {
	find -P "$STATE" -xdev \( -type d -o -type f -links 1 \) \
		\( ! -user heelstone -o ! -group heelstone \) \
		-execdir chown -h heelstone:heelstone '{}' + 2>>"$LOG" || true
}

# $1: a version. What is outside its folder belongs to it too, and goes back with it.
install_files() {
	local from=$1/systemd version name
	for name in heelstone.service heelstone-table.service heelstone-backup.service \
		heelstone-backup.timer; do
		lay 644 "$from/$name" "$UNITS/$name"
	done
	# The first systemd that can wait longer after each failure is 254.
	version=$(systemctl --version 2>/dev/null | awk 'NR == 1 {print $2}')
	for name in heelstone heelstone-table; do
		if [ "${version%%[!0-9]*}" -ge 254 ] 2>/dev/null; then
			lay 644 "$from/back-off.conf" "$UNITS/$name.service.d/back-off.conf"
		fi
	done
	lay 644 "$from/60-heelstone.rules" "$ROOT/etc/udev/rules.d/60-heelstone.rules"
	lay 644 "$from/journald@heelstone.conf" "$ROOT/etc/systemd/journald@heelstone.conf"
	install_root_units "$from"
	# A version from before there was one had a link here.
	if [ -r "$from/heelstone.sh" ]; then
		lay 755 "$from/heelstone.sh" "$COMMAND"
	else
		ln -sfn "$HOME_DIR/current/bin/heelstone" "$COMMAND"
	fi
	sync -f "$UNITS"
	if running; then
		systemctl daemon-reload
		quietly udevadm control --reload-rules || true
		quietly udevadm trigger --subsystem-match=tty --subsystem-match=gpio || true
	fi
}

# $1: a version's units. One from before there was a button for updates, phones, or clubs has fewer.
install_root_units() {
	local name
	for name in heelstone-update.service heelstone-update.path heelstone-stick@.service \
		heelstone-network.service heelstone-network.path heelstone-network.timer \
		heelstone-club.service heelstone-club@.service; do
		if [ -r "$1/$name" ]; then
			lay 644 "$1/$name" "$UNITS/$name"
		else
			rm -f "$UNITS/$name" "$UNITS"/*.wants/"$name"
		fi
	done
	install -d -m 755 "$UPDATES"
	install -d -m 755 "$NETWORKS"
	install -d -m 755 "$STICKS"
	install_root_program "$1/heelstone-update.sh" "$UPDATER"
	install_root_program "$1/heelstone-network.sh" "$NETWORK"
	if [ ! -e "$NETWORK" ]; then rm -f "$UNITS"/heelstone*.service.d/network.conf; fi
}

# $1: where it is in a version, $2: where it belongs.
install_root_program() {
	if [ -r "$1" ]; then lay 755 "$1" "$2"; else rm -f "$2"; fi
}

# Where newer versions come from: what this folder was cloned from. Whose signatures count: the keys
# in the first folder that had any, once and for all. Root notes both, so that nobody else says what
# root will install; an update brings neither.
note_origin() {
	local url keys=$SOURCE/systemd/signers
	if [ "$SOURCE" = "$HOME_DIR/source" ]; then return; fi
	if [ -d "$WHEELS" ]; then
		printf 'package\n' | keep "$HOME_DIR/origin"
		return
	fi
	if [ ! -e "$HOME_DIR/signers" ] && grep -q '^[^#]' "$keys"; then lay 644 "$keys" "$HOME_DIR/signers"; fi
	url=$(in_source config --get remote.origin.url)
	if [ -n "$url" ]; then
		printf '%s\n' "$url" | keep "$HOME_DIR/origin"
	else
		rm -f "$HOME_DIR/origin"
	fi
}

# The folder is somebody else's, whom root has trusted by running this script from it.
in_source() { git -c safe.directory='*' -C "$SOURCE" "$@" 2>/dev/null || true; }

# -- the screen ----------------------------------------------------------------------------

# A desktop and the app cannot both have it. Text mode is what raspi-config calls "Console".
take_screen() {
	if [ ! -e "$UNITS/display-manager.service" ] ||
		[ "$(systemctl get-default)" != graphical.target ]; then
		return
	fi
	# Noted first: what was never taken may be given back, but not the other way round.
	printf 'graphical.target\n' | keep "$CONFIG/desktop"
	quietly systemctl set-default multi-user.target
	say "From the next start on the screen belongs to Heelstone and no longer to the desktop;"
	say "--uninstall or --table gives it back."
}

give_back_desktop() {
	if [ -f "$CONFIG/desktop" ]; then
		quietly systemctl set-default "$(cat "$CONFIG/desktop")"
		rm -f "$CONFIG/desktop"
	fi
}

desktop_runs() { running && systemctl is-active --quiet display-manager.service; }

# -- a version -----------------------------------------------------------------------------

# Everything in the table's folder is read, copied and removed by the table's own user, never by root:
# that user may have put links there. It gets neither root's terminal, nor the lock, nor all the time
# it likes.
as_heelstone() {
	timeout -k 10 "$LONGEST_S" setsid -w runuser -u heelstone -- env -C / STATE_DIRECTORY="$STATE" \
		CONFIGURATION_DIRECTORY="$CONFIG" HOME="$STATE" "$@" </dev/null 7>&- 9>&-
}

# Complete versions, the oldest first; names begin with the time of installation.
versions() {
	find "$RELEASES" -mindepth 2 -maxdepth 2 -name "$WHOLE" -printf '%h\n' 2>/dev/null | sort
}

current() { readlink -e "$HOME_DIR/current" || true; }

clear_up() {
	local old now
	now=$(current)
	# What is in use is whole, whoever installed it.
	if [ -n "$now" ]; then touch "$now/$WHOLE"; fi
	rm -rf "$BUILDING" "$HOME_DIR/current.new"
	no_trial
	mkdir -p "$RELEASES" "$BUILDING"
	for old in "$RELEASES"/*/; do
		if [ -d "$old" ] && [ ! -e "$old$WHOLE" ]; then rm -rf "$old"; fi
	done
}

# The clock of a Raspberry Pi may go back; names must not.
next_stamp() {
	local now last
	now=$(date -u +%Y%m%d%H%M%S)
	last=$(versions | tail -n 1)
	last=$(basename "${last:-0}")
	last=${last%%[!0-9]*}
	if [ "$now" -le "${last:-0}" ]; then now=$((last + 1)); fi
	printf '%s' "$now"
}

pip_install() {
	local words from=()
	if [ -d "$WHEELS" ]; then from=(--no-index --find-links "$WHEELS"); fi
	if quietly "$release/bin/python" -m pip install -q --disable-pip-version-check \
		--retries 2 --no-deps --no-compile "${from[@]}" "$@"; then return; fi
	words=$(tail -n 40 "$LOG")
	if [[ $words == *'No space left'* ]]; then
		fail "there is no room left on the disk; nothing was changed"
	elif [[ $words == *'DO NOT MATCH THE HASHES'* ]]; then
		fail "a package is not the one that was pinned and was refused; nothing was changed" \
			"($LOG says which)"
	fi
	if [ -d "$WHEELS" ]; then
		fail "the package is damaged, or not for this system; nothing was changed ($LOG says more)"
	fi
	fail "the Python packages could not be fetched; is there a network? Nothing was changed" \
		"($LOG says more)"
}

build_release() {
	local name
	name=$(sed -n 's/^version = "\(.*\)"/\1/p' "$SOURCE/pyproject.toml" | head -n 1)
	release=$RELEASES/$(next_stamp)-$name
	say "Building version $name …"
	step building
	# The system's own camera, pin and number libraries must be used, so they are let through.
	quietly "$PYTHON" -m venv --system-site-packages "$release" ||
		fail "no folder for the version could be made; nothing was changed ($LOG says more)"
	pip_install --require-hashes --only-binary=:all: --ignore-installed -r "$lock"
	# Without isolation, for the setuptools that builds is the pinned one.
	pip_install --require-hashes --no-build-isolation -r "$SOURCE/systemd/requirements-source.txt"
	if [ "$unit" = heelstone-club.service ]; then
		pip_install --require-hashes --only-binary=:all: -r "$SOURCE/systemd/requirements-club-$codename.txt"
	fi
	# pip would build in the source folder; a copy keeps root's files out of it.
	cp -R "$SOURCE/pyproject.toml" "$SOURCE/README.md" "$SOURCE/LICENSE" "$SOURCE/rules" \
		"$SOURCE/vision" "$SOURCE/hardware" "$SOURCE/companion" "$BUILDING/"
	"$PYTHON" -I "$SOURCE/companion/support/version.py" >"$BUILDING/companion/support/commit.txt"
	pip_install --no-build-isolation "$BUILDING"
	cp -R "$SOURCE/systemd" "$release/systemd"
	cp "$SOURCE/install.sh" "$release/install.sh"
	# Where --rollback goes: not to a newer one that somebody went back from, nor to what is repaired.
	if same_commit "$release" "$(current)"; then
		cp "$(current)/.before" "$release/.before"
	else
		basename "$(current)" >"$release/.before"
	fi
	chmod -R u+rwX,go+rX "$release"
	compile_all "$release"
	step trying
	# A version that cannot list its games or play a match is never put in place.
	if ! quietly works "$release"; then
		fail "the new version does not work; nothing was changed ($LOG says why)"
	fi
	share_files "$release" "$(current)"
	sync -f "$release"
	touch "$release/$WHOLE"
}

# $1: a version. Bytecode as if the version were in use already: it is the same in every version then, and
# asks for no time of its source. What is for another Python cannot be compiled and is never imported.
compile_all() {
	quietly "$1/bin/python" -m compileall -q -f --invalidation-mode unchecked-hash \
		-s "$1" -p "$HOME_DIR/current" "$1/lib" || true
}

# $1, $2: versions, the new one and the one in use, if any. What is equal in both lies on the card once;
# nothing ever writes into a version.
share_files() {
	if [ -z "$2" ] || ! command -v hardlink >/dev/null; then return; fi
	quietly hardlink -q --ignore-time --keep-oldest --minimum-size 1024 "$2/lib" "$1/lib" || true
}

# $1, $2: versions. Of a folder that is no checkout, or was changed, nobody knows.
same_commit() {
	local first second made=site-packages/companion/support/commit.txt
	first=$(cat "$1"/lib/python3*/$made 2>/dev/null || true)
	second=$(cat "$2"/lib/python3*/$made 2>/dev/null || true)
	[[ -n $first && $first != *-dirty && $first = "$second" && -r $2/.before ]]
}

works() {
	as_heelstone "$1/bin/python" -c "import cv2, gpiozero, kivy, msgspec, numpy, serial" &&
		as_heelstone "$1/bin/heelstone" games >/dev/null &&
		as_heelstone "$1/bin/heelstone" simulate knizia_stonehenge --seed 1 --json >/dev/null
}

# $1: a version, $2: a journal. Whether it can read it; a copy is tried, for what is damaged is set aside.
reads() {
	local able=""
	no_trial
	# A version that takes a whole journal for a damaged one sets it aside, and goes on.
	# shellcheck disable=SC2016
	if quietly as_heelstone sh -c 'umask 077 && mkdir "$1" && cp -T "$2" "$1/journal.db" &&
		if [ -e "$2-wal" ]; then cp -T "$2-wal" "$1/journal.db-wal"; fi' - "$TRIAL" "$2" &&
		quietly as_heelstone env STATE_DIRECTORY="$TRIAL" "$1/bin/heelstone" matches &&
		[ -z "$(as_heelstone find "$TRIAL" -name '*-damaged-*' 2>>"$LOG")" ]; then
		able=yes
	fi
	no_trial
	[ -n "$able" ]
}
no_trial() {
	# Before the first installation there is neither that user nor the folder.
	if [ -e "$TRIAL" ] || [ -L "$TRIAL" ]; then quietly as_heelstone rm -rf "$TRIAL" || true; fi
}

point_to() {
	sync -f "$HOME_DIR"
	ln -sfn "$1" "$HOME_DIR/current.new"
	mv -T "$HOME_DIR/current.new" "$HOME_DIR/current"
	sync -f "$HOME_DIR"
}

# $1: a version, $2: one that works. Prints the path of a copy of the journal, if there is any.
copy_journal() {
	if [ ! -f "$STATE/journal.db" ]; then return; fi
	as_heelstone "$1/bin/heelstone" backup --out "$STATE/before-upgrade" --keep 5 2>>"$LOG"
}

# -- as it was -----------------------------------------------------------------------------

# From here on whatever ends this script puts everything back: a failed command, Ctrl-C, a signal.
# After a power cut the next start does, for what is enabled is whole at any moment.
begin() {
	before=$(current)
	active=$(active_unit)
	enabled=$(enabled_unit)
	target=$(systemctl get-default 2>/dev/null || true)
	desktop=$(cat "$CONFIG/desktop" 2>/dev/null || true)
	arguments=$(cat "$CONFIG/table.env" 2>/dev/null || true)
	asides=$(set_aside)
	switching=yes
}

# What becomes of half an installation. Every step is tried, whatever became of the one before.
finish() {
	local code=$?
	trap '' INT TERM HUP PIPE
	trap - EXIT
	set +e
	# What was interrupted may have spoken into the log.
	exec 2>&7
	if [ -n "$switching" ]; then put_back; fi
	if [ -z "$told" ] && [ "$code" != 0 ]; then
		printf 'install.sh: this was interrupted or failed in the middle; %s\n' \
			"$(what_is_left) ($LOG may say more)" >&2
	fi
	# A half-built version must not lie about.
	if [ -n "$release" ] && [ "$(current)" != "$release" ]; then rm -rf "$release"; fi
	rm -rf "$BUILDING"
	rm -f "$HOME_DIR"/*.new "$CONFIG"/*.new "$UNITS"/heelstone*.new "$UNITS"/heelstone*.d/*.new \
		"$ROOT"/etc/*/*heelstone*.new "$ROOT"/etc/udev/rules.d/*heelstone*.new "$COMMAND.new" "$UPDATER.new"
	no_trial
	exit "$code"
}

# Nothing goes back from here on; what is left to do takes a moment.
it_stands() {
	trap '' INT TERM
	switching=""
}

what_is_left() {
	if [ -n "$release" ] && [ "$(current)" = "$release" ]; then
		printf 'please run it again'
	elif [ -n "$switching" ]; then
		printf 'the version before is in use again'
	else
		printf 'nothing was changed'
	fi
}

# The version of before, its units, its arguments, the desktop's choice, and its journal.
put_back() {
	if [ -n "$starting" ]; then systemctl_if_running stop "$starting" 2>>"$LOG"; fi
	if [ -n "$before" ] && [ "$(current)" != "$before" ]; then
		point_to "$before"
		install_files "$before"
	fi
	if [ -n "$arguments" ]; then
		printf '%s\n' "$arguments" | keep "$CONFIG/table.env"
	else
		rm -f "$CONFIG/table.env"
	fi
	put_back_journal
	if [ -n "$enabled" ]; then
		enable_unit "$enabled"
	elif [ -n "$unit" ]; then
		quietly systemctl disable "$unit"
	fi
	put_back_desktop
	if [ -n "$active" ]; then quietly systemctl start "$active"; fi
}

put_back_desktop() {
	if [ -n "$desktop" ]; then printf '%s\n' "$desktop" | keep "$CONFIG/desktop"; fi
	if [ -n "$target" ] && [ "$(systemctl get-default)" != "$target" ]; then
		quietly systemctl set-default "$target"
	fi
	if [ -z "$desktop" ]; then rm -f "$CONFIG/desktop"; fi
}

# The way back to an older version may have put an older journal in place already.
put_back_journal() {
	local aside
	[ -n "$before" ] || return 0
	aside=$(set_aside | grep -vxF -f <(printf '%s\n' "$asides") | tail -n 1)
	if [ -n "$aside" ] && reads "$before" "$aside"; then
		quietly as_heelstone "$before/bin/heelstone" restore "$aside"
	else
		restore_for "$before"
	fi
}

# Journals that were set aside when another one was put in place.
set_aside() { journals "$STATE" 'journal-before-restore-[0-9a-f-]*'; }

# $1: a folder of the table's, $2: a name. The journals there, the newest last: where the clock stood
# still, names end with -2, -3, … What its own user put there under another name is none.
journals() {
	as_heelstone find "$1" -maxdepth 1 -type f -regextype posix-extended -regex ".*/$2\\.db" \
		2>>"$LOG" | sort -V || true
}

# -- switching -----------------------------------------------------------------------------

# $1: the new version.
switch_to() {
	if [ -n "$active" ]; then systemctl stop "$active"; fi
	copy=$(copy_journal "$1") ||
		fail "the journal could not be copied; nothing was changed. 'sudo heelstone doctor' may" \
			"say why"
	if [ -n "$copy" ] && ! reads "$1" "$copy"; then
		fail "the new version cannot read the journal; nothing was changed ($LOG says more)"
	fi
	point_to "$1"
}

# A club's settings, once; they hold its tables from then on.
club_address() { sed -n 's/^address = "\(.*\)"$/\1/p' "$HALL/club.toml" | head -n 1; }
found_club() {
	local address answer
	if [ -e "$HALL/club.toml" ]; then return; fi
	# Addresses of a local network come first; a club elsewhere names its own.
	address=${club_address:-$(hostname -I | tr ' ' '\n' | grep -m 1 -E '^(10|172|192)\.' || true)}
	[ -n "$address" ] || fail "where do tables find this computer? Please add --address HOST"
	answer=$(runuser -u heelstone-club -- env -C "$HALL" HOME="$HALL" \
		"$release/bin/heelstone" --lang en --json club found "$club_name" --address "$address" \
		</dev/null 2>>"$LOG" 7>&- 9>&-) ||
		fail "the club could not be founded ($(tail -n 1 "$LOG" | readable)); nothing was changed"
	say "The organiser's password for the hall's pages is" \
		"$(sed -n 's/.*"password": *"\([0-9a-f-]*\)".*/\1/p' <<<"$answer"). It is shown only now."
}

active_unit() {
	local name
	running || return 0
	for name in "${KINDS[@]}"; do
		# One that is just being started, or started again, is one that ran.
		case $(systemctl show "$name" -p ActiveState --value) in
		active | activating | reloading | refreshing)
			printf '%s' "$name"
			return
			;;
		esac
	done
}

# The unit of the last installation, since a repair must not turn it into another kind of table.
enabled_unit() {
	local name
	for name in "${KINDS[@]}"; do
		if [ -n "$(find "$UNITS" -path "*.wants/$name" 2>/dev/null)" ]; then
			printf '%s' "$name"
			return
		fi
	done
}

# Where nothing is enabled: what was removed, or what somebody chose before the first installation.
kind_before() {
	local name noted
	noted=$(cat "$CONFIG/kind" 2>/dev/null || true)
	for name in "${KINDS[@]}"; do
		if [ "$name" = "$noted" ]; then
			printf '%s' "$name"
			return
		fi
	done
	if [ -e "$CONFIG/table.env" ]; then printf 'heelstone-table.service'; else printf 'heelstone.service'; fi
}

stands() {
	# systemctl waits until a unit says that it is ready, or falls.
	starting=$1
	systemctl reset-failed "$1" 2>/dev/null || true
	quietly systemctl restart "$1" || return 1
	sleep "$SETTLED_S"
	[ "$(systemctl show "$1" -p ActiveState --value)" = active ] &&
		[ "$(systemctl show "$1" -p NRestarts --value)" = 0 ]
}

last_words() {
	journalctl --namespace=heelstone -u "$1" -n 40 -o cat 2>/dev/null |
		grep -aE '^(heelstone: |[A-Za-z.]*(Error|Exception)\b|ERROR )' | tail -n 1 | readable || true
}

# $1: a version. If it cannot read the journal, it gets the newest copy that it can.
restore_for() {
	local copy
	if [ ! -f "$STATE/journal.db" ] || reads "$1" "$STATE/journal.db"; then return 0; fi
	while read -r copy; do
		if reads "$1" "$copy"; then
			quietly as_heelstone "$1/bin/heelstone" restore "$copy" || return 1
			say "The journal is the one of $(basename "$copy" .db | cut -d- -f2-); the newer one" \
				"lies beside it as journal-before-restore-*.db."
			return 0
		fi
	done < <(
		journals "$STATE/before-upgrade" 'journal-[0-9-]*' | tac
		# Set aside by the version that wrote it anew at its first start.
		journals "$STATE" 'journal-before-upgrade-[0-9a-f-]*' | tac
	)
	return 1
}

# Never is none of both enabled, even if the power goes in between.
enable_unit() {
	local name
	quietly systemctl enable heelstone-backup.timer "$1"
	for name in "${KINDS[@]}"; do
		if [ "$1" != "$name" ]; then quietly systemctl disable "$name" || true; fi
	done
	for name in heelstone-update.path heelstone-network.path heelstone-network.timer; do
		if [ -e "$UNITS/$name" ]; then quietly systemctl enable "$name"; fi
	done
}

start_units() {
	if ! running || [ -z "$start" ]; then
		say "Nothing was started; $unit starts with the computer."
		return
	fi
	systemctl start heelstone-backup.timer heelstone-update.path heelstone-network.path \
		heelstone-network.timer
	step starting
	if [ "$unit" = heelstone.service ] && desktop_runs; then
		say "The desktop has the screen now. Please restart the computer: sudo reboot"
		return
	fi
	if stands "$unit"; then return; fi
	local words
	words=$(last_words "$unit")
	words="$unit does not start${words:+ ($words)}"
	if [ -n "$before" ]; then fail "$words; the version before is in use again"; fi
	# dpkg would never get done where there is no screen yet; nothing is lost that was there before.
	if [ -n "$packaged" ]; then
		say "$words; it is tried again and again. 'sudo heelstone doctor' may say why."
		return
	fi
	fail "$words; 'sudo heelstone doctor' may say why, then please run this again"
}

# The version in use and the way back stay; a card has not much more room.
drop_old() {
	local now old back
	now=$(current)
	back=$(version_before "$now")
	versions | while read -r old; do
		if [ "$old" = "$now" ] || [ "$old" = "$back" ]; then continue; fi
		# If the power goes meanwhile, it is no version any more; the next installation takes the rest.
		rm -f "$old/$WHOLE"
		rm -rf "$old"
	done
}

# $1: a version. The one that was in use before it, or else the newest that is older.
version_before() {
	local name
	name=$(cat "$1/.before" 2>/dev/null || true)
	if [ -n "$name" ] && versions | grep -qxF "$RELEASES/$name"; then
		printf '%s\n' "$RELEASES/$name"
	else
		versions | awk -v now="$1" '$0 < now' | tail -n 1
	fi
}

rollback() {
	local now back
	now=$(current)
	[ -n "$now" ] || fail "Heelstone is not installed"
	back=$(version_before "$now")
	[ -n "$back" ] || fail "there is no version before this one"
	quietly works "$back" || fail "the version before does not work any more; nothing was changed"
	begin
	if [ -n "$active" ]; then systemctl stop "$active"; fi
	restore_for "$back" ||
		fail "the version before cannot read the journal, and there is no copy that it can;" \
			"nothing was changed"
	point_to "$back"
	install_files "$back"
	if [ -n "$active" ] && ! stands "$active"; then
		fail "$active does not start with $(basename "$back") ($(last_words "$active"));" \
			"$(basename "$now") is in use again"
	fi
	it_stands
	say "Back to $(basename "$back")."
}

# Two at once would take each other's folders away.
if [ "$mode" != check ]; then
	exec 9>"$ROOT/run/heelstone-install.lock"
	flock -n 9 || fail "install.sh is at work already; please wait for it"
fi

# Whatever ends it, and whoever looks away: the app takes the console this may have been started from,
# and a network may fall away.
guarded() {
	exec 7>&2
	trap '' HUP PIPE
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap finish EXIT
	: >"$LOG"
}

release="" before="" active="" enabled="" starting="" switching=""
case $mode in
uninstall) uninstall ;;
rollback)
	guarded
	step switching
	rollback
	;;
check)
	check_system
	sh "$SOURCE/systemd/lacking.sh" || true
	say "This system will do."
	;;
install)
	check_system
	guarded
	# The package's preinst has said it.
	if [ -z "$packaged" ]; then sh "$SOURCE/systemd/lacking.sh" || true; fi
	enabled=$(enabled_unit)
	unit=${asked_unit:-${enabled:-$(kind_before)}}
	step packages
	if [ -n "$packaged" ]; then check_packages; else install_packages; fi
	install_users
	clear_up
	build_release
	step switching
	begin
	switch_to "$release"
	if [ -n "$table_arguments" ]; then
		printf 'HEELSTONE_TABLE="%s"\n' "$table_arguments" | keep "$CONFIG/table.env"
	fi
	install_files "$release"
	if [ "$unit" = heelstone-club.service ]; then found_club; fi
	enable_unit "$unit"
	if [ "$unit" = heelstone.service ]; then take_screen; else give_back_desktop; fi
	start_units
	note_origin
	it_stands
	drop_old
	if [ "$unit" = heelstone-club.service ]; then
		say "The club is open: http://$(club_address):8090/. 'sudo heelstone club new-table NAME' makes the key of each table."
	else
		say "Heelstone is installed. 'sudo heelstone doctor' says whether everything is there."
	fi
	;;
esac
