"""Evenings at a table: what hands do between two looks, and what the whole table makes of it.

A digital dealer plays a random match; some turns of it are played by hands as people play them:
step by step, two turns at once, with a changed mind, with a sleeve over what was put down, late, or
against the rules. Each situation begins with a record that is right, runs through a real ``Table``
with a clock of its own, and ends when the table has come to rest; then it is judged by what is
recorded, asked and refused. Nothing is written by hand, so every seed gives new situations.
"""
