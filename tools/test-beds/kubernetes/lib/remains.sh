# shellcheck shell=bash
# The end of a cluster, and what is left of it.
down() {
	kill_marked
	if [ -n "$BRIDGE" ] && owns_bridge; then
		remove_groups
		remove_network
	fi
	rm -rf --one-file-system "$RUN"
}
