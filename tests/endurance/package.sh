#!/usr/bin/env bash
# The Debian package in a fresh Debian that is booted for it, without a network: installed, upgraded in
# the middle of a match, upgraded to a version that does not start, cut off, removed and purged.
#
#   sudo tests/endurance/package.sh [bookworm|trixie]
#
# Needs debootstrap, systemd-nspawn and dpkg-deb; takes about twenty minutes and 4 GB below /var/tmp.
# WHEELS is a folder for the wheels, which are fetched once (default out/wheels); FRESH a folder with a
# fresh Debian, instead of one that is fetched.
set -euo pipefail

RELEASE=${1:-bookworm}
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
WHEELS=${WHEELS:-$SOURCE/out/wheels}
PARTS=ca-certificates,systemd,systemd-sysv,dbus,python3,udev,util-linux,procps
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
ROOT=$(mktemp -d /var/tmp/heelstone-XXXXXX)
chmod 755 "$ROOT"
MACHINE=hp$$
ARCHITECTURE=$(dpkg --print-architecture)
if [ "$RELEASE" = bookworm ]; then SUFFIX=+deb12; else SUFFIX=+deb13; fi

say() { printf '== %s\n' "$*"; }
fail() {
	printf 'FAILED: %s\n' "$*" >&2
	exit 1
}
inside() { chroot "$ROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
umount_in() { umount -q "$ROOT/dev/pts" "$ROOT/dev" "$ROOT/proc" 2>/dev/null || true; }
clean() {
	local process
	for process in /proc/[0-9]*; do
		if [ "$(readlink "$process/root" 2>/dev/null)" = "$ROOT" ]; then
			kill -KILL "${process#/proc/}" 2>/dev/null || true
		fi
	done
	ip link delete "ve-$MACHINE" 2>/dev/null || true
	umount_in
	rm -rf --one-file-system "$ROOT" "$ROOT.log" "$ROOT.source"
}
trap clean EXIT

say "a fresh Debian $RELEASE"
if [ -n "${FRESH:-}" ]; then
	cp -a "$FRESH/." "$ROOT"
else
	debootstrap --variant=minbase --include="$PARTS" "$RELEASE" "$ROOT" >"$ROOT.log" 2>&1 || {
		tail -n 5 "$ROOT.log"
		fail "debootstrap"
	}
fi

say "three versions: this one, a newer one, and one that does not start"
mkdir "$ROOT.source"
tar -C "$SOURCE" --exclude='./.*' --exclude=./out --exclude='__pycache__' -c . |
	tar -C "$ROOT.source" -x
# $1: a version.
packs() {
	sed -i "s/^version = .*/version = \"$1\"/" "$ROOT.source/pyproject.toml"
	SOURCE_DATE_EPOCH=1800000000 python3 "$SOURCE/systemd/package.py" --system "$RELEASE" \
		--machine "$ARCHITECTURE" --source "$ROOT.source" --wheels "$WHEELS" --out "$ROOT/srv" \
		>/dev/null
	mv "$ROOT/srv/heelstone_$1${SUFFIX}_$ARCHITECTURE.deb" "$ROOT/srv/$1.deb"
}
packs 9.1
cp "$ROOT/srv/9.1.deb" "$ROOT/srv/first.deb"
packs 9.1
cmp "$ROOT/srv/9.1.deb" "$ROOT/srv/first.deb" || fail "the same source made another file"
rm "$ROOT/srv/first.deb"
packs 9.2
sed -i 's/^    house = Application(settings, .*/    raise OSError(5, "broken on purpose")/' \
	"$ROOT.source/companion/app/service.py"
grep -q 'broken on purpose' "$ROOT.source/companion/app/service.py" || fail "nothing was broken"
packs 9.3

say "what the package depends on is fetched, and nothing else"
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
cp "$CERTIFICATES" "$ROOT$CERTIFICATES"
mount --bind /proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
mount --bind /dev/pts "$ROOT/dev/pts"
{
	inside apt-get -q update
	inside apt-get -q -y --no-install-recommends install iproute2 libpam-systemd
	inside apt-get -q -y --download-only install /srv/9.1.deb
} >"$ROOT.log" 2>&1 || {
	tail -n 20 "$ROOT.log"
	fail "apt finds not all that the package depends on"
}
umount_in

cat >"$ROOT/srv/begin.py" <<'BEGIN'
from pathlib import Path

from companion.journal.entries import Header
from companion.journal.store import Journal

with Journal(Path("/var/lib/heelstone/journal.db")) as journal:
    journal.create(Header("m1", "knizia_stonehenge", 2, {}, False, "1", ("", ""), "enforce", 0.0))
BEGIN
cat >"$ROOT/root/phones.py" <<'PHONES'
"""Two phones play at the table in its unit: so many moves, or ``end`` for the rest of the match."""
import http.client
import json
import random
import subprocess
import sys
import time
from pathlib import Path

KEPT = Path("/root/phones.json")
cookies = json.loads(KEPT.read_text()) if KEPT.exists() else {}


def ask(method, path, body=None, cookie=""):
    headers = {"Cookie": cookie, "X-Heelstone": "1", "Content-Type": "application/json"}
    for _ in range(200):
        line = http.client.HTTPConnection("127.0.0.1", 8750, timeout=20)
        try:
            line.request(method, path, json.dumps(body) if body else None, headers)
            reply = line.getresponse()
            if reply.status != 429:
                return reply.status, reply.headers, json.loads(reply.read() or b"{}")
        except OSError:
            pass
        time.sleep(0.3)
    sys.exit("the page does not answer")


def phones(*words):
    done = subprocess.run(["heelstone", "phones", *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[0]) if done.stdout else sys.exit(done.stderr)


def public():
    return ask("GET", "/api/table")[2]


while public().get("match") is None:
    time.sleep(0.5)
for seat in (0, 1):
    if str(seat) not in cookies:
        token = phones("code", str(seat + 1))["link"].partition("#")[2]
        status, headers, _ = ask("POST", "/api/claim", {"token": token})
        if status != 200:
            sys.exit(f"a code was refused: {status}")
        cookies[str(seat)] = headers["Set-Cookie"].partition(";")[0]
        phones("yes", str(seat + 1))
chance, now = random.Random(7), public()
if now["ply"] < cookies.get("ply", 0):
    sys.exit(f"{now['ply']} moves are left of {cookies['ply']}")
wanted = float("inf") if sys.argv[1] == "end" else now["ply"] + int(sys.argv[1])
while now["ply"] < wanted and now["outcome"] is None:
    for seat in (0, 1):
        status, _, seen = ask("GET", "/api/hand", cookie=cookies[str(seat)])
        if status != 200:
            sys.exit(f"the phone of seat {seat + 1} is no longer let in: {status}")
        ply = seen["public"]["ply"]
        if ply < wanted and seen.get("may_play") and seen["moves"]:
            move = chance.choice(seen["moves"])["move"]
            asked = {"match": seen["match"], "since": seen["changes"], "moves": [move]}
            ask("POST", "/api/moves", asked, cookies[str(seat)])
            # A move that is not shown yet would be followed by one too many.
            for _ in range(600):
                if public()["ply"] > ply:
                    break
                time.sleep(0.1)
    # A move may bring others, which the table makes by itself.
    now = public()
    time.sleep(0.2)
KEPT.write_text(json.dumps({**cookies, "ply": now["ply"]}))
print("the match is over" if now["outcome"] else f"{sys.argv[1]} more moves")
PHONES
cat >"$ROOT/root/probe.sh" <<'PROBE'
#!/usr/bin/env bash
export DEBIAN_FRONTEND=noninteractive
told() { systemctl show "$1" -p "$2" --value; }
apt_it() { apt-get -q -y "$@" >/root/apt.log 2>&1; }
# What dpkg says, what is in use, and what runs.
stands() {
	local _
	for _ in $(seq 30); do
		[ "$(told heelstone-table ActiveState)" = activating ] || break
		sleep 1
	done
	echo "$(dpkg-query -W -f='${db:Status-Status} ${Version}' heelstone)," \
		"in use $(readlink /opt/heelstone/current | cut -d- -f2), table $(told heelstone-table ActiveState)"
}
ip link set host0 up
ip address add 10.213.78.2/24 dev host0
echo "ways out: $(ip route show default | wc -l)"

# What is chosen before the first installation.
mkdir -p /etc/heelstone
printf 'HEELSTONE_TABLE="--game knizia_stonehenge"\n' >/etc/heelstone/table.env
printf '[web]\nenabled = true\n' >/etc/heelstone/settings.toml
apt_it install /srv/9.1.deb || tail -n 20 /root/apt.log
echo "first: $(stands)"
systemctl stop heelstone-table
rm -f /var/lib/heelstone/journal.db*
runuser -u heelstone -- /opt/heelstone/current/bin/python /srv/begin.py
systemctl start heelstone-table
echo "played: $(python3 /root/phones.py 10)"

apt_it install /srv/9.2.deb || tail -n 20 /root/apt.log
echo "upgraded in the middle: $(stands)"
echo "and played on with the same phones: $(python3 /root/phones.py 10)"
printf look | runuser -u heelstone -- tee /var/lib/heelstone/update-wanted >/dev/null
sleep 5
echo "the screen's button: $(grep -E '^(result|why)=' /var/lib/heelstone-update/state | tr '\n' ' ')"

apt_it install /srv/9.3.deb && echo "a version that does not start was installed"
echo "broken: $(stands)"
grep -ho 'the version before is in use again' /root/apt.log | head -n 1
dpkg --configure heelstone >/root/again.log 2>&1 && echo "the second time it was installed"
echo "tried again: $(stands), $(python3 /root/phones.py 5)"
apt_it install --allow-downgrades /srv/9.2.deb || tail -n 20 /root/apt.log
echo "mended by one command: $(stands), $(python3 /root/phones.py 5)"

# As when the power goes, but for the disk.
systemd-run -q --unit=cut apt-get -q -y install --allow-downgrades /srv/9.1.deb
until [ -d /opt/heelstone/building/companion ]; do sleep 0.2; done
systemctl kill --signal=KILL cut.service
echo "cut off: $(stands)"
dpkg --configure -a >/root/again.log 2>&1 || tail -n 20 /root/again.log
echo "dpkg --configure -a: $(stands), $(python3 /root/phones.py 1)"
echo "half-built: $(find /opt/heelstone/releases -mindepth 1 -maxdepth 1 | wc -l) versions," \
	"$(find /opt/heelstone -maxdepth 1 -name building | wc -l) left over"
apt_it install /srv/9.2.deb || tail -n 20 /root/apt.log
python3 /root/phones.py end
echo "the table says so: $(heelstone matches --json | grep -c '"id": "m1"')"

bash /usr/lib/heelstone/install.sh --uninstall 2>&1 | grep -o 'sudo apt remove heelstone'
apt_it remove heelstone || tail -n 20 /root/apt.log
echo "removed: $(dpkg-query -W -f='${db:Status-Status}' heelstone)," \
	"units $(find /etc/systemd/system -name 'heelstone*' | wc -l)," \
	"$(find /opt /usr/local /usr/lib -iname '*heelstone*' | wc -l) files," \
	"journal $(find /var/lib/heelstone -name journal.db | wc -l)"
apt_it install /srv/9.2.deb || tail -n 20 /root/apt.log
echo "back: $(stands), match $(heelstone matches --json | grep -c '"id": "m1"')"
apt_it purge heelstone || tail -n 20 /root/apt.log
left() {
	find / -xdev -iname '*heelstone*' -not -path '/root/*' -not -path '/srv/*' -not -path '/proc/*' \
		-not -path '/etc/systemd/system/probe*'
	grep -h heelstone /etc/passwd /etc/group /etc/shadow
}
left
echo "purged"

# As most have it: with a screen. There is none here; cage draws into the air.
install -d /etc/systemd/system/heelstone.service.d
printf '[Service]\nEnvironment=%s\n' "WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 \
WLR_RENDERER=pixman LIBGL_ALWAYS_SOFTWARE=1" >/etc/systemd/system/heelstone.service.d/air.conf
apt_it install /srv/9.2.deb || tail -n 20 /root/apt.log
echo "with a screen: $(dpkg-query -W -f='${db:Status-Status}' heelstone)," \
	"$(told heelstone ActiveState), $(told heelstone StatusText)"
apt_it purge heelstone || tail -n 20 /root/apt.log
left
# And where it cannot start yet, dpkg gets done all the same.
apt_it install /srv/9.2.deb || tail -n 20 /root/apt.log
echo "without any: $(dpkg-query -W -f='${db:Status-Status}' heelstone)," \
	"$(systemctl is-enabled heelstone), $(grep -o 'it is tried again and again' /root/apt.log)"
apt_it purge heelstone || tail -n 20 /root/apt.log
left
echo "nothing else is left"
poweroff 2>/dev/null
PROBE
cat >"$ROOT/etc/systemd/system/probe.service" <<'UNIT'
[Service]
Type=exec
Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
ExecStart=/bin/bash /root/probe.sh
StandardOutput=file:/root/probe.log
UNIT
mkdir -p "$ROOT/etc/systemd/system/multi-user.target.wants"
ln -s ../probe.service "$ROOT/etc/systemd/system/multi-user.target.wants/probe.service"

say "booted, with no way out"
# systemd filters addresses only where control groups are those of version 2.
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout 3600 systemd-nspawn --register=no --keep-unit -q \
	--network-veth -M "$MACHINE" --system-call-filter=bpf --capability=CAP_BPF --console=pipe \
	-b -D "$ROOT" >/dev/null 2>&1 &
machine=$!
for _ in $(seq 100); do
	if ip link show "ve-$MACHINE" >/dev/null 2>&1; then break; fi
	sleep 0.2
done
# The cable has two ends.
ip link set "ve-$MACHINE" up
wait "$machine" || true
first="in use 9.1, table active"
second="in use 9.2, table active"
expected="ways out: 0
first: installed 9.1$SUFFIX, $first
played: 10 more moves
upgraded in the middle: installed 9.2$SUFFIX, $second
and played on with the same phones: 10 more moves
the screen's button: result=failed why=package 
broken: half-configured 9.3$SUFFIX, $second
the version before is in use again
tried again: half-configured 9.3$SUFFIX, $second, 5 more moves
mended by one command: installed 9.2$SUFFIX, $second, 5 more moves
cut off: half-configured 9.1$SUFFIX, $second
dpkg --configure -a: installed 9.1$SUFFIX, $first, 1 more moves
half-built: 2 versions, 0 left over
the match is over
the table says so: 1
sudo apt remove heelstone
removed: config-files, units 0, 0 files, journal 1
back: installed 9.2$SUFFIX, $second, match 1
purged
with a screen: installed, active, at the table
without any: installed, enabled, it is tried again and again
nothing else is left"
found=$(cat "$ROOT/root/probe.log")
[ "$found" = "$expected" ] || {
	tail -n 15 "$ROOT/root/apt.log" "$ROOT/root/again.log" "$ROOT/var/log/heelstone-install.log" 2>/dev/null || true
	diff <(printf '%s\n' "$expected") <(printf '%s\n' "$found") || true
	fail "in the booted system"
}
say "all of it works in Debian $RELEASE"
