"""Benchmarks: every figure as a ratio to a named peer measured in the same run."""
