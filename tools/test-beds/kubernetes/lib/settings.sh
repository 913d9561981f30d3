# shellcheck shell=bash
# Places and numbers of the cluster.
CACHE=${REENACT_TESTBED_CACHE:-$HOME/.cache/reenact-testbeds}
RUN=$(realpath -m "${REENACT_CLUSTER:-/tmp/reenact-cluster}")
NODES=${REENACT_CLUSTER_NODES:-1}
PKI=$RUN/pki LOG=$RUN/log
VERSION=$(sed -n 's,^\tk8s.io/kubernetes \(v[0-9.]*\)$,\1,p' "$HERE/build/go.mod")
SERVICES=10.96.0.0/16 API_SERVICE=10.96.0.1 DNS_SERVICE=10.96.0.10
# What of a distribution's packages is used, unpacked beside the programs.
PACKAGES="runc containernetworking-plugins busybox-static iptables ipset conntrack
	libip4tc2 libip6tc2 libxtables12 libmnl0 libnetfilter-conntrack3 libnfnetlink0 libnftnl11 libipset13"
PROGRAMS="etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl netpol"

key_of() { sha256sum | cut -c1-16; }
BIN=$CACHE/kubernetes-$({ cat "$HERE"/build/go.* "$HERE"/build/*.go "$HERE"/build/*/*; uname -m; } | key_of)
SYSTEM=$CACHE/kubernetes-system-$({ echo "$PACKAGES"; cat /etc/os-release; uname -rm; } | key_of)

say() { printf '%s\n' "$*" >&2; }
die() { say "✖ $*"; exit 1; }

# A cluster with nodes owns a bridge whose hardware address is made from its folder. To create it is what claims the range of addresses:
# the kernel lets one of two clusters that start at once have it.
hardware_address() { printf %s "$RUN" | sha256sum | sed -E 's/^(..)(..)(..)(..)(..).*/02:\1:\2:\3:\4:\5/'; }
owns_bridge() { [ "$(cat "/sys/class/net/$BRIDGE/address" 2>/dev/null)" = "$(hardware_address)" ]; }

ports_are_free() { # first of ten
	local port
	for port in $(seq "$1" $(($1 + 9))); do
		! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 1
	done
}

write_places() { # port net
	echo "PORT=$1 NET=$2" >"$RUN/places.part"
	mv "$RUN/places.part" "$RUN/places"
	read_places
}

# Ports and a range of addresses that nobody uses; kept for as long as the cluster is.
choose_places() {
	if [ "$NODES" = 0 ]; then
		[ ! -e "$RUN/places" ] || return 0
		local port
		until port=$((30000 + RANDOM % 2000)) && ports_are_free "$port"; do :; done
		write_places "$port" 0
		return
	fi
	[ -z "$BRIDGE" ] || ! owns_bridge || return 0
	local net
	for net in $(seq 201 250); do
		[ ! -e "/sys/class/net/reenact$net" ] || continue
		! ip route show to match "10.$net.0.1" | grep -qv '^default' || continue
		ports_are_free $((20000 + (net - 201) * 10)) || continue
		write_places $((20000 + (net - 201) * 10)) "$net"
		ip link add "$BRIDGE" address "$(hardware_address)" type bridge 2>/dev/null || continue
		return 0
	done
	die "there is no free range of addresses between 10.201.0.0 and 10.250.255.255"
}

read_places() {
	PORT='' NET='' BRIDGE=''
	[ -e "$RUN/places" ] || return 0
	# shellcheck disable=SC1091
	. "$RUN/places"
	GATEWAY=10.$NET.0.1 OUTSIDE=10.$NET.0.2 POD_RANGE=10.$NET.128.0/17 BRIDGE=reenact$NET GROUP=/reenact-cluster$NET
	API=$GATEWAY
	[ "$NET" != 0 ] || API=127.0.0.1 GATEWAY=127.0.0.1
}
read_places
node_address() { echo "10.$NET.0.$((10 + $1))"; }
pod_range() { echo "10.$NET.$((128 + $1)).0/24"; }
