"""Crystalfontz CFA635 and CFA631."""
