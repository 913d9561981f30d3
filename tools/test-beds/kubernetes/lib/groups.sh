# shellcheck shell=bash
# Control groups of the nodes: one folder for the cluster in every hierarchy, one for each node below it.
make_groups() { # node
	local root at file
	for root in $(awk '$3 == "cgroup" { print $2 }' /proc/mounts); do
		for at in "$root$GROUP" "$root$GROUP/node$1"; do
			mkdir -p "$at"
			# A new cpuset of version 1 is empty and takes nothing in.
			for file in cpuset.cpus cpuset.mems; do
				[ ! -e "$at/$file" ] || cat "$(dirname "$at")/$file" >"$at/$file"
			done
		done
	done
	for root in $(awk '$3 == "cgroup2" { print $2 }' /proc/mounts); do
		mkdir -p "$root$GROUP/node$1"
		# In version 2 a folder hands on the controllers that its parent hands to it.
		for at in "$root" "$root$GROUP" "$root$GROUP/node$1"; do
			for file in $(cat "$at/cgroup.controllers"); do echo "+$file" >"$at/cgroup.subtree_control" 2>/dev/null || :; done
		done
	done
}

group_roots() { awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts; }

remove_groups() { # [/node], or the whole cluster's
	local root i
	for root in $(group_roots); do
		for i in $(seq 50); do
			[ -d "$root$GROUP${1:-}" ] || break
			find "$root$GROUP${1:-}" -depth -type d -exec rmdir {} + 2>/dev/null && break
			sleep 0.1 # processes that were killed are still leaving
		done
	done
}
