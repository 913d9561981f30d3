# shellcheck shell=bash
# Images from folders, as OCI archives with one layer; equal folders give equal digests.
digest() { sha256sum "$1" | cut -d' ' -f1; }

keep_blob() { # archive file → its digest
	local d
	d=$(digest "$2")
	mv "$2" "$1/blobs/sha256/$d"
	echo "$d"
}

# Writes a folder as an OCI layout; prints the digest of its manifest.
make_layout() { # folder layout
	local at=$2 layer config manifest size_layer size_config size_manifest oci=application/vnd.oci.image
	mkdir -p "$at/blobs/sha256"
	tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$at/layer" .
	size_layer=$(stat -c %s "$at/layer")
	layer=$(keep_blob "$at" "$at/layer")
	printf '{"architecture":"%s","os":"linux","config":{"Cmd":["/bin/sleep","2147483647"]},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
		"$(architecture)" "$layer" >"$at/config"
	size_config=$(stat -c %s "$at/config")
	config=$(keep_blob "$at" "$at/config")
	printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json","config":{"mediaType":"%s.config.v1+json","digest":"sha256:%s","size":%s},"layers":[{"mediaType":"%s.layer.v1.tar","digest":"sha256:%s","size":%s}]}' \
		$oci $oci "$config" "$size_config" $oci "$layer" "$size_layer" >"$at/manifest"
	size_manifest=$(stat -c %s "$at/manifest")
	manifest=$(keep_blob "$at" "$at/manifest")
	printf '{"imageLayoutVersion":"1.0.0"}' >"$at/oci-layout"
	printf '{"schemaVersion":2,"manifests":[{"mediaType":"%s.manifest.v1+json","digest":"sha256:%s","size":%s}]}' $oci "$manifest" "$size_manifest" >"$at/index.json"
	echo "$manifest"
}

architecture() { case $(uname -m) in aarch64) echo arm64 ;; *) echo amd64 ;; esac }

# Writes an archive of a folder, or of the one image of a layout; prints the digest that names it.
make_image() { # folder archive
	local at
	if [ -e "$1/oci-layout" ]; then
		tar -C "$1" -cf "$2" oci-layout index.json blobs
		sed -n 's/.*"digest": *"sha256:\([0-9a-f]*\)".*/\1/p' "$1/index.json" | head -n 1
		return
	fi
	at=$(mktemp -d "$RUN/images/.XXXXXX")
	make_layout "$1" "$at"
	tar -C "$at" -cf "$2" oci-layout index.json blobs
	rm -rf "$at"
}

# Imports a folder as an image on every node, now and whenever one starts; prints its reference.
import_image() { # name folder
	local archive name key n
	mkdir -p "$RUN/images"
	archive=$(mktemp "$RUN/images/.XXXXXX")
	name=$1@sha256:$(make_image "$2" "$archive")
	key=$(printf %s "$name" | key_of)
	echo "$name" >"$RUN/images/$key.name"
	mv "$archive" "$RUN/images/$key.tar"
	for n in $(node_numbers); do import_archive "$n" "$key"; done
	echo "$name"
}

import_archive() { # node key
	local name
	[ ! -e "$RUN/node$1/imported-$2" ] || return 0
	name=$(cat "$RUN/images/$2.name")
	in_containerd "$1" -n k8s.io images import --base-name "${name%@*}" --digests - <"$RUN/images/$2.tar" >>"$LOG/import.log" 2>&1 ||
		die "image $name was not imported, see $LOG/import.log"
	touch "$RUN/node$1/imported-$2"
}

import_all() { # node
	local file
	for file in "$RUN"/images/*.tar; do
		file=${file##*/}
		import_archive "$1" "${file%.tar}"
	done
}

base_image() { # name folder; kept in images/<name>
	import_image "localhost/reenact/$1" "$2" >"$RUN/images/.$1"
	mv "$RUN/images/.$1" "$RUN/images/$1"
	rm -rf "$2"
}

# What pods need that hold the namespaces, cluster DNS, and two for tests: small programs, and none at all but the places to mount a
# machine's own /usr.
base_images() {
	[ ! -e "$RUN/images/empty" ] || return 0
	local root=$RUN/images/root program
	rm -rf "$RUN/images"
	mkdir -p "$root/bin"
	cp "$SYSTEM/bin/busybox" "$root/bin/sleep"
	base_image pause "$root"
	mkdir -p "$root"
	cp "$BIN/coredns" "$root/"
	base_image coredns "$root"
	mkdir -p "$root"/{bin,tmp,etc,proc,sys,dev}
	chmod 1777 "$root/tmp"
	printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$root/etc/passwd"
	cp "$SYSTEM/bin/busybox" "$root/bin/"
	for program in $("$SYSTEM/bin/busybox" --list); do [ "$program" = busybox ] || ln -s busybox "$root/bin/$program"; done
	base_image busybox "$root"
	mkdir -p "$root"/{usr,tmp,etc,proc,sys,dev,opt,volume}
	chmod 1777 "$root/tmp"
	for program in bin sbin lib lib64; do ln -s "usr/$program" "$root/$program"; done
	base_image empty "$root"
}

reference() { cat "$RUN/images/$1" 2>/dev/null || die "there is no image named $1"; } # name of a base image
