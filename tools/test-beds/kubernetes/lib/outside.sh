# shellcheck shell=bash
# The world outside of the cluster: a namespace that answers at every address that the nodes do not know, the metadata service of
# clouds (169.254.169.254) among them, with a name server and a registry of images.
REGISTRY_PORT=5000 REGISTRY_NAME=registry.test

start_outside() {
	local at=$RUN/outside node n
	node=$(command -v node) || die "there is no Node.js for the world outside"
	mkdir -p "$at/run"
	{
		echo 'hostname "$2"'
		echo 'ip link set lo up && ip link add hub type bridge'
		echo '[ ! -e /proc/sys/net/bridge ] || sysctl -qw net.bridge.bridge-nf-call-iptables=0'
		echo "ip addr add $OUTSIDE/24 dev hub && ip link set hub up"
		for n in $(seq 9); do echo "ip route add $(pod_range "$n") via $(node_address "$n") dev hub"; done
		echo 'ip route add local default dev lo table main'
		# So that the answer to a question comes from the address that was asked.
		echo "$SYSTEM/wrapped/iptables -t nat -A PREROUTING -p udp --dport 53 ! -d $POD_RANGE -j REDIRECT"
		echo 'touch "$1/made"'
		echo 'while :; do sleep 86400 & wait $!; done'
	} >"$at/first.sh"
	start_namespaces outside "$at"
	attach_outside
	touch "$at/seen"
	start_in outside outside-world "$node" "$HERE/outside/world.mjs" "$at/seen"
	registry up
}

registry() { # up|down|answer [status]
	local at=$RUN/registry
	mkdir -p "$at" "$RUN/registries/$REGISTRY_NAME"
	case $1 in
	up)
		cat >"$RUN/registries/$REGISTRY_NAME/hosts.toml" <<-END
			server = "http://$OUTSIDE:$REGISTRY_PORT"
			[host."http://$OUTSIDE:$REGISTRY_PORT"]
			  capabilities = ["pull", "resolve"]
		END
		start_in outside outside-registry "$(command -v node)" "$HERE/outside/registry.mjs" "$REGISTRY_PORT" "$at"
		;;
	down) stop outside-registry ;;
	answer)
		case ${2:-} in ok | hang | [45][0-9][0-9]) ;; *) die "a registry answers ok, hang or a status, not ${2:-nothing}" ;; esac
		echo "$2" >"$at/answer.part"
		mv "$at/answer.part" "$at/answer"
		;;
	*) die "registry up|down|answer STATUS, not $1" ;;
	esac
}

# Puts a folder into the registry as an image, tagged latest; prints its reference.
publish_image() { # name folder
	local layout manifest
	mkdir -p "$RUN/registry/blobs/sha256" "$RUN/registry/tags/$1"
	layout=$(mktemp -d "$RUN/registry/.XXXXXX")
	manifest=$(make_layout "$2" "$layout")
	mv "$layout"/blobs/sha256/* "$RUN/registry/blobs/sha256/"
	rm -rf "$layout"
	echo "sha256:$manifest" >"$RUN/registry/tags/$1/latest"
	echo "$REGISTRY_NAME/$1@sha256:$manifest"
}
