# Programs: built once for each state of build/ and kept in the cache.
go_build() { # folder output package… ; linker flags in FLAGS
	local folder=$1 output=$2
	shift 2
	CGO_ENABLED=0 go build -C "$folder" -trimpath -buildvcs=false -ldflags "-s -w ${FLAGS:-}" -o "$output" "$@"
}

build() {
	[ ! -e "$BIN/complete" ] || return 0
	command -v go >/dev/null || die "there is no Go to build Kubernetes with"
	say "building Kubernetes $VERSION; this takes minutes, once"
	local part=$BIN.part package program minor=${VERSION#v1.}
	rm -rf "$part"
	mkdir -p "$part/debs" "$part/system"
	local stamp="-X %s.gitVersion=$VERSION -X %s.gitMajor=1 -X %s.gitMinor=${minor%%.*}"
	FLAGS="${stamp//%s/k8s.io/component-base/version} ${stamp//%s/k8s.io/client-go/pkg/version}" go_build "$HERE/build" "$part/kube" .
	go_build "$HERE/build" "$part/coredns" ./coredns
	go_build "$HERE/build/containerd" "$part/" tool
	for program in $PROGRAMS; do ln -s kube "$part/$program"; done
	(cd "$part/debs" && apt-get download $PACKAGES) >"$part/apt.log" 2>&1 || die "apt-get download failed, see $part/apt.log"
	for package in "$part"/debs/*.deb; do dpkg-deb -x "$package" "$part/system"; done
	touch "$part/complete"
	rm -rf "$BIN"
	mv "$part" "$BIN"
}

kubectl() { "$BIN/kubectl" --kubeconfig "$RUN/kubeconfig" "$@"; }
