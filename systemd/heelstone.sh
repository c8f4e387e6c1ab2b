#!/bin/sh
# The command "heelstone" of an installed table. Root speaks of the table's own journal and settings,
# as the table's own user: a file that root left there could not be written by the table any more.
PROGRAM=/opt/heelstone/current/bin/heelstone
if [ "$(id -u)" = 0 ]; then
	exec runuser -u heelstone -- env STATE_DIRECTORY=/var/lib/heelstone \
		CONFIGURATION_DIRECTORY=/etc/heelstone RUNTIME_DIRECTORY=/run/heelstone \
		HOME=/var/lib/heelstone "$PROGRAM" "$@"
fi
exec "$PROGRAM" "$@"
