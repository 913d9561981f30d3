#!/usr/bin/env bash
# A real Kubernetes cluster on one Linux machine, for tests: API server, etcd, scheduler and controller manager as processes, and
# nodes that are process trees in namespaces of their own, each with kubelet, containerd, kube-proxy and an enforcer of network policies.
# Nothing is installed: the programs are built from their Go modules, the rest is unpacked from packages of the distribution. Needs
# root, Go 1.26, openssl, iproute2, apt.
#
#   cluster.sh build              build the programs where the cache lacks them
#   cluster.sh up                 build, and start what does not run; prints the path of an administrator's kubeconfig
#   cluster.sh down               stop all that was started and undo what was changed
#   cluster.sh status             what runs
#   cluster.sh kubeconfig NAMESPACE ACCOUNT        a kubeconfig of a service account; prints its path
#   cluster.sh image NAME DIR     import a root file system, or an OCI layout of one image, on every node; prints its reference by digest
#   cluster.sh reference NAME     reference of an image that every cluster has: busybox, or empty (to mount a machine's /usr in)
#   cluster.sh node N COMMAND…    run a command inside node N
#   cluster.sh node N up|crash|partition|heal      start it (again), kill its first process, cut it off, join it again
#   cluster.sh kubelet N start|stop|kill           its kubelet alone
#   cluster.sh kubelet N set [KEY=VALUE…]          restart it with these values, such as podPidsLimit=64 evictionHard.nodefs.available=5%
#   cluster.sh control NAME start|stop|kill        etcd, apiserver, controllers or scheduler
#   cluster.sh resource NODE KEY=COUNT…            extended resources of a node, such as nvidia.com/gpu=8
#   cluster.sh pool NODE POOL [KEY=COUNT…]         label and taint of a pool, and resources
#   cluster.sh fake NODE [KEY=COUNT…]              a node that takes pods and never runs them
#   cluster.sh volume NAMESPACE NAME DIR           a folder of this machine as a claim, read-only
#   cluster.sh publish NAME DIR                    an image in the cluster's registry; prints its reference by digest
#   cluster.sh registry up|down|answer STATUS      what it answers: ok, hang, 401, 404, 429, 503
#   cluster.sh seen               what reached the world outside, one JSON object a line
#   cluster.sh address            of this machine, as nodes and pods see it
#   cluster.sh machine            what clusters could change of this machine: the same before "up" and after "down"
#
#   REENACT_TESTBED_CACHE   what is dear to make                       (~/.cache/reenact-testbeds)
#   REENACT_CLUSTER         folder of the running cluster, short       (/tmp/reenact-cluster)
#   REENACT_CLUSTER_NODES   nodes; 0 = API server and etcd alone       (1)
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for part in settings process build pki control-plane network groups image node-files node outside add-ons resources remains; do
	# shellcheck disable=SC1090
	. "$HERE/lib/$part.sh"
done

# All that is started carries the cluster's folder in its environment, this shell too.
if [ "${REENACT_CLUSTER_MARK:-}" != "$RUN" ]; then REENACT_CLUSTER_MARK=$RUN exec bash "$HERE/cluster.sh" "$@"; fi

up() {
	[ "$(id -u)" = 0 ] || die "the cluster needs root"
	mkdir -p "$RUN/pid" "$LOG"
	chmod 700 "$RUN"
	forget_dead
	build
	choose_places
	make_authority
	[ "$NODES" = 0 ] || make_network
	start_control_plane
	[ "$NODES" = 0 ] || start_nodes
	echo "$RUN/kubeconfig"
}

start_nodes() {
	local n
	base_images
	start_outside
	start_add_ons
	for n in $(seq "$NODES"); do start_node "$n"; done
	for n in $(seq "$NODES"); do node_is_ready "$n"; done
	wait_for 120 "cluster DNS answers" kubectl -n kube-system wait --for=condition=Available deployment/dns --timeout=1s
}

status() {
	local file name
	for file in "$RUN"/pid/*; do
		[ -e "$file" ] || { echo "nothing runs"; return 1; }
		name=${file##*/}
		if alive "$name"; then echo "$name runs, process $(process_of "$name")"; else echo "$name is dead"; fi
	done
}

node() { # node verb or command…
	case ${2:-} in
	up) start_again "$1" ;;
	crash | partition | heal) "$2" "$1" ;;
	*) in_node "$@" ;;
	esac
}

main() {
	local verb=${1:-}
	shift || :
	case $verb in
	build | up | down | status | machine | reference | control | node | registry) "$verb" "$@" ;;
	build-locked) build_locked ;;
	kubeconfig) account_kubeconfig "$1" "$2" ;;
	image) import_image "$1" "$2" ;;
	kubelet) kubelet_of "$@" ;;
	resource) set_resources "$@" ;;
	pool) set_pool "$@" ;;
	fake) fake_node "$@" ;;
	volume) make_volume "$@" ;;
	publish) publish_image "$@" ;;
	address) echo "$GATEWAY" ;;
	seen) cat "$RUN/outside/seen" ;;
	*) sed -n '2,/^set -e/p' "$0" | sed '$d' | cut -c3- >&2; exit 2 ;;
	esac
}

# In one line, since the shell reads on in a file that may be edited meanwhile.
main "$@"; exit
