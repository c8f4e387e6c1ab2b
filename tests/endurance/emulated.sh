#!/usr/bin/env bash
# The package for a Raspberry Pi, in fresh Debians for arm64 on a computer of another kind: installed,
# used, upgraded and removed. Says what each step took.
#
#   sudo tests/endurance/emulated.sh [bookworm|trixie] …
#
# Needs mmdebstrap and qemu-user-static with binfmt; takes half an hour and 3 GB below /var/tmp for
# each Debian. WHEELS is a folder for the wheels, which are fetched once (default out/wheels); FRESH a
# folder where fresh Debians are kept as NAME.tar. Nothing here is a Raspberry Pi's time: emulation
# is ten to thirty times slower than the computer it runs on. The demo wants pictures in real time and
# breaks off where other programs are at work.
set -euo pipefail

# What is mounted goes with this script, whatever ends it.
if [ -z "${APART:-}" ]; then exec env APART=yes unshare --mount "$0" "$@"; fi

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
WHEELS=${WHEELS:-$SOURCE/out/wheels}
PLACE=$(mktemp -d /var/tmp/heelstone-XXXXXX)
FRESH=${FRESH:-$PLACE}
SCORE=/root/seconds
# A Raspberry Pi 4's. Newer ones sign return addresses, and QEMU spends nine tenths of its time on that.
export QEMU_CPU=cortex-a72
trap 'umount -Rl "$PLACE"/root/{dev,proc} 2>/dev/null || true; rm -rf --one-file-system "$PLACE"' EXIT

fail() {
	printf 'FAILED: %s\n' "$*" >&2
	tail -n 15 "$PLACE/log" "$PLACE/root/var/log/heelstone-install.log" 2>/dev/null >&2 || true
	exit 1
}
inside() { chroot "$PLACE/root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
	QEMU_CPU=$QEMU_CPU DEBIAN_FRONTEND=noninteractive "$@"; }
# $1: what it is, then what is run; its last line is told, with seconds of wall and of the processor.
step() {
	local name=$1
	shift
	inside bash -c 'TIMEFORMAT="%R %U"; time "$@" 2>&1' - "$@" >"$PLACE/log" 2>"$PLACE/root$SCORE" || fail "$name"
	read -r wall processor < <(tail -n 1 "$PLACE/root$SCORE")
	printf '  %-22s %6.0f s, processor %6.0f s  %s\n' "$name" "$wall" "$processor" \
		"$(tail -n 1 "$PLACE/log" | cut -c 1-110)"
}
# $1: a version, $2: its source. Writes /srv/VERSION.deb.
packs() {
	SOURCE_DATE_EPOCH=1800000000 python3 "$SOURCE/systemd/package.py" --system "$release" --machine arm64 \
		--source "$2" --wheels "$WHEELS" --out "$PLACE/packed" >/dev/null
	mv "$PLACE"/packed/heelstone_*.deb "$PLACE/root/srv/$1.deb"
}
installs() { step "$1" apt-get -q -y --no-install-recommends install "/srv/$2.deb"; }
# $1: a part of a version's name, which must be the one in use.
in_use() { [[ $(readlink "$PLACE/root/opt/heelstone/current") = *-"$1" ]] || fail "$1 is not in use"; }

# $1: a Debian.
tries() {
	release=$1
	printf 'Debian %s for arm64\n' "$release"
	[ -e "$FRESH/$release.tar" ] || mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 \
		--include=ca-certificates,systemd,udev,procps "$release" "$FRESH/$release.tar"
	mkdir "$PLACE/root"
	tar -C "$PLACE/root" --exclude=./dev/* -xf "$FRESH/$release.tar"
	cp /etc/resolv.conf "$PLACE/root/etc/resolv.conf"
	mount --bind /proc "$PLACE/root/proc"
	mount --rbind /dev "$PLACE/root/dev"
	mkdir "$PLACE/newer"
	tar -C "$SOURCE" --exclude='./.*' --exclude=./out --exclude='__pycache__' -c . | tar -C "$PLACE/newer" -x
	packs first "$SOURCE"
	sed -i 's/^version = .*/version = "99.1"/' "$PLACE/newer/pyproject.toml"
	packs newer "$PLACE/newer"
	this=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$SOURCE/pyproject.toml")

	inside apt-get -q update >"$PLACE/log" 2>&1 || fail "lists of packages"
	step "what it needs" sh -c "dpkg-deb -f /srv/first.deb Depends | sed 's/([^)]*)//g; s/,//g' |
		xargs apt-get -q -y --no-install-recommends install"
	installs install first
	in_use "$this"
	step doctor heelstone --lang en doctor
	step "against the computer" sh -c 'heelstone --json simulate dolmengoetter --seed 1 --player 1=druid | tail -n 1'
	grep -q outcome "$PLACE/log" || fail "the match has no end"
	step "printed set" heelstone --lang en print knizia_stonehenge --out /var/lib/heelstone/set.pdf
	head -c 5 "$PLACE/root/var/lib/heelstone/set.pdf" | grep -q '%PDF-' || fail "no PDF was printed"
	step "demo without a window" heelstone --lang en demo --headless --out /var/lib/heelstone/demo
	installs upgrade newer
	in_use 99.1
	step "the version before" /opt/heelstone/current/install.sh --rollback
	in_use "$this"
	printf '  %-22s %s\n' "on the disk" "$(du -sm "$PLACE"/root/opt/heelstone/releases/* "$PLACE/root/usr/lib/heelstone" |
		awk '{printf "%s MB ", $1}')"
	step remove apt-get -q -y remove heelstone
	[ ! -e "$PLACE/root/opt/heelstone" ] || fail "the program is still there"
	[ -d "$PLACE/root/var/lib/heelstone" ] || fail "the journal is gone"
	step purge apt-get -q -y purge heelstone
	left=$(find "$PLACE/root" -xdev -iname '*heelstone*' -not -path "$PLACE/root/var/log/*" -not -path "$PLACE/root/run/*")
	[ -z "$left" ] || fail "left: $left"
	umount -R "$PLACE/root/dev" "$PLACE/root/proc"
	rm -rf --one-file-system "$PLACE/root" "$PLACE/newer" "$PLACE/packed"
}

if [ $# = 0 ]; then set -- bookworm trixie; fi
for name; do tries "$name"; done
