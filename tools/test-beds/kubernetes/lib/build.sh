# shellcheck shell=bash
# Programs: built once for each state of build/, and packages of the distribution, unpacked; both are kept in the cache.
go_build() { # folder output package… ; linker flags in FLAGS
	local folder=$1 output=$2
	shift 2
	GOTMPDIR=$BIN.part/tmp CGO_ENABLED=0 go build -C "$folder" -trimpath -buildvcs=false -ldflags "-s -w ${FLAGS:-}" -o "$output" "$@"
}

# One build at a time; who waits finds it done.
build() {
	mkdir -p "$CACHE"
	if [ ! -e "$BIN/complete" ] || [ ! -e "$SYSTEM/complete" ]; then
		flock "$CACHE/kubernetes.lock" bash "$HERE/cluster.sh" build-locked
	fi
	touch "$BIN" "$SYSTEM"
}

build_locked() {
	# What a killed build left, and what nobody has used for two weeks.
	rm -rf "$CACHE"/kubernetes-*.part
	find "$CACHE" -maxdepth 1 -type d -name 'kubernetes-*' -mtime +14 -exec rm -rf {} +
	build_programs
	unpack_packages
}

build_programs() {
	[ ! -e "$BIN/complete" ] || return 0
	command -v go >/dev/null || die "there is no Go to build Kubernetes with"
	say "building Kubernetes $VERSION; this takes minutes, once"
	local part=$BIN.part program minor=${VERSION#v1.}
	rm -rf "$part"
	mkdir -p "$part/tmp"
	local stamp="-X %s.gitVersion=$VERSION -X %s.gitMajor=1 -X %s.gitMinor=${minor%%.*}"
	FLAGS="${stamp//%s/k8s.io/component-base/version} ${stamp//%s/k8s.io/client-go/pkg/version}" go_build "$HERE/build" "$part/kube" .
	go_build "$HERE/build" "$part/coredns" ./coredns
	go_build "$HERE/build/containerd" "$part/" tool
	for program in $PROGRAMS; do ln -s kube "$part/$program"; done
	rm -rf "$part/tmp"
	touch "$part/complete"
	rm -rf "$BIN"
	mv "$part" "$BIN"
}

unpack_packages() {
	[ ! -e "$SYSTEM/complete" ] || return 0
	command -v apt-get >/dev/null || die "there is no apt-get to fetch packages with"
	local part=$SYSTEM.part package
	rm -rf "$part"
	mkdir -p "$part/debs"
	# shellcheck disable=SC2086 # several words
	(cd "$part/debs" && { apt-get download $PACKAGES || { apt-get update && apt-get download $PACKAGES; }; }) >"$part/apt.log" 2>&1 ||
		die "apt-get download failed, see $part/apt.log"
	for package in "$part"/debs/*.deb; do dpkg-deb -x "$package" "$part"; done
	rm -rf "$part/debs"
	write_wrappers "$part"
	touch "$part/complete"
	rm -rf "$SYSTEM"
	mv "$part" "$SYSTEM"
}

# The packages' programs find their own libraries and extensions; of the two kinds of iptables, the one that this kernel has.
write_wrappers() { # folder, later moved to $SYSTEM
	local libraries program kind
	libraries=$SYSTEM/$(cd "$1" && echo usr/lib/*-linux-gnu*)
	mkdir -p "$1/wrapped"
	for program in ipset conntrack; do write_wrapper "$1/wrapped/$program" "$libraries" "$SYSTEM/usr/sbin/$program"; done
	kind=$(kind_of_tables "$1")
	for program in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
		write_wrapper "$1/wrapped/$program" "$libraries" "$SYSTEM/usr/sbin/xtables-$kind-multi $program"
	done
}

write_wrapper() { # file libraries command
	printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%s XTABLES_LIBDIR=%s/xtables\nexec %s "$@"\n' "$2" "$2" "$3" >"$1"
	chmod 755 "$1"
}

kind_of_tables() { # folder
	local libraries
	libraries=$(echo "$1"/usr/lib/*-linux-gnu*)
	if LD_LIBRARY_PATH=$libraries XTABLES_LIBDIR=$libraries/xtables unshare --net \
		"$1/usr/sbin/xtables-nft-multi" iptables -t nat -A OUTPUT -m comment --comment test -j ACCEPT 2>/dev/null; then
		echo nft
	else
		echo legacy
	fi
}
