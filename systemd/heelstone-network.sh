#!/usr/bin/env bash
# Opens the network to the table, shuts it, and joins a Wi-Fi. It is run as root.
#
#   sudo heelstone network                 say what is open
#   sudo heelstone network allow HOST …    let the table reach a club or a broker outside of the house
#   sudo heelstone network forbid HOST …   and no longer
#
# heelstone-network.service calls it with "asked": the table's own user asks with one word in a file.
# "open" is the local network and "closed" none: what lies outside only root names. What is open stands
# in a drop-in of the table's units, and systemd does as it says at once, while a match goes on. "look"
# asks which Wi-Fi there is, and "join", with its name and its key in hexadecimal, that NetworkManager
# joins it. Nothing else of that file is used.
set -euo pipefail
umask 022
# Sentences of nmcli are compared.
export LC_ALL=C

# Only tests have their files elsewhere; a unit's environment is root's.
ROOT=${HEELSTONE_ROOT:-}
UNITS=$ROOT/etc/systemd/system
ASKED=$ROOT/var/lib/heelstone/network-wanted
OWN=$ROOT/var/lib/heelstone-network
OUTSIDE=$ROOT/etc/heelstone/outside
# Where NetworkManager has what it may join; those of the screen are called heelstone-….
WIFI=$ROOT/etc/NetworkManager/system-connections
TABLES=(heelstone.service heelstone-table.service)
RESOLVERS=$ROOT/etc/resolv.conf
# Networks that no router passes on: RFC 1918, link-local, and unique local addresses (RFC 4193).
LOCAL="10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fe80::/64 fc00::/7"

fail() {
	printf 'heelstone network: %s\n' "$*" >&2
	exit 1
}

# $1: a file; what comes in is written there, whole or not at all.
keep() {
	cat >"$1.new"
	sync "$1.new"
	mv -fT "$1.new" "$1"
}

is_open() { [ "$(cat "$OWN/state" 2>/dev/null || true)" = open ]; }
outside() { cat "$OUTSIDE" 2>/dev/null || true; }
is_number() {
	python3 -c 'import ipaddress, sys; ipaddress.ip_network(sys.argv[1], False)' "$1" 2>/dev/null
}
# $1: an address. Whether the local network has it already.
is_local() {
	# shellcheck disable=SC2086
	python3 -c 'import ipaddress, sys
asked, *near = (ipaddress.ip_network(word, False) for word in sys.argv[1:])
sys.exit(not any(asked.version == net.version and asked.subnet_of(net) for net in near))' \
		"$1" $LOCAL 127.0.0.0/8 ::1 2>/dev/null
}

# $1: a host. Its addresses now; nothing if nobody knows it.
addresses() {
	if is_number "$1"; then
		printf '%s\n' "$1"
	else
		getent ahosts "$1" | awk '{print $1}' | sort -u || true
	fi
}

# $1: a host, $2: a drop-in. The addresses that it had when that was written.
noted() { awk -v host="# $1" '/^#/ {found = ($0 == host); next} found {print}' "$2" 2>/dev/null || true; }

# $1: the drop-in as it is now. Prints the new one; nothing if all is shut.
rules() {
	local host found names=""
	is_open || return 0
	printf '%s\n' '# Written by "heelstone network", as somebody turned on something that needs it.' \
		'[Service]' "IPAddressAllow=$LOCAL"
	while read -r host; do
		printf '# %s\n' "$host"
		is_number "$host" || names=yes
		found=$(addresses "$host" | sed 's/^/IPAddressAllow=/')
		# While nobody answers the addresses of before still hold.
		printf '%s\n' "${found:-$(noted "$host" "$1")}"
	done < <(outside)
	if [ -n "$names" ]; then
		printf '# who knows names\n'
		awk '$1 == "nameserver" {sub(/%.*/, "", $2); print "IPAddressAllow=" $2}' "$RESOLVERS"
	fi
}

# Makes it so.
apply() {
	local unit file new version changed=""
	for unit in "${TABLES[@]}"; do
		file=$UNITS/$unit.d/network.conf
		new=$(rules "$file")
		if [ "$new" = "$(cat "$file" 2>/dev/null || true)" ]; then continue; fi
		changed=yes
		if [ -n "$new" ]; then
			mkdir -p "$UNITS/$unit.d"
			printf '%s\n' "$new" | keep "$file"
		else
			rm -f "$file"
		fi
	done
	if [ -z "$changed" ] || [ ! -d "$ROOT/run/systemd/system" ]; then return; fi
	systemctl daemon-reload
	# Debian 12's systemd does as a drop-in says at once; Debian 13's only looks at it again for what
	# runs already if something is set, which is so anyway.
	version=$(systemctl --version | awk 'NR == 1 {print $2}')
	if [ "${version%%[!0-9]*}" -lt 254 ]; then return; fi
	for unit in "${TABLES[@]}"; do
		systemctl set-property --runtime "$unit" IPAddressDeny=0.0.0.0/0
	done
}

