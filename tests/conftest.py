from __future__ import annotations

import signal

import pytest


@pytest.fixture
def in_terminal():
    """Let Ctrl-C interrupt, and processes started inherit that, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
