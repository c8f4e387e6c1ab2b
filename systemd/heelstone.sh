#!/bin/sh
# The command "heelstone" of an installed table. Root speaks of the table's own journal and settings,
# as the table's own user: a file that root left there could not be written by the table any more.
PROGRAM=/opt/heelstone/current/bin/heelstone
NETWORK=/usr/local/lib/heelstone/network
HALL=/var/lib/heelstone-club

as_table() {
	runuser -u heelstone -- env STATE_DIRECTORY=/var/lib/heelstone \
		CONFIGURATION_DIRECTORY=/etc/heelstone RUNTIME_DIRECTORY=/run/heelstone \
		HOME=/var/lib/heelstone "$PROGRAM" "$@"
}

# $1: what the club made for this table; only root may be able to read it. The club may be outside of
# the house, and who holds its key says that the table may go there.
join() {
	[ -r "$1" ] || exec "$PROGRAM" club join "$1"
	as_table club join - <"$1" || exit
	servers=$(sed -n 's/^servers = //p' "$1" | grep -oE '(nats|tls)://(\[[^]]*\]|[^]":/]+)' |
		sed 's,^[a-z]*://,,; s/[][]//g')
	# shellcheck disable=SC2086
	if [ -n "$servers" ]; then "$NETWORK" allow $servers >/dev/null || exit; fi
	restart
}

# What the table belongs to is looked up at its start; a match under way goes on.
restart() {
	if [ -d /run/systemd/system ]; then
		systemctl try-restart heelstone.service heelstone-table.service
	fi
}

if [ "$(id -u)" != 0 ]; then exec "$PROGRAM" "$@"; fi
case "${1:-} ${2:-}" in
"network "*)
	shift
	exec "$NETWORK" "$@"
	;;
"club join") if [ $# = 3 ]; then join "$3"; else as_table "$@"; fi ;;
# The settings are root's, and the table's user reads them by its group.
"settings set")
	CONFIGURATION_DIRECTORY=/etc/heelstone runuser -u root -g heelstone -- "$PROGRAM" "$@" && restart
	;;
"club leave") as_table "$@" && restart ;;
# The computer of a club, where its own user has settings and keys.
"club "*)
	exec runuser -u heelstone-club -- env -C "$HALL" HOME="$HALL" "$PROGRAM" "$@"
	;;
*) as_table "$@" ;;
esac
