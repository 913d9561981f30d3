#!/usr/bin/env bash
# Kills `cluster.sh up` at random moments and looks whether `down` leaves the machine as it was.
#
#   check-teardown.sh [ROUNDS [MOST-SECONDS]]      (3 rounds, killed after at most 15 seconds)
#
# Every third round the killed `up` is repeated first, which has to succeed; every fourth, the first `down` is killed too.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROUNDS=${1:-3} MOST=${2:-15}
REENACT_CLUSTER=$(mktemp -d /tmp/rk-XXXXXX)
rmdir "$REENACT_CLUSTER"
export REENACT_CLUSTER
log=$(mktemp)
trap 'rm -f "$log"' EXIT

cluster() { bash "$HERE/cluster.sh" "$@"; }

kill_after() { # milliseconds command… ; kills the shell alone or with all of its group
	local milliseconds=$1 pid
	shift
	setsid bash "$HERE/cluster.sh" "$@" >"$log" 2>&1 &
	pid=$!
	sleep "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))"
	if [ $((RANDOM % 2)) = 0 ]; then kill -KILL "$pid" 2>/dev/null || :; else kill -KILL "-$pid" 2>/dev/null || :; fi
	wait "$pid" 2>/dev/null || :
}

failed=0
for round in $(seq "$ROUNDS"); do
	milliseconds=$((RANDOM * MOST * 1000 / 32768))
	before=$(cluster machine)
	kill_after "$milliseconds" up
	reached=$(tail -n 1 "$log")
	[ $((round % 3)) != 0 ] || cluster up >"$log" 2>&1 || { echo "✖ round $round: up after a killed up failed: $(tail -n 1 "$log")"; failed=1; }
	[ $((round % 4)) != 0 ] || kill_after $((RANDOM % 1000)) down
	cluster down
	after=$(cluster machine)
	if [ "$before" = "$after" ]; then
		echo "✔ round $round: killed after $milliseconds ms (${reached:-nothing said yet}), nothing is left"
	else
		echo "✖ round $round: killed after $milliseconds ms (${reached:-nothing said yet}), the machine changed:"
		diff <(echo "$before") <(echo "$after") || :
		failed=1
	fi
done
exit $failed
