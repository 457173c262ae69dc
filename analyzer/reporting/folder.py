"""A report folder that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analyzer.errors import BadInput


def check_writable(folder: Path) -> None:
    """Fail before the work and not after it when a report could not be written."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    try:
        if not existing.is_dir():
            raise NotADirectoryError(20, "not a folder", str(existing))
        with tempfile.TemporaryDirectory(prefix=".analyzer-", dir=existing):
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
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise BadInput(
            f"cannot write to {folder}: {error.strerror or error}; choose another folder with --out"
        ) from None
    try:
        yield scratch
        os.chmod(scratch, 0o755)
        old = scratch.with_name(scratch.name + ".old")
        if folder.exists():
            folder.rename(old)
        scratch.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def clear_leftovers(folder: Path) -> None:
    """Remove what a killed run left beside a folder it was about to write."""
    for scratch in folder.parent.glob(f".{folder.name}-*"):
        shutil.rmtree(scratch, ignore_errors=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix=f".{path.name}-", dir=path.parent, delete=False
    ) as scratch:
        scratch.write(text)
    os.chmod(scratch.name, 0o644)
    os.replace(scratch.name, path)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt
