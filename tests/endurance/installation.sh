#!/usr/bin/env bash
# The installer and the units, in a fresh Debian that is booted for it.
#
#   sudo tests/endurance/installation.sh [bookworm|trixie]
#
# Needs debootstrap, systemd-nspawn, ip and curl; takes about twenty minutes and 3 GB below /var/tmp.
# POWER_CUTS says how often the power goes while it installs (default 3).
set -euo pipefail

RELEASE=${1:-bookworm}
POWER_CUTS=${POWER_CUTS:-3}
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ROOT=$(mktemp -d /var/tmp/heelstone-XXXXXX)
# Heelstone's own user must be able to enter what is a root folder from inside.
chmod 755 "$ROOT"
STATE=/var/lib/heelstone
UNITS=/etc/systemd/system
TABLE="--game knizia_stonehenge"
# The network between this computer and the one that is booted. The first address is at home, the
# second stands for one on the Internet: RFC 5737 gives it to nobody.
MACHINE=hs$$
HERE=10.213.77.1
THERE=10.213.77.2
ABROAD=203.0.113.5
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt

say() { printf '== %s\n' "$*"; }
fail() {
	printf 'FAILED: %s\n' "$*" >&2
	exit 1
}
mount_in() {
	mount --bind /proc "$ROOT/proc"
	mount --bind /dev "$ROOT/dev"
	mount --bind /dev/pts "$ROOT/dev/pts"
}
umount_in() {
	umount -q "$ROOT/opt/heelstone/releases" "$ROOT/opt" 2>/dev/null || true
	umount -q "$ROOT/dev/pts" "$ROOT/dev" "$ROOT/proc" 2>/dev/null || true
}
clean() {
	power_cut
	ip link delete "ve-$MACHINE" 2>/dev/null || true
	umount_in
	rm -rf --one-file-system "$ROOT" "$ROOT.log"
}
# Ends whatever runs inside, at once and without a word.
power_cut() {
	local process
	for process in /proc/[0-9]*; do
		if [ "$(readlink "$process/root" 2>/dev/null)" = "$ROOT" ]; then
			kill -KILL "${process#/proc/}" 2>/dev/null || true
		fi
	done
}
trap clean EXIT

inside() { chroot "$ROOT" "$@"; }
as_user() {
	inside runuser -u heelstone -- env -C / STATE_DIRECTORY=$STATE \
		"/opt/heelstone/current/bin/$1" "${@:2}"
}
# The settings below keep a wheelhouse in use once there is one, so that nothing is fetched twice.
WHEELS=()
install_it() {
	inside env -i PATH="${FIRST:-}/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root \
		"PIP_CERT=$CERTIFICATES" "${WHEELS[@]}" bash /root/src/install.sh "$@" \
		>"$ROOT/root/told.log" 2>&1
}
installs() { install_it "$@" || {
	tail -n 30 "$ROOT/root/told.log" "$ROOT/var/log/heelstone-install.log"
	fail "install.sh $*"
}; }
# $1: what must be said in one line; the rest: arguments.
refuses() {
	local words=$1
	shift
	if install_it "$@"; then fail "it was installed, though '$words'"; fi
	grep -q "^install.sh: .*$words" "$ROOT/root/told.log" || {
		cat "$ROOT/root/told.log"
		tail -n 30 "$ROOT/var/log/heelstone-install.log"
		fail "it did not say '$words'"
	}
	if grep -q 'Traceback' "$ROOT/root/told.log"; then fail "a traceback was shown"; fi
}
now() { readlink "$ROOT/opt/heelstone/current"; }
unchanged_version() { [ "$before" = "$(now)" ] || fail "another version is in use"; }
works_still() {
	[ "$(as_user heelstone games --json | wc -l)" -ge 8 ] || fail "it does not work any more"
	as_user heelstone matches >/dev/null || fail "the journal cannot be read any more"
}
# Breaks a file of the new version; `mended` puts it right.
breaks() {
	cp "$ROOT/root/src/$1" "$ROOT/root/kept"
	broken=$1
	sed -i "$2" "$ROOT/root/src/$1"
	if cmp -s "$ROOT/root/src/$1" "$ROOT/root/kept"; then fail "$1 was not broken"; fi
}
mended() { cp "$ROOT/root/kept" "$ROOT/root/src/$broken"; }

say "a fresh Debian $RELEASE"
debootstrap --variant=minbase \
	--include=ca-certificates,systemd,systemd-sysv,dbus,python3,udev,util-linux,procps \
	"$RELEASE" "$ROOT" >"$ROOT.log" 2>&1 || {
	tail -n 5 "$ROOT.log"
	fail "debootstrap"
}
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
# A network with certificates of its own must be reachable from inside too.
cp "$CERTIFICATES" "$ROOT$CERTIFICATES"
mount_in
mkdir -p "$ROOT/root/src"
tar -C "$SOURCE" --exclude='./.*' --exclude=./out --exclude='__pycache__' -c . |
	tar -C "$ROOT/root/src" -x
chmod 755 "$ROOT/root"

say "what it refuses: no root, a foreign system, 32 bits, no room, no network"
if inside runuser -u nobody -- bash /root/src/install.sh 2>"$ROOT/root/told.log"; then
	fail "it ran without being root"
fi
grep -q 'must be run as root' "$ROOT/root/told.log" || fail "it did not ask for root"
cp "$ROOT/usr/lib/os-release" "$ROOT/root/os-release"
sed -i 's/^VERSION_CODENAME=.*/VERSION_CODENAME=noble/' "$ROOT/usr/lib/os-release"
refuses "Debian 12 (bookworm) or 13 (trixie) is needed, not 'noble'"
cp "$ROOT/root/os-release" "$ROOT/usr/lib/os-release"
mkdir "$ROOT/root/first"
printf '#!/bin/sh\necho armhf\n' >"$ROOT/root/first/dpkg"
chmod 755 "$ROOT/root/first/dpkg"
FIRST=/root/first: refuses "a 64-bit system is needed, and this one is armhf"
mount -t tmpfs -o size=200m tmpfs "$ROOT/opt"
refuses "600 MB of free space are needed in /opt"
umount "$ROOT/opt"
mv "$ROOT/etc/resolv.conf" "$ROOT/root/resolv.conf"
refuses "is there a network? Nothing was changed"
mv "$ROOT/root/resolv.conf" "$ROOT/etc/resolv.conf"
[ ! -L "$ROOT/opt/heelstone/current" ] || fail "something was installed"

say "the power goes while packages are installed"
install_it --table "$TABLE" &
sleep $((4 + RANDOM % 10))
power_cut
wait $! 2>/dev/null || true

say "no room in the middle"
mkdir -p "$ROOT/opt/heelstone/releases"
mount -t tmpfs -o size=150m tmpfs "$ROOT/opt/heelstone/releases"
refuses "there is no room left on the disk; nothing was changed" --table "$TABLE"
umount "$ROOT/opt/heelstone/releases"
[ ! -L "$ROOT/opt/heelstone/current" ] || fail "something was installed"

say "install"
installs --table "$TABLE"
[ "$(inside heelstone games --json | wc -l)" -ge 8 ] || fail "the games are not listed"
inside systemd-analyze verify "$UNITS/heelstone-table.service" "$UNITS/heelstone-backup.timer" ||
	fail "systemd finds fault with a unit"
inside env -i HOME=/root /opt/heelstone/current/bin/pip download -q --no-deps --require-hashes -d /root/wheels \
	--cert "$CERTIFICATES" -r "/root/src/systemd/requirements-$RELEASE.txt"
inside env -i HOME=/root /opt/heelstone/current/bin/pip download -q --no-deps --require-hashes --no-build-isolation \
	-d /root/wheels --cert "$CERTIFICATES" -r /root/src/systemd/requirements-source.txt
