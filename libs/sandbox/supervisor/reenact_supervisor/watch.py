"""Looks at the running trial several times a second: samples it and says when a limit is passed."""

import os
import time

from . import processes
from .workspace import DiskMeter

TICK_SECONDS = 0.1
_SAMPLE_SECONDS = 0.3
# Each tick measures the disk for at most this long; a new measurement begins at most this often.
_DISK_SLICE_SECONDS = 0.01
_DISK_SECONDS = 0.5
_DISK_AT_END_SECONDS = 0.3


class View:
    """The trial's processes at one moment. `ended` lists first-level processes that are over."""

    def __init__(self, states, inner_ids, ended):
        self.states = states
        self.outer_pids = {inner: outer for outer, inner in inner_ids.items()}
        self.cpu_seconds = 0.0
        self.rss_bytes = sum(state.rss for state in states)
        self.threads = sum(state.threads for state in states)
        self.ended = ended
        self._inner = inner_ids
        self._parents = {state.pid: state.parent for state in states}

    def has_child_among(self, inner, candidates):
        """Whether one of `candidates` (inside ids) descends from the process `inner`."""
        for other in candidates:
            outer = self._parents.get(self.outer_pids.get(other))
            while outer is not None:
                if self._inner.get(outer) == inner:
                    return True
                outer = self._parents.get(outer)
        return False


class Watch:
    def __init__(self, limits, init_pid, group, places):
        self._limits = limits
        self._init_pid = init_pid
        self._group = group
        self._disk = DiskMeter(places)
        self._inner_ids = {}
        self._next_sample = 0.0
        self._next_disk = time.monotonic() + _DISK_SECONDS
        self.cpu_seconds = 0.0
        self.peak_rss_bytes = 0

    def look(self, ended=()):
        """Reads the process tree below the init."""
        states = [processes.read_state(pid) for pid in processes.descendants(self._init_pid)]
        states = [state for state in states if state is not None and state.state not in ("Z", "X")]
        view = View(states, self._name(states), list(ended))
        own = processes.read_state(self._init_pid)
        self.cpu_seconds = max(self.cpu_seconds, sum(state.cpu for state in states) + (own.cpu if own else 0.0))
        view.cpu_seconds = self.cpu_seconds
        self.peak_rss_bytes = max(self.peak_rss_bytes, view.rss_bytes)
        return view

    def _name(self, states):
        """Inside ids by outside ids; cached, as reading a status costs more than reading a stat."""
        known = {}
        for state in states:
            key = (state.pid, state.start)
            if key not in self._inner_ids:
                inner = processes.inner_pid(state.pid)
                if inner is None:
                    continue
                self._inner_ids[key] = inner
            known[state.pid] = self._inner_ids[key]
        self._inner_ids = {(state.pid, state.start): known[state.pid] for state in states if state.pid in known}
        return known

    def sample(self, view, evidence):
        """Writes a sample record when one is due."""
        now = time.monotonic()
        if now < self._next_sample:
            return
        self._next_sample = now + _SAMPLE_SECONDS
        evidence.write(
            "sample", rssBytes=view.rss_bytes, cpuSeconds=round(view.cpu_seconds, 4),
            processes=len(view.states), threads=view.threads,
        )

    def passed_limit(self, view):
        """The name of the limit that is passed (as in the exit record), or None."""
        if len(view.states) > self._limits.processes or self._forks_refused():
            return "process-limit"
        if self.out_of_memory() or self._memory_by_sampling(view):
            return "memory-limit"
        if time.monotonic() >= self._next_disk and self._disk_full(_DISK_SLICE_SECONDS):
            return "disk-limit"
        return None

    def out_of_memory(self):
        return self._group is not None and self._group.out_of_memory_kills() > 0

    def _forks_refused(self):
        return self._group is not None and self._group.refused_forks() > 0

    def _memory_by_sampling(self, view):
        """Resident pages count once per sharer; only when their sum is too big the costly exact number is asked."""
        if (self._group is not None and "memory" in self._group.controllers) or view.rss_bytes <= self._limits.memory_bytes:
            return False
        exact = 0
        for state in view.states:
            share = processes.proportional_bytes(state.pid)
            exact += state.rss if share is None else share
        return exact > self._limits.memory_bytes

    def disk_full_at_end(self):
        """Whether a process that failed did so at the disk limit: a fresh measurement, if it can be had quickly."""
        self._disk.work(_DISK_AT_END_SECONDS)
        return self._disk_full(_DISK_AT_END_SECONDS)

    def _disk_full(self, seconds):
        if self._disk.work(seconds):
            self._next_disk = time.monotonic() + _DISK_SECONDS
        return self._disk.used_bytes >= self._limits.disk_bytes


def free_memory_bytes():
    """Physical memory of the machine in bytes."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