# It is taken away first: nobody can change it any more, and a power cut does not repeat it.
asked() {
	local word="" name="" key=""
	rm -rf "$OWN/wanted"
	if mv -T "$ASKED" "$OWN/wanted" 2>/dev/null && [ -f "$OWN/wanted" ] && [ ! -L "$OWN/wanted" ]; then
		{
			IFS= read -r -n 16 word
			# The end of the line is one more.
			IFS= read -r -n 65 name
			IFS= read -r -n 126 key
		} <"$OWN/wanted" || true
	fi
	rm -rf "$OWN/wanted"
	case $word in
	open | closed) printf '%s\n' "$word" | keep "$OWN/state" ;;
	look) tell_wifi "" ;;
	join) tell_wifi "$(join "$name" "$key")" ;;
	esac
}

# $1: what became of joining. Names are told in hexadecimal: they may hold anything.
tell_wifi() {
	{
		printf 'result=%s\n' "$1"
		nmcli -g SSID-HEX,SIGNAL,SECURITY,IN-USE device wifi list --rescan yes 2>/dev/null | head -n 60 || true
	} | keep "$OWN/wifi"
}

# $1: a name of up to 32 bytes, $2: a key of 8 to 63 signs, or nothing. Says what became of it. The
# Wi-Fi of before is given up only when the new one is joined; a key is on no command line.
join() {
	local name key how byte told others id
	if [[ ! $1 =~ ^([0-9a-f]{2})+$ || $1 =~ ^(..)*00 || ! $2 =~ ^(([2-7][0-9a-f]){8,63})?$ ]]; then return; fi
	how=$(nmcli -g SSID-HEX,SECURITY device wifi list --rescan no 2>/dev/null | grep -i -m 1 "^$1:" || true)
	if [[ $how = *WPA3* && $how != *WPA2* ]]; then how=sae; else how=wpa-psk; fi
	printf -v key '%b' "${2//??/\\x&}"
	key=${key//\\/\\\\}
	id=heelstone-$(date +%s%N)
	{
		printf '[connection]\nid=%s\ntype=wifi\n[wifi]\nssid=' "$id"
		for byte in ${1//??/ 0x&}; do printf '%d;' "$byte"; done
		if [ -n "$key" ]; then
			printf '\n[wifi-security]\nkey-mgmt=%s\npsk=%s' "$how" "${key/#' '/\\s}"
		fi
		printf '\n[ipv4]\nmethod=auto\n[ipv6]\nmethod=auto\n'
	} | (umask 077 && keep "$WIFI/$id.nmconnection")
	others=$(nmcli -g NAME connection show | grep '^heelstone-[0-9]*$' || true)
	nmcli connection load "$WIFI/$id.nmconnection" >/dev/null 2>&1 || true
	if told=$(nmcli --wait 60 connection up "$id" 2>&1); then
		for name in $others; do nmcli connection delete "$name" >/dev/null 2>&1 || true; done
		echo ok
		return
	fi
	nmcli connection delete "$id" >/dev/null 2>&1 || true
	rm -f "$WIFI/$id.nmconnection"
	case $told in
	*[Ss]ecrets*) echo key ;;
	*'could not be found'*) echo gone ;;
	*) echo other ;;
	esac
}

allow() {
	local host found
	for host; do
		[[ $host =~ ^[0-9A-Za-z.:/_-]{1,253}$ ]] || fail "'$host' is no name and no address"
		if [[ $host = localhost || $host = *.local ]]; then continue; fi
		found=$(addresses "$host")
		[ -n "$found" ] || fail "nobody knows '$host'; is it written correctly, and is there a network?"
		while read -r address; do
			if ! is_local "$address" && ! outside | grep -qxF -- "$host"; then
				{ outside; printf '%s\n' "$host"; } | sort -u | keep "$OUTSIDE"
			fi
		done <<<"$found"
	done
	apply
	if [ -d "$ROOT/run/systemd/system" ] && [ -e "$OUTSIDE" ]; then
		systemctl start heelstone-network.timer
	fi
}

forbid() {
	local host
	for host; do
		outside | grep -qxF -- "$host" || fail "'$host' was not allowed"
		outside | grep -vxF -- "$host" | keep "$OUTSIDE" || true
	done
	if [ ! -s "$OUTSIDE" ]; then rm -f "$OUTSIDE"; fi
	apply
}

tell() {
	local host
	if is_open; then
		echo "open: the table and its local network reach each other"
	else
		echo "closed: nothing is turned on at the table that needs a network"
	fi
	while read -r host; do echo "outside: $host"; done < <(outside)
}

[ "$(id -u)" = 0 ] || fail "this must be run as root: sudo heelstone network"
mkdir -p "$OWN"
exec 8>"$OWN/lock"
flock -w 60 8 || fail "it is at work already; please try again"
case ${1:-} in
asked)
	asked
	apply
	;;
allow | forbid)
	[ $# -gt 1 ] || fail "$1 needs a name or an address"
	"$@"
	tell
	;;
"")
	# Whatever waits is done first, should the unit that waits for it not run.
	asked
	apply
	tell
	;;
*) fail "'$1' is neither allow nor forbid" ;;
esac
