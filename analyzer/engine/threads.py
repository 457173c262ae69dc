"""Threads for chunks of games."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Workers(ThreadPoolExecutor):
    """A pool of threads that an exception, Ctrl-C above all, does not wait for: what they play is dropped."""

    def __init__(self, threads: int | None = None) -> None:
        super().__init__(threads or default_threads())

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)


def default_threads() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
