"""Signals: Ctrl-C and SIGTERM end a command alike, and a reader that has left ends it without a word."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

INTERRUPTED = 130
ALIKE = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def heard() -> Iterator[list[int]]:
    """Turn the signals that ask for an end into KeyboardInterrupt, and give the list of those that came.

    One that was ignored when the program began (`make test &`) stays ignored. Where output goes to a pipe
    that nobody reads any more (`| head`), the system ends the program, as it does with any other.
    """
    came: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if _is_deaf(frame):
            leave()
        raise KeyboardInterrupt

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in ALIKE:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, hear)
        if hasattr(signal, "SIGPIPE"):
            before[signal.SIGPIPE] = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        yield came
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _is_deaf(frame: FrameType | None) -> bool:
    """Return whether an exception could get lost here: in an import or in the compiler, before games are played."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(("importlib._bootstrap", "numba.", "llvmlite.")):
            return True
        frame = frame.f_back
    return False


def leave() -> None:
    """End the program now, whatever its threads are doing."""
    print("interrupted", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(INTERRUPTED)
