# shellcheck shell=bash
# A node: a process tree in network, mount, PID and UTS namespaces of its own. Its first process only waits; killing that one ends the
# node with all its pods and mounts.
node_numbers() {
	local file
	for file in "$RUN"/pid/node*; do
		file=${file##*/node}
		case $file in *[!0-9]*) ;; *) ! alive "node$file" || echo "$file" ;; esac
	done
}

first_process() { # name of a namespace: a node's or "outside"
	local outer
	alive "$1" || die "$1 does not run"
	outer=$(process_of "$1")
	tr -d ' ' <"/proc/$outer/task/$outer/children"
}

start_namespaces() { # name, folder with first.sh
	! alive "$1" || [ ! -e "$2/made" ] || return 0
	stop "$1" KILL
	rm -rf "$2/made" "$2/run"
	mkdir "$2/run"
	start "$1" unshare --net --mount --pid --uts --fork --mount-proc --propagation private bash "$2/first.sh" "$2" "$1"
	wait_for 30 "$1 has its namespaces" test -e "$2/made"
}

in_node() { # node command…
	local first
	first=$(first_process "node$1")
	shift
	nsenter -t "$first" -m -n -p -u -- "$@"
}

start_in() { # name of a namespace, name of a process, command…
	local first space=$1 name=$2
	shift 2
	first=$(first_process "$space")
	start "$name" nsenter -t "$first" -m -n -p -u -- env PATH="$NODE_PATH" "$@"
}

NODE_PATH=$BIN:$SYSTEM/wrapped:$SYSTEM/usr/sbin:$SYSTEM/bin:$PATH
in_containerd() { # node arguments…
	local n=$1
	shift
	in_node "$n" env PATH="$NODE_PATH" ctr -a /run/containerd/containerd.sock "$@"
}

start_node() { # node
	local n=$1
	case $n in [1-9]) ;; *) die "nodes have numbers from 1 to 9, not $n" ;; esac
	if ! alive "node$n"; then
		forget_node "$n"
		make_groups "$n"
		write_node_files "$n"
	fi
	start_namespaces "node$n" "$RUN/node$n"
	attach_node "$n"
	start_in "node$n" "node$n-containerd" containerd -c "$RUN/node$n/containerd.toml"
	wait_for 30 "node$n has a runtime" in_containerd "$n" version
	import_all "$n"
	start_kubelet "$n"
	start_in "node$n" "node$n-proxy" kube-proxy --config="$RUN/node$n/proxy.yaml"
}

start_kubelet() { # node
	start_in "node$1" "node$1-kubelet" kubelet --config="$RUN/node$1/kubelet.yaml" --config-dir="$RUN/node$1/kubelet.d" \
		--kubeconfig="$RUN/node$1/kubelet.conf" --hostname-override="node$1" --node-ip="$(node_address "$1")" --v=1
}

node_is_ready() { # node
	wait_for 120 "node$1 is ready" kubectl wait --for=condition=Ready "node/node$1" --timeout=1s
	start_in "node$1" "node$1-policies" netpol "$PKI/policies.conf" "node$1" "$SERVICES"
}

# The first process is killed; what is left of the node are its disk and its name in the cluster.
crash() { # node
	alive "node$1" || die "node$1 does not run"
	stop "node$1" KILL
	forget_node "$1"
}

forget_node() { # node that does not run
	local name
	for name in "" -kubelet -containerd -proxy -policies; do stop "node$1$name" KILL; done
	detach "$1"
	remove_groups "/node$1"
}

start_again() { # node
	start_node "$1"
	node_is_ready "$1"
}

kubelet_of() { # node start|stop|kill|set [pair…]
	local n=$1 verb=$2
	shift 2
	case $verb in
	stop) stop "node$n-kubelet" ;;
	kill) stop "node$n-kubelet" KILL ;;
	start) start_kubelet "$n" ;;
	set)
		write_kubelet_values "$n" "$@"
		stop "node$n-kubelet"
		start_kubelet "$n"
		;;
	*) die "kubelet N start|stop|kill|set, not $verb" ;;
	esac
}
