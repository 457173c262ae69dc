"""A report folder that appears whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from analyzer.errors import BadInput

_HOST = re.sub(r"[^\w.-]", "-", socket.gethostname())
_OLD = ".old"
_LEFT = re.compile(r"\.(?P<name>.+)~(?P<host>[\w.-]+)~(?P<pid>\d{1,9})~\w+(\.old)?")
_A_WEEK = 7 * 24 * 3600.0


def check_writable(folder: Path) -> None:
    """Fail before the work and not after it when a report could not be written."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    try:
        if not existing.is_dir():
            raise NotADirectoryError(20, "not a folder", str(existing))
        with tempfile.TemporaryDirectory(prefix=_scratch("analyzer"), dir=existing):
            pass
    except OSError as error:
        raise BadInput(
            f"cannot write to {folder}: {error.strerror or error}; choose another folder with --out"
        ) from None


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give a scratch folder that takes the place of `folder` when the block ends well."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(folder.parent)
        scratch = Path(tempfile.mkdtemp(prefix=_scratch(folder.name), dir=folder.parent))
    except OSError as error:
        raise BadInput(
            f"cannot write to {folder}: {error.strerror or error}; choose another folder with --out"
        ) from None
    old = scratch.with_name(scratch.name + _OLD)
    try:
        yield scratch
        os.chmod(scratch, 0o755)
        if folder.exists():
            folder.rename(old)
        scratch.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    clear_leftovers(path.parent)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix=_scratch(path.name), dir=path.parent, delete=False
    ) as scratch:
        scratch.write(text)
    os.chmod(scratch.name, 0o644)
    os.replace(scratch.name, path)


def _scratch(name: str) -> str:
    """Return how the hidden name begins under which something is written: whose it is stands in it."""
    return f".{name}~{_HOST}~{os.getpid()}~"


def clear_leftovers(folder: Path, below: bool = False) -> None:
    """Remove what killed runs left half-written in a folder, or also in all below it.

    The last good report that such a run had put aside, and not yet replaced, takes its place again.
    """
    for path in list(folder.rglob(".*~*~*~*") if below else folder.glob(".*~*~*~*")):
        found = _LEFT.fullmatch(path.name)
        if not found or _is_somebodys(path, found["host"], int(found["pid"])):
            continue
        if path.name.endswith(_OLD) and not (whole := path.with_name(found["name"])).exists():
            path.rename(whole)
        elif path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _is_somebodys(path: Path, host: str, pid: int) -> bool:
    """Return whether the run that writes there may be alive; of another machine's, whether it is a week old at most."""
    try:
        if host != _HOST:
            return time.time() - path.stat().st_mtime < _A_WEEK
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return path.exists()  # somebody else's process, or gone in the meantime
    return True


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the block is done; one that is ignored stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    before = {
        number: signal.signal(number, lambda number, frame: held.append((number, frame)))
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    for came in dict(held):
        signal.raise_signal(came)