inside env -i HOME=/root /opt/heelstone/current/bin/pip download -q --no-deps --require-hashes -d /root/wheels \
	--cert "$CERTIFICATES" -r "/root/src/systemd/requirements-club-$RELEASE.txt"
WHEELS=(PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels)
# For the unit with a screen; with logind's login sessions, as a Raspberry Pi has them. The brokers
# run on this computer, and only their programs are from there.
inside env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive apt-get install \
	-y -q --no-install-recommends cage seatd xwayland libpam-systemd git iproute2 mosquitto \
	openssh-client nats-server postgresql >"$ROOT/root/told.log" 2>&1
inside systemctl -q mask mosquitto.service nats-server.service

say "repair: a lost file of a package, a unit, the rules, a group, a file that root left"
inside bash -c 'rm /opt/heelstone/current/lib/python3*/site-packages/msgspec/__init__.py'
rm "$ROOT$UNITS/heelstone-table.service" "$ROOT/etc/udev/rules.d/60-heelstone.rules"
inside gpasswd -d heelstone video >/dev/null
inside touch "$STATE/left-by-root"
installs
as_user python -c 'import msgspec' || fail "the package was not put back"
for file in "$UNITS/heelstone-table.service" /etc/udev/rules.d/60-heelstone.rules; do
	[ -e "$ROOT$file" ] || fail "$file was not put back"
done
inside id -nG heelstone | grep -qw video || fail "the group was not put back"
[ "$(inside stat -c %U "$STATE/left-by-root")" = heelstone ] || fail "root's file is still root's"
[ -L "$ROOT$UNITS/multi-user.target.wants/heelstone-table.service" ] ||
	fail "a repair made another table of it"
[ ! -L "$ROOT$UNITS/multi-user.target.wants/heelstone.service" ] || fail "both units are enabled"

say "a journal with a match under way"
cat >"$ROOT/root/begin-match.py" <<'BEGIN'
from pathlib import Path

from companion.journal.entries import Header
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from rules.core import Move

with Journal(Path("/var/lib/heelstone/journal.db")) as journal:
    journal.create(Header("m1", "knizia_stonehenge", 2, {}, True, "1", ("", ""), "enforce", 0.0))
    journal.append("m1", MovePlayed(Move.parse("p0 place 2 C")), src=Source.TOUCH)
BEGIN
as_user python /root/begin-match.py
match_is_there() { as_user heelstone matches --json | grep -q '"m1"' || fail "the match is gone"; }

say "new versions that do not import, or cannot read the journal"
before=$(now)
breaks companion/app/cli.py '1i import nonsense'
refuses "the new version does not work; nothing was changed"
mended
unchanged_version
schema=$(cd "$ROOT/root/src" && grep -rl '^SCHEMA = ' companion)
breaks "$schema" 's/^SCHEMA = .*/SCHEMA = 0/'
refuses "the new version cannot read the journal; nothing was changed"
mended
breaks "$schema" 's/^    if version > SCHEMA:/    if True: raise sqlite3.DatabaseError("bad")\n&/'
refuses "the new version cannot read the journal; nothing was changed"
mended
unchanged_version
match_is_there

say "no network at an upgrade"
kept=("${WHEELS[@]}")
WHEELS=(PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/nowhere)
refuses "could not be fetched; is there a network? Nothing was changed"
WHEELS=("${kept[@]}")
unchanged_version

say "an upgrade keeps the journal, and a copy from before"
installs
[ "$before" != "$(now)" ] || fail "it is still the old version"
match_is_there
[ -n "$(inside find $STATE/before-upgrade -name 'journal-*.db')" ] || fail "there is no copy"

say "the power goes $POWER_CUTS times in the middle of it"
before=$(now)
for _ in $(seq "$POWER_CUTS"); do
	install_it &
	sleep "$((RANDOM % 30)).$((RANDOM % 10))"
	power_cut
	wait $! 2>/dev/null || true
	works_still
