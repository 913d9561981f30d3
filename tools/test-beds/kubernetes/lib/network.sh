# shellcheck shell=bash
# What hangs together: this machine, by a bridge with one port, and the hub in the namespace that stands for the world outside, where all
# nodes are. So no packet of nodes passes this machine's own firewall, and nothing of its network is changed. Nodes have routes to each
# other, and their way out leads to the world outside.
make_network() {
	ip addr replace "$GATEWAY/24" dev "$BRIDGE"
	ip link set "$BRIDGE" up
}

in_hub() { nsenter -t "$(first_process outside)" -n "$@"; } # command…

attach_outside() {
	local link=${BRIDGE}n0
	if [ ! -e "/sys/class/net/$link" ]; then
		ip link add "$link" type veth peer name machine netns "$(first_process outside)"
		ip link set "$link" master "$BRIDGE" up
	fi
	in_hub ip link set machine master hub up
}

detach() { ! alive outside || in_hub ip link del "node$1" 2>/dev/null || :; } # node

attach_node() { # node
	local n=$1 other first
	first=$(first_process "node$n")
	if ! in_hub ip link show "node$n" >/dev/null 2>&1; then
		in_hub ip link add "node$n" type veth peer name eth0 netns "$first"
		in_hub ip link set "node$n" master hub up
	fi
	nsenter -t "$first" -n sh -c "ip addr replace $(node_address "$n")/24 dev eth0 && ip link set eth0 up"
	{
		for other in $(seq 9); do [ "$other" = "$n" ] || echo "route replace $(pod_range "$other") via $(node_address "$other") dev eth0"; done
		echo "route replace default via $OUTSIDE dev eth0"
	} | nsenter -t "$first" -n ip -batch -
	ip route replace "$(pod_range "$n")" via "$(node_address "$n")" dev "$BRIDGE"
}

# Nothing passes between a node and the rest; its pods go on.
partition() { in_hub ip link set "node$1" down; }

heal() { in_hub ip link set "node$1" up; }

remove_network() {
	local link
	for link in "/sys/class/net/${BRIDGE}"n*; do [ ! -e "$link" ] || ip link del "${link##*/}" 2>/dev/null || :; done
	ip link del "$BRIDGE"
}
