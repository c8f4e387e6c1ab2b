#!/usr/bin/env bash
# Looks for a newer Heelstone, installs it, or goes back, when the table's screen asks for it. It is
# run as root by heelstone-update.service.
#
# The table's own user asks with one of three words in a file. Nothing else of that file is used: no
# name, no place, no option. Where newer versions come from was noted by install.sh, which somebody
# ran as root. What is done and what came of it stands in a folder that only root writes.
set -euo pipefail
umask 022

# Only tests have their files elsewhere; a unit's environment is root's.
ROOT=${HEELSTONE_ROOT:-}
HOME_DIR=$ROOT/opt/heelstone
COPY=$HOME_DIR/source
ORIGIN=$HOME_DIR/origin
ASKED=$ROOT/var/lib/heelstone/update-wanted
OWN=$ROOT/var/lib/heelstone-update
LONGEST_S=900

word="" result="" why="" version="" commit="" day=""

tell() {
	printf '%s\n' "doing=$1" "asked=$word" "result=$result" "why=$why" "version=$version" \
		"commit=$commit" "day=$day" >"$OWN/state.new"
	sync -f "$OWN/state.new"
	mv -f "$OWN/state.new" "$OWN/state"
}

# $1: ok or failed, $2: the reason. The last word on what was asked.
ends() {
	result=$1 why=${2:-}
	tell ""
	rm -f "$OWN/step"
	trap - EXIT
	exit 0
}

# Whatever is in the copy, nothing of it is run by git.
in_copy() {
	GIT_TERMINAL_PROMPT=0 GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null \
		timeout "$LONGEST_S" git -C "$COPY" -c core.hooksPath=/dev/null \
		-c protocol.ext.allow=never "$@"
}

fetch() {
	local url branch
	url=$(sed -n 1p "$ORIGIN" 2>/dev/null || true)
	branch=$(sed -n 2p "$ORIGIN" 2>/dev/null || true)
	case $url in
	# What comes over http or git:// may be anybody's.
	https://* | ssh://* | *@*:* | file://* | /*) ;;
	# It came as a file, and so do newer ones.
	package) ends failed package ;;
	*) ends failed origin ;;
	esac
	if [ -z "$branch" ] || ! command -v git >/dev/null; then ends failed origin; fi
	printf 'fetching\n' >"$OWN/step"
	if [ -d "$COPY/.git" ] && newest "$url" "$branch"; then return; fi
	# The power may have gone while it was fetched.
	rm -rf "$COPY"
	git init -q "$COPY"
	newest "$url" "$branch" || ends failed network
}

newest() { in_copy fetch -q --depth 1 --no-tags --force -- "$1" "$2" 2>"$OWN/told"; }

look() {
	fetch
	version=$(in_copy show FETCH_HEAD:pyproject.toml |
		sed -n 's/^version = "\([0-9A-Za-z.+-]*\)"$/\1/p' | head -n 1)
	commit=$(in_copy rev-parse FETCH_HEAD)
	day=$(in_copy show -s --format=%cs FETCH_HEAD)
	[ -n "$version" ] || ends failed origin
	if [ "$commit" = "$(cat "$HOME_DIR/current/.commit" 2>/dev/null || true)" ]; then
		version="" commit="" day=""
	fi
}

update() {
	look
	[ -n "$version" ] || ends ok newest
	in_copy checkout -q --force --detach FETCH_HEAD
	in_copy clean -qfdx
	installs "$COPY/install.sh"
	version="" commit="" day=""
	ends ok
}

back() {
	local script=$HOME_DIR/current/install.sh
	[ -r "$script" ] || ends failed first
	installs "$script" --rollback
	ends ok
}

# The lock must not stay with what is started from here.
installs() {
	HEELSTONE_PROGRESS=$OWN/step bash "$@" >"$OWN/told" 2>&1 8>&- || ends failed "$(reason)"
}

# What install.sh said last, as a word; its sentences are for people at a terminal.
reason() {
	case $(grep '^install.sh: ' "$OWN/told" | tail -n 1) in
	*'is in use again'*) echo returned ;;
	*'at work already'*) echo busy ;;
	*'is there a network'*) echo network ;;
	*'free space'* | *'no room left'*) echo room ;;
	*'no version before'*) echo first ;;
	*'cannot read the journal'*) echo journal ;;
	*) echo other ;;
	esac
}

mkdir -p "$OWN"
exec 8>"$OWN/lock"
flock -w 60 8 || exit 0

# It is taken away first: nobody can change it any more, and a power cut does not repeat it.
rm -rf "$OWN/wanted"
mv -T "$ASKED" "$OWN/wanted" 2>/dev/null || exit 0
if [ -f "$OWN/wanted" ] && [ ! -L "$OWN/wanted" ]; then
	IFS= read -r -n 16 word <"$OWN/wanted" || true
fi
rm -rf "$OWN/wanted"
case $word in
look | update | back) ;;
*) exit 0 ;;
esac

trap 'ends failed other' EXIT
tell "$word"
case $word in
look) look ;;
update) update ;;
back) back ;;
esac
ends ok
