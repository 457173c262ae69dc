"""Kernels against the plain references: the same moves lead to the same states."""


class Disagreement(AssertionError):
    """The kernel and the reference differ."""
