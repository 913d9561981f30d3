# Places and numbers of the cluster.
CACHE=${REENACT_TESTBED_CACHE:-$HOME/.cache/reenact-testbeds}
RUN=${REENACT_CLUSTER:-/tmp/reenact-cluster}
NODES=${REENACT_CLUSTER_NODES:-1}
PKI=$RUN/pki LOG=$RUN/log
VERSION=$(sed -n 's,^\tk8s.io/kubernetes \(v[0-9.]*\)$,\1,p' "$HERE/build/go.mod")
SERVICES=10.96.0.0/16 API_SERVICE=10.96.0.1
# What of a distribution's packages is used, unpacked beside the programs.
PACKAGES="runc containernetworking-plugins busybox-static"
PROGRAMS="etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl netpol"

build_key() { { cat "$HERE"/build/go.* "$HERE"/build/*.go "$HERE"/build/*/*; echo "$PACKAGES"; uname -m; } | sha256sum | cut -c1-16; }
BIN=$CACHE/kubernetes-$(build_key)

say() { printf '%s\n' "$*" >&2; }
die() { say "✖ $*"; exit 1; }

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Ports and a range of addresses that nobody uses; kept for as long as the cluster is.
choose_places() {
	if [ ! -e "$RUN/places" ]; then
		local port net p
		while :; do
			port=$((20000 + RANDOM % 10000))
			for p in 0 1 2 3 4; do port_is_free $((port + p)) || continue 2; done
			break
		done
		for net in $(seq 201 250); do
			ip route show to match "10.$net.0.1" | grep -qv '^default' || break
		done
		echo "PORT=$port NET=$net" >"$RUN/places"
	fi
	. "$RUN/places"
	GATEWAY=10.$NET.0.1 BRIDGE=reenact$NET GROUP=/reenact-cluster$NET
}
[ ! -e "$RUN/places" ] || choose_places
node_address() { echo "10.$NET.0.$((10 + $1))"; }
pod_range() { echo "10.$NET.$((128 + $1))"; }
