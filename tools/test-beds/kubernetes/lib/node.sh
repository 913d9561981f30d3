# A node: a process tree in network, mount, PID and UTS namespaces of its own. Its first process only waits; killing that one ends the
# node with all its pods and mounts.
node_numbers() {
	local file
	for file in "$RUN"/pid/node*; do
		file=${file##*/node}
		case $file in *[!0-9]*) ;; *) echo "$file" ;; esac
	done
}

first_process() { # node
	local outer
	alive "node$1" || return 1
	outer=$(process_of "node$1")
	tr -d ' ' <"/proc/$outer/task/$outer/children"
}

in_node() { # node command…
	local n=$1
	shift
	nsenter -t "$(first_process "$n")" -m -n -p -u -- "$@"
}

NODE_PATH=$BIN:$BIN/system/usr/sbin:$BIN/system/bin:$PATH
in_containerd() { # node arguments…
	local n=$1
	shift
	in_node "$n" env PATH="$NODE_PATH" ctr -a /run/containerd/containerd.sock "$@"
}

make_network() {
	if ! ip link show "$BRIDGE" >/dev/null 2>&1; then
		ip link add "$BRIDGE" type bridge
		ip addr add "$GATEWAY/24" dev "$BRIDGE"
		ip link set "$BRIDGE" up
	fi
	local name
	if [ ! -e "$RUN/sysctl" ]; then
		for name in net.ipv4.ip_forward vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops kernel.keys.root_maxkeys kernel.keys.root_maxbytes; do
			echo "$name=$(sysctl -n $name)"
		done >"$RUN/sysctl.part" 2>/dev/null || :
		mv "$RUN/sysctl.part" "$RUN/sysctl"
	fi
	sysctl -qw net.ipv4.ip_forward=1
}

remove_network() {
	[ -n "${BRIDGE:-}" ] || return 0
	ip link del "$BRIDGE" 2>/dev/null || :
	local line
	[ ! -e "$RUN/sysctl" ] || while read -r line; do sysctl -qw "$line" 2>/dev/null || :; done <"$RUN/sysctl"
}

group_roots() { awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts; }

make_groups() { # node; a new cpuset of version 1 is empty and takes nothing in
	local root at file
	for root in $(awk '$3 == "cgroup" { print $2 }' /proc/mounts); do
		for at in "$root$GROUP" "$root$GROUP/node$1"; do
			mkdir -p "$at"
			for file in cpuset.cpus cpuset.mems; do
				[ ! -e "$at/$file" ] || cat "$(dirname "$at")/$file" >"$at/$file"
			done
		done
	done
}

remove_groups() {
	local root
	[ -n "${GROUP:-}" ] || return 0
	for root in $(group_roots); do
		[ ! -d "$root$GROUP" ] || find "$root$GROUP" -depth -type d -exec rmdir {} + 2>/dev/null || :
	done
}

