# Processes by name. A file holds "pid start-time", so that a number that was given anew is never taken for ours.
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
	echo "$! $(start_time $!)" >"$RUN/pid/$name"
}

stop() { # name
	local pid i
	if alive "$1"; then
		pid=$(process_of "$1")
		kill -TERM "$pid" 2>/dev/null || :
		for i in $(seq 100); do
			alive "$1" || break
			[ "$i" != 60 ] || kill -KILL "$pid" 2>/dev/null || :
			sleep 0.1
		done
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
			alive "${file##*/}" || { tail -n 5 "$LOG/${file##*/}.log" >&2; die "${file##*/} ended (logs: $LOG)"; }
		done
		sleep 0.3
	done
	say "$words"
}
