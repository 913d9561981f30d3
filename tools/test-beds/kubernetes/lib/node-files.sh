# shellcheck shell=bash
# What a node reads: configuration of containerd, its network and kubelet, and the script of its first process.
write_node_files() { # node
	local n=$1 at=$RUN/node$1
	mkdir -p "$at"/{run,lib,log,cni-conf,kernel}
	certificate "node$n" "system:node:node$n" system:nodes "DNS:node$n,IP:$(node_address "$n")"
	kubeconfig "$at/kubelet.conf" "node$n"
	: >"$at/resolv.conf"
	write_kernel_values "$at/kernel"
	write_runtime_files "$n" "$at"
	write_kubelet_files "$n" "$at"
	cat >"$at/proxy.yaml" <<-END
		apiVersion: kubeproxy.config.k8s.io/v1alpha1
		kind: KubeProxyConfiguration
		clientConnection: {kubeconfig: $PKI/proxy.conf}
		hostnameOverride: node$n
		mode: iptables
		clusterCIDR: $POD_RANGE
		oomScoreAdj: 0
		conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
	END
	cat >"$at/first.sh" <<-'END'
		at=$1
		hostname "$2"
		mount --make-rshared /
		mount --bind "$at/run" /run
		mount --bind "$at/lib" /var/lib
		mount --bind "$at/log" /var/log
		for file in "$at"/kernel/*; do
			name=${file##*/}
			mount --bind "$file" "/proc/sys/${name//.//}"
		done
		for file in "$at"/../volumes/*; do [ ! -e "$file" ] || bash "$file"; done
		ip link set lo up
		sysctl -qw net.ipv4.ip_forward=1
		touch "$at/made"
		while :; do sleep 86400 & wait $!; done
	END
}

# A kubelet changes values of the kernel that all of this machine would feel; it finds them as it wants them.
write_kernel_values() { # folder
	echo 1 >"$1/vm.overcommit_memory"
	echo 0 >"$1/vm.panic_on_oom"
	echo 10 >"$1/kernel.panic"
	echo 1 >"$1/kernel.panic_on_oops"
	echo 1000000 >"$1/kernel.keys.root_maxkeys"
	echo 25000000 >"$1/kernel.keys.root_maxbytes"
	# A node that comes up again has booted.
	cat /proc/sys/kernel/random/uuid >"$1/kernel.random.boot_id"
}

write_runtime_files() { # node folder
	local at=$2
	cat >"$at/containerd.toml" <<-END
		version = 3
		root = "/var/lib/containerd"
		state = "/run/containerd"
		disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.blockfile", "io.containerd.snapshotter.v1.erofs"]
		[grpc]
		  address = "/run/containerd/containerd.sock"
		[plugins."io.containerd.internal.v1.opt"]
		  path = "/var/lib/containerd/opt"
		[plugins."io.containerd.nri.v1.nri"]
		  disable = true
		[plugins."io.containerd.cri.v1.images"]
		  pinned_images = {sandbox = "$(cat "$RUN/images/pause")"}
		  [plugins."io.containerd.cri.v1.images".registry]
		    config_path = "$RUN/registries"
		[plugins."io.containerd.cri.v1.runtime"]
		  restrict_oom_score_adj = true
		  [plugins."io.containerd.cri.v1.runtime".cni]
		    bin_dirs = ["$SYSTEM/usr/lib/cni"]
		    conf_dir = "$at/cni-conf"
	END
	# Pods of one node are routed to each other too, not bridged, so that policies see all of their packets.
	cat >"$at/cni-conf/10-pods.conflist" <<-END
		{"cniVersion": "0.4.0", "name": "test", "plugins": [{"type": "ptp",
		  "ipam": {"type": "host-local", "ranges": [[{"subnet": "$(pod_range "$1")"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
	END
}

write_kubelet_files() { # node folder
	local n=$1 at=$2
	mkdir -p "$at/kubelet.d" "$at/lib/kubelet/device-plugins"
	# Without a list of devices, a kubelet that starts takes resources away that it does not know (see set_resources).
	[ -e "$at/lib/kubelet/device-plugins/kubelet_internal_checkpoint" ] || echo '{}' >"$at/lib/kubelet/device-plugins/kubelet_internal_checkpoint"
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
		clusterDNS: [$DNS_SERVICE]
		clusterDomain: cluster.local
		volumePluginDir: /var/lib/kubelet/volumeplugins
		nodeStatusUpdateFrequency: 2s
		imageGCHighThresholdPercent: 100
		imageGCLowThresholdPercent: 99
		evictionHard: {memory.available: 200Mi, nodefs.available: 1%, nodefs.inodesFree: 1%, imagefs.available: 1%}
	END
}

# Other values for a kubelet: "key=value", or "key.part=value" for one entry of a map, such as evictionHard.memory.available=20%.
write_kubelet_values() { # node pair…
	local file=$RUN/node$1/kubelet.d/90-test.conf pair key
	local -A values=()
	shift
	for pair in "$@"; do
		key=${pair%%=*}
		case $key in
		*.*) values[${key%%.*}]+=${values[${key%%.*}]:+, }"${key#*.}: ${pair#*=}" ;;
		*) values[$key]="=${pair#*=}" ;;
		esac
	done
	{
		printf 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n'
		for key in "${!values[@]}"; do
			case ${values[$key]} in
			=*) echo "$key: ${values[$key]#=}" ;;
			*) echo "$key: {${values[$key]}}" ;;
			esac
		done
	} >"$file.part"
	mv "$file.part" "$file"
}
