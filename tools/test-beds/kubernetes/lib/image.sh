# Images from folders, as OCI archives with one layer; equal folders give equal digests.
digest() { sha256sum "$1" | cut -d' ' -f1; }

keep_blob() { # archive file → its digest
	local d
	d=$(digest "$2")
	mv "$2" "$1/blobs/sha256/$d"
	echo "$d"
}

# Writes an archive of a folder; prints the digest of its manifest.
make_image() { # folder archive
	local at layer config manifest size_layer size_config
	at=$(mktemp -d "$RUN/image.XXXXXX")
	mkdir -p "$at/blobs/sha256"
	tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$at/layer" .
	size_layer=$(stat -c %s "$at/layer")
	layer=$(keep_blob "$at" "$at/layer")
	printf '{"architecture":"amd64","os":"linux","config":{"Cmd":["/bin/sleep","2147483647"]},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' "$layer" >"$at/config"
	size_config=$(stat -c %s "$at/config")
	config=$(keep_blob "$at" "$at/config")
	local oci=application/vnd.oci.image
	printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json","config":{"mediaType":"%s.config.v1+json","digest":"sha256:%s","size":%s},"layers":[{"mediaType":"%s.layer.v1.tar","digest":"sha256:%s","size":%s}]}' \
		$oci $oci "$config" "$size_config" $oci "$layer" "$size_layer" >"$at/manifest"
	local size_manifest
	size_manifest=$(stat -c %s "$at/manifest")
	manifest=$(keep_blob "$at" "$at/manifest")
	printf '{"imageLayoutVersion":"1.0.0"}' >"$at/oci-layout"
	printf '{"schemaVersion":2,"manifests":[{"mediaType":"%s.manifest.v1+json","digest":"sha256:%s","size":%s}]}' $oci "$manifest" "$size_manifest" >"$at/index.json"
	tar -C "$at" -cf "$2" oci-layout index.json blobs
	rm -rf "$at"
	echo "$manifest"
}

import_image() { # name folder
	local archive manifest n
	archive=$(mktemp "$RUN/image.XXXXXX")
	manifest=$(make_image "$2" "$archive")
	for n in $(node_numbers); do import_archive "$n" "$1" "$archive"; done
	rm -f "$archive"
	echo "$1@sha256:$manifest"
}

import_archive() { # node name archive
	in_containerd "$1" -n k8s.io images import --base-name "$2" --digests - <"$3" >>"$LOG/import.log" 2>&1 || die "image $2 was not imported, see $LOG/import.log"
}

# The image that holds a pod's namespaces; its program only waits.
pause_image() {
	[ ! -e "$RUN/pause.tar" ] || return 0
	local root=$RUN/pause
	mkdir -p "$root/bin"
	cp "$BIN/system/bin/busybox" "$root/bin/sleep"
	local manifest
	manifest=$(make_image "$root" "$RUN/pause.tar.part")
	rm -rf "$root"
	echo "localhost/reenact/pause@sha256:$manifest" >"$RUN/pause.name"
	mv "$RUN/pause.tar.part" "$RUN/pause.tar"
}