done
installs
before=$(now)
works_still
[ "$(inside find /opt/heelstone/releases -mindepth 1 -maxdepth 1 | wc -l)" = 2 ] ||
	fail "half-built versions lie about"
[ ! -e "$ROOT/opt/heelstone/building" ] || fail "what it was built in lies about"

say "back to the version before"
installs --rollback
[ "$before" != "$(now)" ] || fail "nothing was rolled back"
match_is_there

say "boot it: hang it, kill it, upgrade it badly, restore the journal, show it, remove it"
cat >"$ROOT/root/probe.sh" <<'PROBE'
#!/usr/bin/env bash
told() { systemctl show "$1" -p "$2" --value; }
for _ in $(seq 60); do
	[ "$(told heelstone-table ActiveState)" = active ] && break
	sleep 1
done
table() { heelstone matches --json | head -n 1; }
comes_back() { for _ in $(seq 60); do
	[ "$(told "$1" NRestarts)" -ge "$2" ] && [ "$(told "$1" ActiveState)" = active ] && break
	sleep 2
done; }
echo "active $(told heelstone-table ActiveState)"
echo "user $(told heelstone-table User)"
echo "match $(table | grep -c '"id": "m1"')"
kill -STOP "$(told heelstone-table MainPID)"
comes_back heelstone-table 1
echo "hung: restarts $(told heelstone-table NRestarts), $(told heelstone-table ActiveState)"
kill -KILL "$(told heelstone-table MainPID)"
comes_back heelstone-table 2
echo "killed: restarts $(told heelstone-table NRestarts), $(told heelstone-table ActiveState)"
echo "went on $(journalctl --namespace=heelstone -o cat |
	grep -c 'going on with match m1') times"
echo "files of the log in memory: $(find /run/log/journal/*.heelstone -type f | wc -l)," \
	"on the disk: $(find /var/log/journal/*.heelstone -type f 2>/dev/null | wc -l)"

export PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels
before=$(readlink /opt/heelstone/current)
cp /root/src/companion/app/service.py /root/kept.py
sed -i 's/^    house = Application(settings, .*/    raise OSError(5, "broken on purpose")/' \
	/root/src/companion/app/service.py
bash /root/src/install.sh >/root/dies.log 2>&1 && echo "a dying version was kept"
[ "$before" = "$(readlink /opt/heelstone/current)" ] && echo "the dying version was put back"
grep -c 'the version before is in use again' /root/dies.log
echo "again $(told heelstone-table ActiveState), match $(table | grep -c '"id": "m1"')"
sed 's/^\( *\)while not signals\.stop\.wait(/\1signals.stop.wait(4); raise OSError(5, "broken later")\n&/' \
	/root/kept.py >/root/src/companion/app/service.py
grep -q 'broken later' /root/src/companion/app/service.py || echo "nothing was broken later"
grep -q 'broken on purpose' /root/src/companion/app/service.py && echo "it is still broken"
bash /root/src/install.sh >/root/dies-later.log 2>&1 && echo "a dying version was kept"
[ "$before" = "$(readlink /opt/heelstone/current)" ] && echo "and so was the one that died later"
cp /root/kept.py /root/src/companion/app/service.py
bash /root/src/install.sh --table "--game nonsense" >/root/nonsense.log 2>&1 &&
	echo "nonsense was kept"
echo "after nonsense $(told heelstone-table ActiveState)," \
	"$(grep -c knizia_stonehenge /etc/heelstone/table.env)"

systemctl start heelstone-backup.service
systemctl stop heelstone-table
copy=$(find /var/lib/heelstone/backups -name 'journal-*.db' | sort | tail -n 1)
rm /var/lib/heelstone/journal.db*
heelstone restore "$copy" >/dev/null
echo "restored $(table | grep -c '"id": "m1"')"
systemctl start heelstone-table
echo "and played on: $(told heelstone-table ActiveState)"

