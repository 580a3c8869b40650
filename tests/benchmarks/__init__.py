"""Measured against the peers."""

import os

#: That benchmarks compute on: at most two of those that this process may use (`taskset` limits them).
CORES = min(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