write_node_files() { # node
	local n=$1 at=$RUN/node$1
	mkdir -p "$at"/{run,kubelet,containerd,cni,cni-conf,pods,containers}
	certificate "node$n" "system:node:node$n" system:nodes "DNS:node$n,IP:$(node_address "$n")"
	kubeconfig "$at/kubelet.conf" "node$n" "https://$GATEWAY:$PORT"
	: >"$at/resolv.conf"
	cat >"$at/containerd.toml" <<-END
		version = 3
		root = "/var/lib/containerd"
		state = "/run/containerd"
		disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.blockfile", "io.containerd.snapshotter.v1.erofs"]
		[grpc]
		  address = "/run/containerd/containerd.sock"
		[plugins."io.containerd.internal.v1.opt"]
		  path = "/var/lib/containerd/opt"
		[plugins."io.containerd.cri.v1.images"]
		  pinned_images = {sandbox = "$(cat "$RUN/pause.name")"}
		[plugins."io.containerd.cri.v1.runtime"]
		  restrict_oom_score_adj = true
		  [plugins."io.containerd.cri.v1.runtime".cni]
		    bin_dirs = ["$BIN/system/usr/lib/cni"]
		    conf_dir = "$at/cni-conf"
	END
	cat >"$at/cni-conf/10-bridge.conflist" <<-END
		{"cniVersion": "0.4.0", "name": "test", "plugins": [{"type": "bridge", "bridge": "cni0", "isGateway": true, "hairpinMode": true,
		  "ipam": {"type": "host-local", "ranges": [[{"subnet": "$(pod_range "$n").0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
	END
	cat >"$at/kubelet.yaml" <<-END
		apiVersion: kubelet.config.k8s.io/v1beta1
		kind: KubeletConfiguration
		authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $PKI/ca.crt}}
		authorization: {mode: Webhook}
		tlsCertFile: $PKI/node$n.crt
		tlsPrivateKeyFile: $PKI/node$n.key
		containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
		cgroupDriver: cgroupfs
		cgroupRoot: $GROUP/node$n
		failCgroupV1: false
		failSwapOn: false
		maxOpenFiles: 20000
		oomScoreAdj: 0
		resolvConf: $at/resolv.conf
		clusterDomain: cluster.local
		volumePluginDir: /var/lib/kubelet/volumeplugins
		nodeStatusUpdateFrequency: 2s
		imageGCHighThresholdPercent: 100
		imageGCLowThresholdPercent: 99
		evictionHard: {memory.available: 200Mi, nodefs.available: 1%, nodefs.inodesFree: 1%, imagefs.available: 1%}
	END
	cat >"$at/first.sh" <<-'END'
		at=$1
		hostname "$2"
		mount --make-rshared /
		cover() { mkdir -p "$2"; mount --bind "$at/$1" "$2"; }
		cover run /run
		cover kubelet /var/lib/kubelet
		cover containerd /var/lib/containerd
		cover cni /var/lib/cni
		cover pods /var/log/pods
		cover containers /var/log/containers
		ip link set lo up
		sysctl -qw net.ipv4.ip_forward=1
		touch "$at/made"
		while :; do sleep 86400 & wait $!; done
	END
}

start_node() { # node
	local n=$1 at=$RUN/node$1 address
	address=$(node_address "$n")
	pause_image
	if ! alive "node$n"; then
		make_groups "$n"
		write_node_files "$n"
		rm -rf "$at/made" "$at/run"
		mkdir "$at/run"
		start "node$n" unshare --net --mount --pid --uts --fork --mount-proc --propagation private bash "$at/first.sh" "$at" "node$n"
		wait_for 30 "node$n has its namespaces" test -e "$at/made"
		ip link add "${BRIDGE}n$n" type veth peer name eth0 netns "$(first_process "$n")"
		ip link set "${BRIDGE}n$n" master "$BRIDGE" up
		in_node "$n" sh -c "ip addr add $address/24 dev eth0 && ip link set eth0 up && ip route add default via $GATEWAY"
		ip route replace "$(pod_range "$n").0/24" via "$address"
	fi
	start "node$n-containerd" nsenter -t "$(first_process "$n")" -m -n -p -u -- env PATH="$NODE_PATH" containerd -c "$at/containerd.toml"
	wait_for 30 "node$n has a runtime" in_containerd "$n" version
	[ -e "$at/pause" ] || { import_archive "$n" localhost/reenact/pause "$RUN/pause.tar" && touch "$at/pause"; }
	start "node$n-kubelet" nsenter -t "$(first_process "$n")" -m -n -p -u -- env PATH="$NODE_PATH" kubelet --config="$at/kubelet.yaml" \
		--kubeconfig="$at/kubelet.conf" --hostname-override="node$n" --node-ip="$address" --v=1
}

stop_node() { # node
	local first name
	if first=$(first_process "$1") && [ -n "$first" ]; then kill -KILL "$first" 2>/dev/null || :; fi
	for name in "node$1-kubelet" "node$1-containerd" "node$1"; do stop "$name"; done
	ip link del "${BRIDGE}n$1" 2>/dev/null || :
}
