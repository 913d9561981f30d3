# shellcheck shell=bash
# Processes by name. A file holds "pid start-time", so that a number that was given anew is never taken for ours. All of them carry
# the cluster's folder in their environment as well, by which they are found when nobody lived to write the file.
start_time() { awk '{ sub(/.*\) /, ""); if ($1 != "Z") print $20 }' "/proc/$1/stat" 2>/dev/null; }

alive() {
	local pid began
	read -r pid began 2>/dev/null <"$RUN/pid/$1" || return 1
	[ -n "$began" ] && [ "$(start_time "$pid")" = "$began" ]
}

process_of() { cut -d' ' -f1 "$RUN/pid/$1"; }

forget_dead() {
	local file
	for file in "$RUN"/pid/*; do [ ! -e "$file" ] || alive "${file##*/}" || rm -f "$file"; done
}

start() { # name command…
	local name=$1
	shift
	! alive "$name" || return 0
	setsid ${REENACT_CLUSTER_NICE:+nice -n "$REENACT_CLUSTER_NICE"} "$@" </dev/null >>"$LOG/$name.log" 2>&1 &
	echo "$! $(start_time $!)" >"$RUN/pid/$name.part"
	mv "$RUN/pid/$name.part" "$RUN/pid/$name"
}

# What a name stands for in the end: not nsenter or unshare, which only wait for what they started inside.
target_of() { # pid
	local child=''
	case $(cat "/proc/$1/comm" 2>/dev/null) in
	nsenter | unshare) child=$(tr -d ' ' <"/proc/$1/task/$1/children") ;;
	esac
	echo "${child:-$1}"
}

stop() { # name [KILL]
	local pid began i
	if alive "$1"; then
		pid=$(target_of "$(process_of "$1")")
		began=$(start_time "$pid")
		kill "-${2:-TERM}" "$pid" 2>/dev/null || :
		for i in $(seq 100); do
			[ "$(start_time "$pid")" = "$began" ] || break
			[ "$i" != 60 ] || kill -KILL "$pid" 2>/dev/null || :
			sleep 0.1
		done
		for i in $(seq 20); do ! alive "$1" || sleep 0.1; done
	fi
	rm -f "$RUN/pid/$1"
}

# Tries a command until it succeeds; everything that was started has to live meanwhile.
wait_for() { # seconds words command…
	local limit=$1 words=$2 began=$SECONDS file
	shift 2
	until "$@" >/dev/null 2>&1; do
		[ $((SECONDS - began)) -lt $((limit * ${REENACT_CLUSTER_PATIENCE:-1})) ] || die "not in time: $words (logs: $LOG)"
		for file in "$RUN"/pid/*; do
			case $file in *.part) continue ;; esac
			alive "${file##*/}" || { tail -n 5 "$LOG/${file##*/}.log" >&2; die "${file##*/} ended (logs: $LOG)"; }
		done
		sleep 0.3
	done
	say "$words"
}

# Processes that carry the cluster's mark, without this one and those below it.
marked_processes() {
	local file pid
	for file in $(grep -lzxF "REENACT_CLUSTER_MARK=$RUN" /proc/[0-9]*/environ 2>/dev/null || :); do
		pid=${file#/proc/}
		pid=${pid%/environ}
		! is_someone_else "$pid" || echo "$pid"
	done
}

# Neither this shell nor below it, nor gone meanwhile.
is_someone_else() { # pid
	local pid=$1
	while [ "${pid:-0}" -gt 1 ]; do
		[ "$pid" != $$ ] || return 1
		pid=$(awk '{ sub(/.*\) /, ""); print $2 }' "/proc/$pid/stat" 2>/dev/null) || return 1
	done
}

kill_marked() {
	local i pid left
	for i in $(seq 100); do
		left=$(marked_processes)
		[ -n "$left" ] || return 0
		for pid in $left; do kill -KILL "$pid" 2>/dev/null || :; done
		sleep 0.1
	done
	die "processes do not end: $left"
}
