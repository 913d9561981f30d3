# shellcheck shell=bash
# The end of a cluster, and what could be left of it.
down() {
	kill_marked
	if [ -n "$BRIDGE" ] && owns_bridge; then
		remove_groups
		remove_network
	fi
	rm -rf --one-file-system "$RUN"
}

# What clusters could change of this machine, one line each, without what belongs to another cluster that runs.
machine() {
	local others root
	others=$(other_networks)
	{
		machine_network
		group_roots | while read -r root; do find "$root" -maxdepth 1 -type d -name 'reenact-cluster*'; done
		awk -v run="$RUN" '$2 ~ "^/(dev|etc|opt|proc|run|sys|usr|var)(/|$)" || index($2, run) == 1 || $3 ~ /^(nsfs|overlay)$/ { print "mount", $1, $2, $3 }' /proc/mounts
		machine_values
		ls -d /var/lib/{kubelet,containerd,cni} /var/log/{pods,containers} /opt/{cni,containerd,nri} /etc/{cni,containerd} \
			/run/{containerd,netns,xtables.lock,calico,flannel} /usr/libexec/kubernetes "$RUN" 2>/dev/null || :
		marked_processes | sed 's/^/process /'
	} | if [ -n "$others" ]; then grep -Ev "$others"; else cat; fi | sort
}

machine_network() {
	ip -o link | sed -E 's/^[0-9]+: ([^:@]+).*/link \1/'
	ip route show table all | sed 's/ *linkdown//; s/^/route /'
	ip rule | sed 's/^/rule /'
	"$SYSTEM/wrapped/iptables-save" 2>/dev/null | grep -v '^#' | sed 's/\[.*//; s/^/table /' || :
	sed 's/^/table /' /proc/net/ip_tables_names 2>/dev/null || :
}

machine_values() {
	local name
	for name in net.ipv4.ip_forward net.ipv4.conf.all.route_localnet net.bridge.bridge-nf-call-iptables net.netfilter.nf_conntrack_max \
		vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops kernel.keys.root_maxkeys kernel.keys.root_maxbytes; do
		sysctl "$name" 2>/dev/null || :
	done
}

# A pattern of the names and addresses of clusters that are not this one; nothing where there are none.
other_networks() {
	local bridge net pattern=''
	for bridge in /sys/class/net/reenact[0-9]*/bridge; do
		[ -e "$bridge" ] || continue
		net=${bridge#*/reenact}
		net=${net%/bridge}
		BRIDGE=reenact$net
		owns_bridge || pattern+="${pattern:+|}reenact(-cluster)?$net([^0-9]|\$)|10\\.$net\\."
	done
	echo "$pattern"
}