# Phones, the house and a club. What is outside answers what "asks" asks, and says what it saw.
asks() {
	touch "/root/ask-$1"
	until [ -e "/root/told-$1" ]; do sleep 0.2; done
	cat "/root/told-$1"
}
set_to() {
	printf '%s\n' 'lang = "en"' "$@" >/etc/heelstone/settings.toml
	systemctl restart heelstone-table
	# The unit of root answers within a moment.
	sleep 5
}
ip link set host0 up
ip address add THERE/24 dev host0
ip route add default via HERE
echo "off: network $(heelstone network), page $(asks off)"
set_to '[web]' 'enabled = true'
echo "on: network $(heelstone network), page $(asks on), $(heelstone doctor --lang en 2>/dev/null |
	grep -o 'Phones reach the table.*')"
hostname >/root/name
echo "by its name: $(asks name), by a foreign one: $(asks foreign)"
printf closed | runuser -u heelstone -- tee /var/lib/heelstone/network-wanted >/dev/null
sleep 5
echo "shut while it listens: $(ss -Hltn 'sport = 8750' | wc -l) listens, page $(asks shut)," \
	"$(heelstone doctor --lang en 2>/dev/null | grep -o 'is swallowed')"
set_to '[web]' 'enabled = false'
echo "off again: network $(heelstone network), page $(asks again)"
tasks() { find "/proc/$(told heelstone-table MainPID)/task" -mindepth 1 -maxdepth 1 | wc -l; }
set_to '[web]' 'enabled = true' '[mqtt]' 'host = "HERE"'
echo "house: $(asks house), $(heelstone doctor --lang en 2>/dev/null | grep -o 'The MQTT broker .*')"
set_to '[mqtt]' 'host = "ABROAD"'
echo "abroad: root reaches it $(timeout 5 bash -c 'exec 3<>/dev/tcp/ABROAD/1883' && echo yes), the table $(asks abroad)," \
	"$(heelstone doctor --lang en 2>/dev/null | grep -o 'Run: sudo heelstone network .*')"
asks counted >/dev/null
echo "allowed: $(heelstone network allow ABROAD | tail -n 1), $(asks allowed)"
echo "forbidden: $(heelstone network forbid ABROAD | tail -n 1)"
set_to '[web]' 'enabled = true' '[mqtt]' 'host = "HERE"'
heelstone club join /root/member.toml
sleep 10
echo "club: $(asks club), $(heelstone doctor --lang en 2>/dev/null | grep -o 'The club .*')"
echo "all of it: $(told heelstone-table ActiveState), $(told heelstone-table NRestarts) restarts," \
	"threads $(tasks), memory $(awk '/^VmHWM/ {printf "%d MB", $2 / 1024}' \
		"/proc/$(told heelstone-table MainPID)/status")" >>/root/measured.log
heelstone club join /root/abroad.toml
sleep 10
echo "club abroad: $(asks club-abroad)"
heelstone club leave
heelstone network forbid ABROAD >/dev/null
set_to
echo "left: network $(heelstone network)"

# The button for updates: the table's own user asks, a unit of root does it, from a copy that moves
# on meanwhile. Root's units see no home folder, so what they need lies elsewhere.
mkdir -p /srv/origin
cp -r /root/wheels /srv/wheels
cp -r /root/src/. /srv/origin
in_origin() { git -C /srv/origin -c user.name=a -c user.email=a@b -c gpg.format=ssh "$@"; }
# $1: a version; the rest: how it is signed.
releases() {
	sed -i "s/^version = .*/version = \"$1\"/" /srv/origin/pyproject.toml
	in_origin add -A
	in_origin commit -q --allow-empty -m "$1"
	in_origin -c user.signingkey=/root/key tag "${@:2}" -m "$1" "v$1"
}
ssh-keygen -q -t ed25519 -N '' -f /root/key
git init -q -b main /srv/origin
printf '%s\n' file:///srv/origin >/opt/heelstone/origin
releases 9.9.9 -a
install -d /etc/systemd/system/heelstone-update.service.d
printf '[Service]\nEnvironment=PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels\n' \
	>/etc/systemd/system/heelstone-update.service.d/wheels.conf
