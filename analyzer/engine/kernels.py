"""Where compiled kernels are kept: a folder for each game and each state of the sources compiled into them.

numba's own cache looks at the file a function stands in and at nothing else: an edit in an imported file
would go unnoticed, a comment would compile everything anew. Here the folder's name holds what a driver is
made of: the jitted code, without comments and docstrings, of its own module, of the modules with the verbs
of the game it is called for, and of all they import; the numbers these modules hold; numba and its flags.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator

from analyzer import cache_home

_KEPT = 6  # folders of a game; older ones go when a new one is made
_ROOMS = ("analyzer.engine.", "analyzer.games.")  # of the house no other module can end up in compiled code

_COMPILED = {"numba", "analyzer.engine.jit", "analyzer.engine.verbs"}  # who imports none of them holds numbers at most

_passing: set[Any] = set()  # numba's types of rules for which nothing is kept
_modules_of: dict[Any, set[str]] = {}  # by numba's type of a game's rules: the modules with its verbs


def belongs(rules: Any, module: str) -> None:
    """Note that a module implements a verb for a type of rules."""
    _modules_of.setdefault(rules, set()).add(module)


def passes(rules: Any) -> None:
    """Note that what is compiled for a type of rules is not kept: a user's own code is part of it."""
    _passing.add(rules)


class KernelCache:
    """Takes the place of numba's cache of a driver and keeps what was compiled for each game in a folder of its own."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._caches: dict[Path, Any] = {}

    @property
    def cache_path(self) -> str:
        return str(cache_home())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        return self._kept(signature).load_overload(signature, target_context)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        self._kept(signature).save_overload(signature, compiled)

    def holds(self, rules: Any = None) -> bool:
        """Return whether the driver stands compiled on disk, for a type of rules where it is called with rules."""
        file = f"{self._function.__module__.rpartition('.')[2]}.{self._function.__qualname__}-*.nbc"
        return any(any(_folder(roots).glob(file)) for roots in {self._roots([rules]), self._roots([])})

    def _roots(self, types: Iterable[Any]) -> frozenset[str]:
        """Return the modules from which the compiler starts, for arguments of these types."""
        return frozenset({self._function.__module__}.union(*(_modules_of.get(each, ()) for each in types)))

    def _kept(self, signature: Any) -> Any:
        if not _passing.isdisjoint(signature):
            return NullCache()
        folder = _folder(self._roots(signature))
        if folder not in self._caches:
            self._caches[folder] = _numba_cache(self._function, folder)
        return self._caches[folder]


def _numba_cache(function: Callable[..., Any], folder: Path) -> Any:
    """Return numba's cache of a function, in a folder that is for one state of the sources."""
    if not folder.exists():
        _prune(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # in use
    except OSError:
        return NullCache()

    class Implementation(CompileResultCacheImpl):
        _locator_classes = [_Place(function.__module__, folder)]  # type: ignore[list-item]  # noqa: RUF012

    class Kept(FunctionCache):
        _impl_class = Implementation

    return Kept(function)


class _Place(_CacheLocator):
    """Tells numba the folder, whatever the time and the lines of the file the function stands in."""

    def __init__(self, module: str, folder: Path) -> None:
        self._module, self._folder = module, folder

    def from_function(self, py_func: Any, py_file: str) -> _Place:  # type: ignore[override]
        return self

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""  # the folder's name says it

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._module.encode()).hexdigest()[:8]


def _prune(folder: Path) -> None:
    """Drop all but the newest kernel folders of a game; called when a new one is made."""
    with contextlib.suppress(OSError):
        others = folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*")
        for old in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)[_KEPT - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


@cache
def _folder(roots: frozenset[str]) -> Path:
    """Return the folder of what is compiled from these modules."""
    key = hashlib.sha256(metadata.version("numba").encode())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            key.update(f"{name}={os.environ[name]}".encode())
    for module in sorted(_closure(roots)):
        if _imports(_file(module)) & _COMPILED:
            key.update(f"{module} {meaning(_file(module))} ".encode())
        for part in _numbers(module):
            key.update(part)
    # a game's verbs and its own drivers stand in the folder of the game, or are a module of their own
    games = sorted({module.split(".")[-2:][0] for module in roots} - {"engine"}) or ["engine"]
    return cache_home() / f"kernels-{'-'.join(games)}-{key.hexdigest()[:16]}"


def _closure(roots: Iterable[str]) -> set[str]:
    """Return these modules and all that they import in turn, as far as they can be compiled.

    A game that is not shipped has its rooms in a package of its own.
    """
    found, waiting = set(), list(roots)
    rooms = (*_ROOMS, *(f"{module.rpartition('.')[0]}." for module in waiting if "." in module))
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += [name for name in _imports(_file(module)) if name.startswith(rooms)]
    return found


@cache
def _file(module: str) -> Path:
    return Path(str(sys.modules[module].__file__))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


@cache
def _imports(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, but not inside of functions; of names from a package, their modules."""
    names, waiting = set(), list(ast.iter_child_nodes(_tree(path)))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {node.module if name not in sys.modules else name for name in inner}
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += ast.iter_child_nodes(node)
    return frozenset(names & set(sys.modules))


@cache
def meaning(path: Path) -> str:
    """Return a hash of a source file that comments, docstrings and layout do not change."""
    tree = _tree(path)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(
            node, clean=False
        ):
            node.body[0] = ast.Pass()
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _numbers(module: str) -> Iterator[bytes]:
    """Yield the numbers a module holds: compiled code freezes them, wherever they come from (a deck's file)."""
    for name, value in sorted(vars(sys.modules[module]).items()):
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            yield f"{name} {value.dtype} {value.shape} ".encode()
            yield value.tobytes()
        elif _is_number(value):
            yield f"{name}={value!r} ".encode()


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return isinstance(value, (bool, int, float, np.number))
