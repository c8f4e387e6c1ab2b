#!/usr/bin/env bash
# Looks for a newer Heelstone, installs it, or goes back, when the table's screen asks for it. It is
# run as root by heelstone-update.service.
#
# The table's own user asks with one of three words in a file. Nothing else of that file is used: no
# name, no place, no option. Where newer versions come from, and whose signatures count, was noted by
# install.sh, which somebody ran as root. Only a tag that is signed so and newer than what is in use
# is offered, and it is checked again before it is installed; the one way to an older version is the
# word "back". What is done and what came of it stands in a folder that only root writes.
set -euo pipefail
umask 022

# Only tests have their files elsewhere; a unit's environment is root's.
ROOT=${HEELSTONE_ROOT:-}
HOME_DIR=$ROOT/opt/heelstone
COPY=$HOME_DIR/source
ORIGIN=$HOME_DIR/origin
SIGNERS=$HOME_DIR/signers
ASKED=$ROOT/var/lib/heelstone/update-wanted
OWN=$ROOT/var/lib/heelstone-update
LONGEST_S=900
# So many of the newest tags are looked at; somebody may have pushed some that nobody signed.
MOST_TAGS=5

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

# The newest version that is newer than the one in use and signed.
look() {
	local url installed newer name
	url=$(sed -n 1p "$ORIGIN" 2>/dev/null || true)
	case $url in
	# What comes over http or git:// may be anybody's.
	https://* | ssh://* | *@*:* | file://* | /*) ;;
	# It came as a file, and so do newer ones.
	package) ends failed package ;;
	*) ends failed origin ;;
	esac
	command -v git >/dev/null || ends failed origin
	if [ ! -s "$SIGNERS" ] || [ ! -O "$SIGNERS" ]; then ends failed key; fi
	[ -e "$HOME_DIR/current" ] || ends failed other
	printf 'fetching\n' >"$OWN/step"
	[ -d "$COPY/.git" ] || git init -q "$COPY"
	list "$url" || ends failed network
	installed=$(basename "$(readlink "$HOME_DIR/current")")
	installed=${installed#*-}
	newer=$(newer "${installed%%[!0-9.]*}")
	[ -n "$newer" ] || return 0
	for name in $newer; do
		if ! fetch "$url" "$name"; then
			# The power may have gone while it was fetched.
			rm -rf "$COPY"
			git init -q "$COPY"
			fetch "$url" "$name" || ends failed network
		fi
		if signed "$name"; then
			version=$name
			day=$(in_copy show -s --format=%cs "$commit")
			return 0
		fi
	done
	commit=""
	ends failed signature
}

# Whoever has the origin says how much it lists; the limit is in kB.
list() (
	ulimit -f 1000
	in_copy ls-remote -- "$1" HEAD 'refs/tags/v*' >"$OWN/tags" 2>"$OWN/told" && [ -s "$OWN/tags" ]
)

# $1: a version. The newest of the listed ones that are newer.
newer() {
	local all name number=0
	all=$(sed -n 's|^[0-9a-f]*\trefs/tags/v\([0-9][0-9.]\{0,30\}\)$|\1|p' "$OWN/tags" | sort -Vru)
	for name in $all; do
		if [ "$number" = "$MOST_TAGS" ] || printf '%s\n' "$name" "$1" | sort -VC; then break; fi
		printf '%s\n' "$name"
		number=$((number + 1))
	done
}

fetch() {
	in_copy fetch -q --depth 1 --no-tags --force -- "$1" "refs/tags/v$2:refs/tags/v$2" \
		2>"$OWN/told"
}

# $1: a version. Whether its tag, of that name inside as well, is signed with a noted key and leads to
# that version; a signature of another one proves nothing. Sets commit.
signed() {
	local tag
	tag=$(in_copy rev-parse --verify -q "refs/tags/v$1") || return 1
	in_copy -c gpg.ssh.allowedSignersFile="$SIGNERS" -c gpg.minTrustLevel=fully \
		-c gpg.program=false -c gpg.x509.program=false verify-tag "$tag" 2>"$OWN/told" || return 1
	in_copy cat-file tag "$tag" >"$OWN/tag" || return 1
	[ "$(sed -n '/^$/q; s/^tag //p' "$OWN/tag")" = "v$1" ] || return 1
	commit=$(in_copy rev-parse --verify -q "$tag^{commit}") || return 1
	in_copy show "$commit:pyproject.toml" >"$OWN/tag" 2>"$OWN/told" || return 1
	[ "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$OWN/tag")" = "$1" ]
}

update() {
	look
	[ -n "$version" ] || ends ok newest
	in_copy checkout -q --force --detach "$commit"
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