systemctl daemon-reload
asks() {
	runuser -u heelstone -- /opt/heelstone/current/bin/python - "$1" <<'ASK'
import sys, time
from pathlib import Path
from companion.support.updates import STEPS, Updates, Wanted

updates, wanted, steps = Updates(Path("/var/lib/heelstone")), Wanted(sys.argv[1]), set()
updates.ask(wanted)
for _ in range(6000):
    now = updates.look()
    steps |= {now.step} & set(STEPS[wanted])
    if now.doing is None:
        break
    time.sleep(0.1)
seen = "several steps" if len(steps) > 1 else "a step" if steps else "no step"
print(wanted, now.result, now.why, "offered" if now.offered else "nothing new", seen)
ASK
}
asks look | tr -s ' '
printf 'a namespaces="git" %s\n' "$(cat /root/key.pub)" >/opt/heelstone/signers
asks update | tr -s ' '
in_origin tag -d v9.9.9 >/dev/null
releases 9.9.9 -s
asks look | tr -s ' '
asks update | tr -s ' '
echo "newer: $(readlink /opt/heelstone/current | grep -c 9.9.9)," \
	"$(told heelstone-table ActiveState), match $(table | grep -c '"id": "m1"')"
asks update | tr -s ' '
asks back | tr -s ' '
echo "older: $(readlink /opt/heelstone/current | grep -c 9.9.9)"
echo "then $(told heelstone-table ActiveState), match $(table | grep -c '"id": "m1"')"
sed -i 's/^    house = Application(settings, .*/    raise OSError(5, "broken on purpose")/' \
	/srv/origin/companion/app/service.py
releases 9.9.10 -s
asks update | tr -s ' '
echo "after a dying update: $(readlink /opt/heelstone/current | grep -c 9.9.10)," \
	"$(told heelstone-table ActiveState)"
printf 'rm -rf /' | runuser -u heelstone -- tee /var/lib/heelstone/update-wanted >/dev/null
sleep 3
echo "nonsense was taken away: $(find /var/lib/heelstone -name 'update-wanted' | wc -l)"
rm -r /srv/origin /srv/wheels /etc/systemd/system/heelstone-update.service.d
systemctl daemon-reload

# There is no screen here; cage draws into the air. All else is as on a table.
printf '[Service]\nEnvironment=%s\n' "WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 \
WLR_RENDERER=pixman LIBGL_ALWAYS_SOFTWARE=1" >/root/air.conf
install -D -m 644 /root/air.conf /etc/systemd/system/heelstone.service.d/air.conf
systemctl daemon-reload
systemctl start heelstone
echo "screen: $(told heelstone ActiveState), $(told heelstone StatusText)," \
	"other table $(told heelstone-table ActiveState)"
kill -KILL "$(pgrep -f 'python.*/bin/heelstone$')"
comes_back heelstone 1
echo "screen killed: restarts $(told heelstone NRestarts), $(told heelstone ActiveState)"
kill -STOP "$(pgrep -f 'python.*/bin/heelstone$')"
comes_back heelstone 2
echo "screen hung: restarts $(told heelstone NRestarts), $(told heelstone ActiveState)"

bash /root/src/install.sh --uninstall >/dev/null
echo "units left $(find /etc/systemd/system -name '*heelstone*' | wc -l)"
[ -f /var/lib/heelstone/journal.db ] && echo "journal kept"
bash /root/src/install.sh --uninstall --purge >/dev/null

# The computer of a club, from nothing by two commands; a repair leaves it as it is.
for _ in 1 2; do
	bash /root/src/install.sh --club cornwall --address 127.0.0.1 >/root/club.log 2>&1
	grep -Eo "password for the hall's pages is|The club is open: .*:8090/" /root/club.log
