"""Tests of the view models."""
