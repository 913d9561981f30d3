# shellcheck shell=bash
# The bridge between this machine and the nodes, and what hangs on it. Nothing of this machine's own network is changed: nodes have
# routes to each other, and their way out leads to a namespace that stands for the world outside.
make_network() {
	ip addr replace "$GATEWAY/24" dev "$BRIDGE"
	ip link set "$BRIDGE" up
}

attach() { # number of the interface, first process, address
	local link=${BRIDGE}n$1
	if [ ! -e "/sys/class/net/$link" ]; then
		ip link add "$link" type veth peer name eth0 netns "$2"
		ip link set "$link" master "$BRIDGE" up
	fi
	nsenter -t "$2" -n sh -c "ip addr replace $3/24 dev eth0 && ip link set eth0 up"
}

detach() { ip link del "${BRIDGE}n$1" 2>/dev/null || :; } # number of the interface

attach_node() { # node
	local n=$1 other first
	first=$(first_process "node$n")
	attach "$n" "$first" "$(node_address "$n")"
	{
		for other in $(seq 9); do [ "$other" = "$n" ] || echo "route replace $(pod_range "$other") via $(node_address "$other") dev eth0"; done
		echo "route replace default via $OUTSIDE dev eth0"
	} | nsenter -t "$first" -n ip -batch -
	ip route replace "$(pod_range "$n")" via "$(node_address "$n")" dev "$BRIDGE"
}

# Nothing passes between a node and the rest; its pods go on.
partition() { ip link set "${BRIDGE}n$1" down; }

heal() { ip link set "${BRIDGE}n$1" up; }

remove_network() {
	local link
	for link in "/sys/class/net/${BRIDGE}"n*; do [ ! -e "$link" ] || ip link del "${link##*/}" 2>/dev/null || :; done
	ip link del "$BRIDGE"
}