done
heelstone club new-table north >/dev/null
heelstone club join /var/lib/heelstone-club/north.table.toml >/dev/null
for _ in $(seq 60); do
	pages=$(python3 -c 'import urllib.request as u
print(u.urlopen("http://127.0.0.1:8090/", timeout=5).status)' 2>/dev/null) && break
	sleep 1
done
echo "club: $(told heelstone-club ActiveState), $(told heelstone-club NRestarts) restarts," \
	"pages $pages, $(heelstone doctor --lang en 2>/dev/null | grep -o 'The club .*')"
bash /root/src/install.sh --uninstall >/dev/null
echo "units left $(find /etc/systemd/system -name '*heelstone*' | wc -l)"
[ -f /var/lib/heelstone-club/club.toml ] && echo "club kept"
bash /root/src/install.sh --uninstall --purge >/dev/null
find / -xdev -iname '*heelstone*' -not -path '/root/*' -not -path '/proc/*'
grep -h heelstone /etc/passwd /etc/group /etc/shadow
echo "nothing else is left"
poweroff 2>/dev/null
PROBE
cat >"$ROOT$UNITS/probe.service" <<'UNIT'
[Service]
Type=exec
Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStart=/bin/bash /root/probe.sh
StandardOutput=file:/root/probe.log
UNIT
ln -s ../probe.service "$ROOT$UNITS/multi-user.target.wants/probe.service"
sed -i "s/\bHERE\b/$HERE/g; s/\bTHERE\b/$THERE/g; s/\bABROAD\b/$ABROAD/g" "$ROOT/root/probe.sh"

say "brokers on this computer, at home and abroad"
inside /opt/heelstone/current/bin/python - "$HERE" "$ABROAD" <<'CLUB'
import sys
from pathlib import Path

from companion.club.serving import broker_config
from companion.club.settings import new_seed, public_key
from companion.club.membership import Membership, write_secret

seed, folder = new_seed(), Path("/root")
for name, host in zip(("member", "abroad"), sys.argv[1:], strict=True):
    member = Membership(club="cornwall", table="north", servers=(f"nats://{host}:4222",), seed=seed)
    write_secret(folder / f"{name}.toml", member.toml())
keys = {"north": public_key(seed)}
config = broker_config("cornwall", "0.0.0.0:4222", folder / "store", keys, public_key(new_seed()))
(folder / "broker.conf").write_text(f'{config}\nhttp: "127.0.0.1:8222"\n')
CLUB
for place in "$HERE" "$ABROAD"; do
	printf '%s\n' "listener 1883 $place" "allow_anonymous true" "persistence false" "user root" \
		"log_dest file /root/$place.log" >"$ROOT/root/$place.conf"
done

# What a phone finds at the table's page.
page() { curl -s -o /dev/null -m 5 -w '%{http_code}' "$@" "http://$THERE:8750/" 2>/dev/null || true; }
# The same, once it answers.
page_soon() {
	local found _
	for _ in $(seq 15); do
		found=$(page "$@")
		if [ "$found" != 000 ]; then break; fi
		sleep 2
	done
	echo "$found"
}
# $1: a broker. How often somebody came from the table's computer.
came() { grep -c "New client connected from $THERE" "$ROOT/root/$1.log" || true; }
# Whether the table is with the club's broker.
is_member() { curl -s -m 5 http://127.0.0.1:8222/connz | grep -q "\"ip\": *\"$THERE\""; }
# A table looks for a broker every half a minute at last.
soon() {
	local _
	for _ in $(seq 45); do
		if "$@"; then
			echo "comes"
			return
		fi
		sleep 1
	done
	echo "does not come"
}
came_to() { [ "$(came "$1")" -gt "$2" ]; }
# Answers one question of the probe: waits until it is asked, at most ten minutes or until the end.
answers() {
	local _
	for _ in $(seq 3000); do
		if [ -e "$ROOT/root/ask-$1" ] || ! kill -0 "$machine" 2>/dev/null; then break; fi
		sleep 0.2
	done
	case $1 in
	on) page_soon ;;
	name) page_soon -H "Host: $(cat "$ROOT/root/name").local:8750" ;;
	foreign) page_soon -H "Host: evil.example:8750" ;;
	house) soon came_to "$HERE" 0 ;;
	abroad) soon came_to "$ABROAD" 0 ;;
	counted) counted=$(came "$ABROAD") ;;
	allowed) soon came_to "$ABROAD" "$counted" ;;
	club | club-abroad) soon is_member ;;
	*) page ;;
	esac >"$ROOT/root/answer"
	mv "$ROOT/root/answer" "$ROOT/root/told-$1"
}
umount_in
# systemd filters addresses only where control groups are those of version 2.
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout 3600 systemd-nspawn --register=no --keep-unit -q \
	--network-veth -M "$MACHINE" --system-call-filter=bpf --capability=CAP_BPF --console=pipe \
	-b -D "$ROOT" >/dev/null 2>&1 &
