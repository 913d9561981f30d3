#!/usr/bin/env bash
# A real Kubernetes cluster on one Linux machine, for tests: API server, etcd, scheduler and controller manager as processes, and
# nodes that are process trees in namespaces of their own, each with kubelet and containerd. Nothing is installed: the programs are
# built from their Go modules, the rest is unpacked from packages of the distribution. Needs root, Go 1.26, openssl, iproute2, apt.
#
#   cluster.sh build              build the programs where the cache lacks them
#   cluster.sh up                 build, and start what does not run; prints the path of an administrator's kubeconfig
#   cluster.sh down               stop all that was started and undo what was changed
#   cluster.sh status             what runs
#   cluster.sh image NAME DIR     import a root file system as an image on every node; prints its reference by digest
#   cluster.sh node N COMMAND…    run a command inside node N
#
#   REENACT_TESTBED_CACHE   what is dear to make                       (~/.cache/reenact-testbeds)
#   REENACT_CLUSTER         folder of the running cluster, short       (/tmp/reenact-cluster)
#   REENACT_CLUSTER_NODES   nodes; 0 = API server and etcd alone       (1)
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for part in settings process build pki control-plane image node; do . "$HERE/lib/$part.sh"; done

up() {
	[ "$(id -u)" = 0 ] || die "the cluster needs root"
	mkdir -p "$RUN/pid" "$LOG"
	forget_dead
	build
	choose_places
	make_authority
	[ "$NODES" = 0 ] || make_network
	start_control_plane
	local n
	for n in $(seq "$NODES"); do start_node "$n"; done
	for n in $(seq "$NODES"); do wait_for 120 "node$n is ready" kubectl wait --for=condition=Ready "node/node$n" --timeout=1s; done
	echo "$RUN/kubeconfig"
}

down() {
	local n
	for n in scheduler controllers; do stop "$n"; done
	for n in $(node_numbers); do stop_node "$n"; done
	for n in apiserver etcd; do stop "$n"; done
	remove_network
	remove_groups
	rm -rf "$RUN"
}

status() {
	local file name
	for file in "$RUN"/pid/*; do
		[ -e "$file" ] || { echo "nothing runs"; return 1; }
		name=${file##*/}
		if alive "$name"; then echo "$name runs, process $(process_of "$name")"; else echo "$name is dead"; fi
	done
}

case ${1:-} in
build | up | down | status) "$1" ;;
image) import_image "$2" "$3" ;;
node) shift; in_node "$@" ;;
*) sed -n '2,17p' "$0" | cut -c3- >&2; exit 2 ;;
esac
