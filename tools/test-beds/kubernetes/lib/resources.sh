# shellcheck shell=bash
# What nodes have beyond what they are: extended resources, pools, volumes; and nodes that are only names.

# Devices that nobody serves. A kubelet leaves them alone once there is a list of device plugins.
set_resources() { # name of a node, key=count…
	local node=$1 pair entries=''
	shift
	[ $# -gt 0 ] || return 0
	for pair in "$@"; do entries+="${entries:+, }\"${pair%%=*}\": \"${pair#*=}\""; done
	kubectl patch node "$node" --subresource=status --type=merge \
		-p "{\"status\": {\"capacity\": {$entries}, \"allocatable\": {$entries}}}" >/dev/null
	wait_for 60 "$node has $*" has_resources "$node" "$@"
}

has_resources() { # name of a node, key=count…
	local node=$1 pair key
	shift
	for pair in "$@"; do
		key=${pair%%=*}
		[ "$(kubectl get node "$node" -o "jsonpath={.status.allocatable.${key//./\\.}}")" = "${pair#*=}" ] || return 1
	done
}

# Members of a pool have its label, refuse everything that does not tolerate it, and have these resources.
set_pool() { # name of a node, name of the pool, key=count…
	kubectl label node "$1" --overwrite "reenact.dev/pool=$2" >/dev/null
	kubectl taint node "$1" --overwrite "reenact.dev/pool=$2:NoSchedule" >/dev/null
	set_resources "$1" "${@:3}"
}

# A node that takes pods and never runs them. It is of a pool of its own until it gets another one.
fake_node() { # name key=count…
	local name=$1 now pair entries='"cpu": "64", "memory": "512Gi", "ephemeral-storage": "512Gi", "pods": "110"'
	now=$(date -u +%FT%TZ)
	for pair in "${@:2}"; do entries+=", \"${pair%%=*}\": \"${pair#*=}\""; done
	kubectl apply -f - >/dev/null <<-END
		apiVersion: v1
		kind: Node
		metadata: {name: "$name", labels: {kubernetes.io/hostname: "$name", kubernetes.io/os: linux}}
		spec: {taints: [{key: reenact.dev/pool, value: fake, effect: NoSchedule}]}
	END
	mkdir -p "$RUN/fakes"
	touch "$RUN/fakes/$name"
	start heartbeats "$(command -v node)" "$HERE/outside/heartbeats.mjs" "https://$API:$PORT" "$PKI" "$RUN/fakes"
	kubectl patch node "$name" --subresource=status --type=merge -p "{\"status\": {\"capacity\": {$entries}, \"allocatable\": {$entries},
		\"conditions\": [{\"type\": \"Ready\", \"status\": \"True\", \"reason\": \"Fake\", \"lastHeartbeatTime\": \"$now\", \"lastTransitionTime\": \"$now\"}]}}" >/dev/null
	wait_for 60 "$name takes pods" is_untainted "$name"
}

is_untainted() { ! kubectl get node "$1" -o 'jsonpath={.spec.taints[*].key}' | grep -q not-ready; }

# A folder of this machine as a claim in a namespace; pods can read it only.
make_volume() { # namespace name folder
	local script=$RUN/volumes/$1-$2 at=$RUN/volumes.d/$1-$2 n
	[ -d "$3" ] || die "there is no folder $3"
	mkdir -p "$RUN/volumes" "$at"
	printf 'mount --bind %q %q && mount -o remount,bind,ro %q\n' "$(realpath "$3")" "$at" "$at" >"$script.part"
	mv "$script.part" "$script"
	for n in $(node_numbers); do in_node "$n" bash -c 'mountpoint -q "$1" || bash "$2"' mount "$at" "$script"; done
	# A volume whose claim was deleted takes no other one.
	[ "$(kubectl get pv "$1-$2" --ignore-not-found -o 'jsonpath={.status.phase}')" != Released ] || kubectl delete pv "$1-$2" >/dev/null
	kubectl apply -f - >/dev/null <<-END
		apiVersion: v1
		kind: PersistentVolume
		metadata: {name: "$1-$2"}
		spec:
		  capacity: {storage: 1Ti}
		  accessModes: [ReadOnlyMany]
		  persistentVolumeReclaimPolicy: Retain
		  storageClassName: ""
		  claimRef: {namespace: "$1", name: "$2"}
		  hostPath: {path: "$at", type: Directory}
		---
		apiVersion: v1
		kind: PersistentVolumeClaim
		metadata: {name: "$2", namespace: "$1"}
		spec:
		  accessModes: [ReadOnlyMany]
		  storageClassName: ""
		  volumeName: "$1-$2"
		  resources: {requests: {storage: 1Ti}}
	END
	wait_for 60 "claim $2 is bound" is_bound "$1" "$2"
}

is_bound() { [ "$(kubectl -n "$1" get pvc "$2" -o 'jsonpath={.status.phase}')" = Bound ]; }