machine=$!
for _ in $(seq 100); do
	if ip link show "ve-$MACHINE" >/dev/null 2>&1; then break; fi
	sleep 0.2
done
ip address add "$HERE/24" dev "ve-$MACHINE"
ip address add "$ABROAD/32" dev "ve-$MACHINE"
ip link set "ve-$MACHINE" up
inside mosquitto -c "/root/$HERE.conf" >/dev/null 2>&1 &
inside mosquitto -c "/root/$ABROAD.conf" >/dev/null 2>&1 &
inside nats-server -c /root/broker.conf >/dev/null 2>&1 &
for question in off on name foreign shut again house abroad counted allowed club club-abroad; do
	answers "$question"
done
wait "$machine" || true
expected="active active
user heelstone
match 1
hung: restarts 1, active
killed: restarts 2, active
went on 3 times
files of the log in memory: 1, on the disk: 0
the dying version was put back
1
again active, match 1
and so was the one that died later
after nonsense active, 1
restored 1
and played on: active
off: network closed: nothing is turned on at the table that needs a network, page 000
on: network open: the table and its local network reach each other, page 200, Phones reach the table at http://$THERE:8750/.
by its name: 200, by a foreign one: 421
shut while it listens: 1 listens, page 000, is swallowed
off again: network closed: nothing is turned on at the table that needs a network, page 000
house: comes, The MQTT broker $HERE:1883 takes this table.
abroad: root reaches it yes, the table does not come, Run: sudo heelstone network allow $ABROAD
allowed: outside: $ABROAD, comes
forbidden: open: the table and its local network reach each other
This table is north in the club cornwall. What everybody at the table can see is sent there from the next start on.
club: comes, The club cornwall knows this table as north.
This table is north in the club cornwall. What everybody at the table can see is sent there from the next start on.
club abroad: comes
This table belongs to no club any more; nothing is sent from the next start on.
left: network closed: nothing is turned on at the table that needs a network
look failed key nothing new no step
update failed signature nothing new a step
look ok offered a step
update ok nothing new several steps
newer: 1, active, match 1
update ok newest nothing new a step
back ok nothing new a step
older: 0
then active, match 1
update failed returned offered several steps
after a dying update: 0, active
nonsense was taken away: 0
screen: active, at the table, other table inactive
screen killed: restarts 1, active
screen hung: restarts 2, active
units left 0
journal kept
password for the hall's pages is
The club is open: http://127.0.0.1:8090/
The club is open: http://127.0.0.1:8090/
club: active, 0 restarts, pages 200, The club cornwall knows this table as north.
units left 0
club kept
nothing else is left"
found=$(cat "$ROOT/root/probe.log")
[ "$found" = "$expected" ] || {
	cat "$ROOT"/root/dies*.log "$ROOT"/root/nonsense.log 2>/dev/null || true
	diff <(printf '%s\n' "$expected") <(printf '%s\n' "$found") || true
	fail "in the booted system"
}
tail -n 1 "$ROOT/root/dies.log"
cat "$ROOT/root/measured.log"
say "all of it works in Debian $RELEASE"
