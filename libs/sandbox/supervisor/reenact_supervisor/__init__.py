"""The trusted supervisor of one trial: isolates, limits, watches and records; it never judges."""
